"""Standings API: table, groups, scoring system, calculations and cut outlooks."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictSerializer, optional_text, read_body, read_query
from decks.shared.dataclass_serializers import serializer_of
from decks.shared.refusals import Refused
from tournament.access.permissions import Right
from tournament.engine.standings.systems.custom import OWN_SYSTEM_KEY
from tournament.engine.standings.systems.loading import system_names
from tournament.events.models.event import Event
from tournament.events.selectors import exclude_bracket_rounds, get_published_rounds
from tournament.standings.selectors.boards import SeatRecord, list_seat_records
from tournament.standings.selectors.draft_pods import map_draft_pods
from tournament.standings.selectors.groups import (
    GroupTable,
    StandingsEntry,
    group_tables,
    list_entries,
    list_stages_in_groups,
)
from tournament.standings.selectors.outlook import PlayerOutlook, list_outlooks
from tournament.standings.selectors.player import (
    CalculationStep,
    TiebreakerCalculation,
    calculate_tiebreakers,
)
from tournament.standings.selectors.standings import (
    SystemText,
    TiebreakerText,
    TiebreakerValue,
    describe_system,
    scoring_system_of,
)
from tournament.standings.services import set_standings_system
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView

TiebreakerValueSerializer = serializer_of(
    TiebreakerValue, "TiebreakerValueSerializer", "A tiebreaker, exact and as shown."
)
StandingSerializer = serializer_of(
    StandingsEntry,
    "StandingSerializer",
    "A line of the standings. With groups, `rank` is the rank in the `group`."
    " `left` is `qualified` or `eliminated` where wins or losses have ended the stage for the player.",
)
GroupSerializer = serializer_of(GroupTable, "GroupSerializer", "The table of one group of a stage.")


SeatRecordSerializer = serializer_of(
    SeatRecord, "SeatRecordSerializer", "The boards of one member of a team. `player` is the team's number."
)


class AfterQuery(StrictSerializer):
    """The round of the standings."""

    after = serializers.IntegerField(
        min_value=1,
        max_value=999,
        required=False,
        help_text="Standings after this published round. Leave it out for the current ones.",
    )


def read_after(request: Request, event: Event) -> int | None:
    """Read the round after which standings are requested; None for now.

    Raises Refused if there is none.
    """
    return _find_after(event, read_query(AfterQuery, request).get("after"))


def _find_after(event: Event, number: int | None) -> int | None:
    if number is None:
        return None
    rounds = exclude_bracket_rounds(get_published_rounds(event))
    numbers = [round_.number for round_ in rounds]
    if number not in numbers:
        raise Refused("unknown_round.after", field="after", round=number, last=max(numbers, default=0))
    return number


class StandingsQuery(AfterQuery):
    """The round of the standings, and the draft pod of the players."""

    pod = serializers.IntegerField(
        min_value=1,
        max_value=999,
        required=False,
        help_text="Only the players of this draft pod. Ranks stay those of the whole event.",
    )


def _find_pod_players(event: Event, number: int | None) -> frozenset[int] | None:
    """Return the players of a draft pod; None without a number.

    Raises Refused if there is no such pod.
    """
    if number is None:
        return None
    pods = map_draft_pods(event)
    players = frozenset(player for player, pod in pods.items() if pod == number)
    if not players:
        raise Refused("no_such_pod", field="pod", pod=number, last=max(pods.values(), default=0))
    return players


class Standings(EventView):
    """The standings of the Swiss rounds."""

    @extend_schema(
        summary="Show the exact standings, group by group",
        parameters=[StandingsQuery],
        responses={200: StandingSerializer(many=True), **REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event()
        query = read_query(StandingsQuery, request)
        players = _find_pod_players(event, query.get("pod"))
        entries = list_entries(event, after_round=_find_after(event, query.get("after")))
        return Response(
            [entry.to_json() for entry in entries if players is None or entry.line.player.pk in players]
        )


class Boards(EventView):
    """The individual records of the members of teams."""

    @extend_schema(
        summary="List the individual records of team members (empty without boards)",
        responses={200: SeatRecordSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event()
        records = list_seat_records(event) if event.has_boards else []
        return Response(SeatRecordSerializer(records, many=True).data)


class Groups(EventView):
    """The group tables of round robins and groups of four."""

    @extend_schema(
        summary="Show the tables of all groups of all stages",
        responses={200: GroupSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        stages = list_stages_in_groups(self.event())
        return Response([table.to_json() for stage in stages for table in group_tables(stage)])


class SystemDataSerializer(StrictSerializer):
    """A scoring system. Exact numbers are whole numbers or texts such as "1/2"."""

    title = serializers.CharField()
    points = serializers.DictField()
    tiebreakers = serializers.ListField(child=serializers.DictField())
    forfeits_meet = serializers.BooleanField()


FormulaSerializer = serializer_of(
    TiebreakerText, "FormulaSerializer", "A line of the explanation below standings."
)
SystemSerializer = serializer_of(
    SystemText,
    "SystemSerializer",
    "The scoring system as data and as text.",
    fields={"data": SystemDataSerializer()},
)


class NewSystemSerializer(StrictSerializer):
    """A built-in system by name, or `own` with its data.

    After round 1 is published, add a reason.
    """

    name = serializers.ChoiceField(choices=[*system_names(), OWN_SYSTEM_KEY])
    data: Any = serializers.JSONField(required=False, allow_null=True, default=None)
    reason = optional_text(400)


class StandingsSystem(EventView):
    """The scoring system of an event."""

    @extend_schema(
        summary="Show the scoring system with its formulas",
        responses={200: SystemSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(describe_system(scoring_system_of(self.event())).to_json())

    @extend_schema(
        summary="Choose a built-in scoring system or enter your own",
        request=NewSystemSerializer,
        responses={200: SystemSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        event = self.event(Right.MANAGE)
        values = read_body(NewSystemSerializer, request)
        set_standings_system(event, self.actor, values["name"], values["data"], reason=values["reason"])
        return Response(describe_system(scoring_system_of(event)).to_json())


TermSerializer = serializer_of(
    CalculationStep,
    "TermSerializer",
    "A line of the calculation. `of` is what it adds to the divisor of a quotient.",
)
WorkedSerializer = serializer_of(
    TiebreakerCalculation,
    "WorkedSerializer",
    "The calculation of a value, with its terms and the written sum.",
)


class TiebreakerCalculations(EventView):
    """The calculation of a player's values."""

    @extend_schema(
        operation_id="events_standings_calculation",
        summary="Show the calculation of a player's points and tiebreakers, opponent by opponent",
        parameters=[AfterQuery],
        responses={200: WorkedSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        event = self.event()
        player = self.player(event)
        after = read_after(request, event)
        return Response([each.to_json() for each in calculate_tiebreakers(event, player, after_round=after)])


OutlookSerializer = serializer_of(
    PlayerOutlook,
    "OutlookSerializer",
    "A player's chances to qualify for the cut, and the method of calculation.",
)


class Outlooks(EventView):
    """The chances of all players to qualify for the cut."""

    @extend_schema(
        summary="List which players have clinched, are eliminated or can draw in",
        responses={200: OutlookSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response([each.to_json() for each in list_outlooks(self.event())])
