"""Results API: enter, correct, preview results, open tables, drops, time called."""

from __future__ import annotations

from typing import cast

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictSerializer, optional_text, read_body, read_query
from decks.shared.dataclass_serializers import serializer_of
from tournament.access import permissions
from tournament.access.permissions import Right
from tournament.events.models.event import Event
from tournament.events.models.match_result import ENTERED, REPORTED
from tournament.events.models.round import Match, ResultReport, Round
from tournament.matches import CorrectionEntry
from tournament.pairing.api_shapes import WarningSerializer as WarningSerializer
from tournament.pairing.selectors.repairs import RepairProposal
from tournament.results.api_shapes import MoveSerializer as MoveSerializer
from tournament.results.api_shapes import TableChangeSerializer as TableChangeSerializer
from tournament.results.selectors import OpenTable, list_open_tables
from tournament.results.services import drops, dry_run, results
from tournament.results.services import time_called as time_called_services
from tournament.results.services.drops import OpenMatchPolicy
from tournament.results.services.dry_run import CorrectionImpact
from tournament.results.services.places import enter_places
from tournament.results.services.writing import RepairStrategy
from tournament.results.table_at_time import TableQuestion, TimeCalled, load_time_called, read_board_number
from tournament.web import api as web_api
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView


class EntrySerializer(StrictSerializer):
    """A result.

    `revision` is that of the match as read. Leave it out to save in any case. `loser` is the player (p1, p2
    or both) of the ending, `drop` a player who drops.
    """

    locals().update(web_api.make_result_fields(ENTERED))
    double_loss = serializers.BooleanField(default=False)
    loser = serializers.ChoiceField(choices=["p1", "p2", "both"], default="", allow_blank=True)
    drop = serializers.ListField(child=serializers.ChoiceField(choices=["p1", "p2"]), default=list)
    revision = serializers.IntegerField(required=False, min_value=0, source="seen_revision")
    reason = optional_text(400)


class PlacesSerializer(StrictSerializer):
    """The places of a table with more than two sides, in the order of its sides."""

    places = serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=99))
    drop = serializers.ListField(
        child=serializers.IntegerField(min_value=1), default=list, help_text="Numbers of sides that drop."
    )
    revision = serializers.IntegerField(required=False, min_value=0, source="seen_revision")
    reason = optional_text(400)


class CorrectionSerializer(EntrySerializer):
    """A correction.

    `way` is the choice for later rounds, `plan` the mark of its preview.
    """

    way = serializers.ChoiceField(choices=list(RepairStrategy), default="", allow_blank=True)
    plan = serializers.CharField(required=False, max_length=40, source="seen_plan")


ProposalSerializer = serializer_of(
    RepairProposal,
    "ProposalSerializer",
    "A choice with the tables it changes. Send its `plan` with the correction.",
)
ConsequencesSerializer = serializer_of(
    CorrectionImpact,
    "ConsequencesSerializer",
    "The effects of a correction. Nothing is saved.",
    fields={"ways": ProposalSerializer(many=True)},
)


PLACES_HELP = str(ResultReport._meta.get_field("places").help_text)
PlayerReportSerializer = serializer_of(
    ResultReport,
    "PlayerReportSerializer",
    "The report of one player, the first player's games first.",
    names={"player": "player.number", "says": "words"},
    fields={
        **web_api.make_result_fields(REPORTED),
        "places": serializers.ListField(child=serializers.IntegerField(), help_text=PLACES_HELP),
    },
)
OpenTableSerializer = serializer_of(
    OpenTable,
    "OpenTableSerializer",
    "A table without a result: minutes since the start, extension and reports.",
    fields={"match": web_api.MatchSerializer(), "reports": PlayerReportSerializer(many=True)},
)


class LeaveSerializer(StrictSerializer):
    """A drop during a match. `plan` is the mark of the reviewed choice.

    `champion` (p1 or p2) says who wins the last match of a bracket in name if both players drop.
    """

    running = serializers.ChoiceField(choices=list(OpenMatchPolicy), default=OpenMatchPolicy.PLAY.value)
    champion = serializers.ChoiceField(choices=["p1", "p2"], default="", allow_blank=True)
    plan = serializers.CharField(required=False, max_length=40)
    reason = optional_text(200)


class LeaveWaysSerializer(StrictSerializer):
    """The open match of a player, and the tables that a drop would change."""

    match = web_api.MatchSerializer(allow_null=True)
    ways = ProposalSerializer(many=True)


class MatchView(EventView):
    """A view of one match."""

    def match(self, right: Right) -> Match:
        """Return the match of the address."""
        event = self.event(right)
        matches = Match.objects.select_related("round__stage__event", "p1", "p2")
        return get_object_or_404(matches, pk=self.kwargs["match_id"], round__stage__event=event)

    def entry(self, shape: type[EntrySerializer], match: Match) -> CorrectionEntry:
        """Return what was sent, under the names of the service."""
        values = cast(CorrectionEntry, read_body(shape, self.request))
        if values["drop"]:
            permissions.require_right(self.request.user, match.round.stage.event, Right.PLAYERS)
        return values


