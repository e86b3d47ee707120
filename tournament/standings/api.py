"""Standings API: the table, groups, scoring system, calculations and cut outlooks."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictSerializer, read_body, read_query
from decks.shared.refusals import Refused
from decks.shared.wording import format_reason, say_reason
from tournament.access.permissions import Right
from tournament.engine.standings.systems.custom import OWN_SYSTEM_KEY
from tournament.engine.standings.systems.loading import system_names
from tournament.engine.standings.systems.system import System
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.selectors import exclude_bracket_rounds, get_published_rounds
from tournament.standings.selectors.groups import group_tables, standings_by_group
from tournament.standings.selectors.outlook import outlooks
from tournament.standings.selectors.player import TiebreakerCalculation, calculate_tiebreakers
from tournament.standings.selectors.standings import StandingsLine, put_system_into_words, scoring_system_of
from tournament.standings.services import set_standings_system
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView
from tournament.web.stated_reasons import StatedReasonSerializer, state_reason


class TiebreakerValueSerializer(StrictSerializer):
    """A tiebreaker, exact and as shown."""

    key = serializers.CharField()
    exact = serializers.CharField()
    shown = serializers.CharField()


class StandingSerializer(StrictSerializer):
    """A line of the standings. With groups, `rank` is the rank in the `group`."""

    group = serializers.IntegerField(allow_null=True)
    rank = serializers.IntegerField()
    player = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.CharField()
    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    draws = serializers.IntegerField()
    dropped_after = serializers.IntegerField(allow_null=True)
    tiebreakers = TiebreakerValueSerializer(many=True)


def serialize_standing(line: StandingsLine, keys: list[str], group: int | None = None) -> dict[str, object]:
    """A standings line as data; `group` is the number of its group, None where there are none."""
    row = line.row
    values = zip(keys, row.values, line.cells, strict=True)
    return {
        "group": group,
        "rank": row.rank,
        "player": line.player.number,
        "name": line.player.name,
        "points": str(row.points),
        "wins": row.wins,
        "losses": row.losses,
        "draws": row.draws,
        "dropped_after": line.player.dropped_after if line.is_dropped else None,
        "tiebreakers": [{"key": k, "exact": str(v), "shown": shown} for k, v, shown in values],
    }


class AfterQuery(StrictSerializer):
    """The round of the standings."""

    after = serializers.IntegerField(
        min_value=1,
        max_value=999,
        required=False,
        help_text="Standings after this published round. Leave it out for the current ones.",
    )


def read_after(request: Request, event: Event) -> int | None:
    """The round after which standings are asked for; None for now. Raises Refused where there is none."""
    number: int | None = read_query(AfterQuery, request).get("after")
    if number is None:
        return None
    rounds = exclude_bracket_rounds(get_published_rounds(event))
    numbers = [round_.number for round_ in rounds]
    if number not in numbers:
        raise Refused("unknown_round.after", field="after", round=number, last=max(numbers, default=0))
    return number


class Standings(EventView):
    """The standings of the Swiss rounds."""

    @extend_schema(
        summary="Show the exact standings, group by group",
        parameters=[AfterQuery],
        responses={200: StandingSerializer(many=True), **REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event()
        number = read_after(request, event)
        keys = [tiebreaker.key for tiebreaker in scoring_system_of(event).tiebreakers]
        groups = standings_by_group(event, after_round=number)
        return Response(
            [serialize_standing(line, keys, group.group) for group in groups for line in group.lines]
        )


class GroupSerializer(StrictSerializer):
    """The table of one group of a round robin."""

    stage = serializers.IntegerField()
    group = serializers.IntegerField()
    name = serializers.CharField()
    rows = StandingSerializer(many=True)


def _serialize_group(stage: Stage, table: Any) -> dict[str, object]:
    rows = [serialize_standing(line, [t.key for t in line.tiebreakers], table.number) for line in table.lines]
    return {"stage": stage.position, "group": table.number, "name": table.name, "rows": rows}


class Groups(EventView):
    """The group tables of round robins."""

    @extend_schema(
        summary="Show the tables of all groups of all round robins",
        responses={200: GroupSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        robins = self.event().stages.filter(kind=Stage.Kind.ROBIN).select_related("event")
        return Response([_serialize_group(stage, table) for stage in robins for table in group_tables(stage)])


class FormulaSerializer(StrictSerializer):
    """A line of the explanation below standings."""

    key = serializers.CharField()
    name = serializers.CharField()
    formula = serializers.CharField()


class SystemDataSerializer(StrictSerializer):
    """A scoring system. Exact numbers are whole numbers or texts such as "1/2"."""

    title = serializers.CharField()
    points = serializers.DictField()
    tiebreakers = serializers.ListField(child=serializers.DictField())


class SystemSerializer(StrictSerializer):
    """The scoring system as data and as text."""

    name = serializers.CharField()
    title = serializers.CharField()
    source: Any = serializers.CharField()
    data: Any = SystemDataSerializer()
    formulas = FormulaSerializer(many=True)


class NewSystemSerializer(StrictSerializer):
    """A built-in system by name, or `own` with its data. After round 1 is published, add a reason."""

    name = serializers.ChoiceField(choices=[*system_names(), OWN_SYSTEM_KEY])
    data: Any = serializers.JSONField(required=False, allow_null=True, default=None)
    reason = serializers.CharField(required=False, allow_blank=True, max_length=400, default="")


def serialize_system(system: System) -> dict[str, object]:
    """A system as the API shows it."""
    return {
        "name": system.name,
        "title": say_reason(system.title),
        "source": say_reason(system.source),
        "data": put_system_into_words(system),
        "formulas": [
            {"key": line.key, "name": say_reason(line.name), "formula": say_reason(line.formula)}
            for line in system.describe()
        ],
    }


class StandingsSystem(EventView):
    """The scoring system of an event."""

    @extend_schema(
        summary="Show the scoring system with its formulas",
        responses={200: SystemSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(serialize_system(scoring_system_of(self.event())))

    @extend_schema(
        summary="Choose a built-in scoring system or enter your own",
        request=NewSystemSerializer,
        responses={200: SystemSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        event = self.event(Right.MANAGE)
        values = read_body(NewSystemSerializer, request)
        set_standings_system(event, self.actor, values["name"], values["data"], reason=values["reason"])
        return Response(serialize_system(scoring_system_of(event)))


class TermSerializer(StrictSerializer):
    """A line of the calculation. `of` is what it adds to the divisor of a quotient."""

    round = serializers.IntegerField(allow_null=True)
    opponent = serializers.IntegerField(allow_null=True)
    value = serializers.CharField()
    of = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    counted = serializers.BooleanField()


class WorkedSerializer(StrictSerializer):
    """The calculation of a value, with its terms and the written sum."""

    key = serializers.CharField()
    name = serializers.CharField()
    formula = serializers.CharField()
    combine = serializers.ChoiceField(choices=["sum", "mean", "quotient", "given"])
    exact = serializers.CharField()
    shown = serializers.CharField()
    working = serializers.CharField()
    terms = TermSerializer(many=True)


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
        numbers = dict(event.players.values_list("pk", "number"))
        return Response(
            [
                _serialize_calculation(each, numbers)
                for each in calculate_tiebreakers(event, player, after_round=after)
            ]
        )


def _serialize_calculation(calculation: TiebreakerCalculation, numbers: dict[int, int]) -> dict[str, object]:
    explanation = calculation.explanation
    return {
        "key": explanation.tiebreaker.key,
        "name": say_reason(explanation.tiebreaker.name),
        "formula": format_reason("reason", explanation.formula),
        "combine": explanation.combine,
        "exact": str(explanation.value),
        "shown": calculation.shown,
        "working": explanation.working,
        "terms": [
            {
                "round": term.round,
                "opponent": numbers.get(term.opponent or 0),
                "value": str(term.value),
                "of": str(term.of),
                "note": format_reason("reason", term.note) if term.note else "",
                "counted": term.counted,
            }
            for term in explanation.terms
        ],
    }


class OutlookSerializer(StrictSerializer):
    """A player's chances to qualify for the cut, and the method of calculation."""

    player = serializers.IntegerField()
    name = serializers.CharField()
    outlook = serializers.ChoiceField(choices=["in", "can", "out"])
    draw_is_safe = serializers.BooleanField(allow_null=True)
    method = serializers.ChoiceField(choices=["final", "exact", "bounds"])
    reason = StatedReasonSerializer()


class Outlooks(EventView):
    """The chances of all players to qualify for the cut."""

    @extend_schema(
        summary="List which players have clinched, are eliminated or can draw in",
        responses={200: OutlookSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event()
        outlook_by_player = outlooks(event)
        players = event.players.filter(status=Player.Status.REGISTERED).order_by("number")
        return Response(
            [
                {
                    "player": player.number,
                    "name": player.name,
                    "outlook": outlook_by_player[player.pk].outlook,
                    "draw_is_safe": outlook_by_player[player.pk].draw_is_safe,
                    "method": outlook_by_player[player.pk].method,
                    "reason": state_reason(outlook_by_player[player.pk].reason),
                }
                for player in players
                if player.pk in outlook_by_player
            ]
        )