class EnteredMatchResult(MatchView):
    """The result of one match."""

    @extend_schema(
        summary="Enter or correct a result (a late correction needs `way`)",
        request=CorrectionSerializer,
        responses={200: web_api.MatchSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, match_id: int) -> Response:
        match = self.match(Right.SCORE)
        entry = self.entry(CorrectionSerializer, match)
        entered_match = results.enter_result(match, self.actor, **entry)
        return Response(web_api.MatchSerializer(entered_match).data)

    @extend_schema(summary="Remove a result", responses={200: web_api.MatchSerializer, **REFUSALS})
    def delete(self, request: Request, slug: str, match_id: int) -> Response:
        cleared_match = results.clear_result(self.match(Right.SCORE), self.actor)
        return Response(web_api.MatchSerializer(cleared_match).data)


class MatchPlaces(MatchView):
    """The places of a table with more than two sides."""

    @extend_schema(
        summary="Enter or correct the places of a table with more than two sides",
        request=PlacesSerializer,
        responses={200: web_api.MatchSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, match_id: int) -> Response:
        match = self.match(Right.SCORE)
        values = read_body(PlacesSerializer, request)
        if values["drop"]:
            permissions.require_right(request.user, match.round.stage.event, Right.PLAYERS)
        return Response(web_api.MatchSerializer(enter_places(match, self.actor, **values)).data)


class CorrectionPreview(MatchView):
    """The preview of a correction."""

    @extend_schema(
        summary="Preview the effects of a result and the choices",
        request=EntrySerializer,
        responses={200: ConsequencesSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, match_id: int) -> Response:
        match = self.match(Right.SCORE)
        entry = self.entry(EntrySerializer, match)
        impact = dry_run.preview_correction(match, self.actor, **entry)
        return Response(ConsequencesSerializer(impact).data)


class OpenTables(EventView):
    """The tables that are still playing."""

    @extend_schema(
        summary="List the tables without a result, disputed ones first",
        responses={200: OpenTableSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        rows = list_open_tables(self.event(Right.SEE), timezone.now())
        return Response(OpenTableSerializer(rows, many=True).data)


class Leave(EventView):
    """A drop during a round."""

    @extend_schema(
        summary="Show the open match of a player and the tables that a drop would change",
        responses={200: LeaveWaysSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(self.event(Right.PLAYERS))
        match = drops.find_open_match(player)
        repairs = dry_run.preview_drop(player, self.actor) if match else None
        proposals = repairs.proposals if repairs else []
        return Response(LeaveWaysSerializer({"match": match, "ways": proposals}).data)

    @extend_schema(
        summary="Drop a player and decide the open match",
        request=LeaveSerializer,
        responses={200: web_api.PlayerSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(self.event(Right.PLAYERS))
        values = read_body(LeaveSerializer, request)
        drops.drop(
            player,
            self.actor,
            seen_plan=values.pop("plan", None),
            open_match_policy=values.pop("running"),
            **values,
        )
        player.refresh_from_db()
        return Response(self.describe_player(player))


TimeQuestionSerializer = serializer_of(
    TableQuestion,
    "TimeQuestionSerializer",
    "A question of the rules. `answer` is empty while it is open.",
    # Kinds and results may become more.
    fields={"kind": serializers.CharField(source="question.kind")},
)
TimeCalledSerializer = serializer_of(
    TimeCalled,
    "TimeCalledSerializer",
    "A table when time is called: the questions and the result by the rules.",
    fields={"result": serializers.CharField(source="outcome.result")},
)


class AnswersSerializer(StrictSerializer):
    """All answers by question. Questions that are left out are open."""

    answers = serializers.DictField(child=serializers.CharField(max_length=40))


class SeatQuery(StrictSerializer):
    """A board of teams."""

    seat = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=4,
        help_text="The letter of a seat, where teams play on boards.",
    )


class TableAtTime(EventView):
    """A table when time is called."""

    def match(self, event: Event) -> Match:
        """Return the match of the address, which has an opponent and is no draft."""
        matches = Match.objects.select_related("round__stage__event", "p1", "p2").exclude(p2=None)
        matches = matches.exclude(round__state=Round.State.DRAFT)
        return get_object_or_404(matches, pk=self.kwargs["match_id"], round__stage__event=event)

    @extend_schema(
        summary="Show the questions of the rules when time is called, and the result",
        parameters=[SeatQuery],
        responses={200: TimeCalledSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, match_id: int) -> Response:
        match = self.match(self.event(Right.SEE))
        board = read_board_number(match, read_query(SeatQuery, request)["seat"])
        time_called = load_time_called(match, board)
        return Response(TimeCalledSerializer(time_called).data)

    @extend_schema(
        summary="Save the answers given at a table",
        parameters=[SeatQuery],
        request=AnswersSerializer,
        responses={200: TimeCalledSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, match_id: int) -> Response:
        match = self.match(self.event(Right.SCORE))
        values = read_body(AnswersSerializer, request)
        seat = read_query(SeatQuery, request)["seat"]
        time_called = time_called_services.save_answers(match, self.actor, values["answers"], seat=seat)
        return Response(TimeCalledSerializer(time_called).data)

    @extend_schema(
        summary="Enter the result that follows from the answers (of all boards)",
        request=None,
        responses={200: web_api.MatchSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, match_id: int) -> Response:
        match = self.match(self.event(Right.SCORE))
        return Response(
            web_api.MatchSerializer(time_called_services.enter_settled_result(match, self.actor)).data
        )
