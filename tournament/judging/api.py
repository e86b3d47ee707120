"""API of judges: penalties, deck checks, judge calls, rulings."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import read_body, refuse_body
from tournament.access.permissions import Right
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.seats import list_owners
from tournament.judging import api_shapes, selectors
from tournament.judging.models import DeckCheck
from tournament.judging.services import calls, penalties
from tournament.judging.services import deck_checks as deck_check_services
from tournament.penalties.selectors import get_penalties
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView

CALL_STEP = OpenApiParameter("action", str, OpenApiParameter.PATH, enum=["close", "take"])

CHECK_STEP = OpenApiParameter("action", str, OpenApiParameter.PATH, enum=["call-off", "reopen"])


def _player_by_number(event: Event, number: int) -> Player:
    return get_object_or_404(event.players.select_related("event", "deck_list"), number=number)


class Penalties(EventView):
    """The penalties of an event."""

    @extend_schema(
        operation_id="events_penalties",
        summary="List the penalties, newest first",
        responses={200: api_shapes.PenaltySerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        penalties_query = get_penalties(self.event(Right.JUDGE))
        return Response(api_shapes.PenaltySerializer(penalties_query, many=True).data)

    @extend_schema(
        summary="Give a penalty and apply its effect on the match",
        request=api_shapes.NewPenaltySerializer,
        responses={201: api_shapes.PenaltySerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.JUDGE)
        values = dict(read_body(api_shapes.NewPenaltySerializer, request))
        player = _player_by_number(event, values.pop("player"))
        new_penalty = penalties.give_penalty(player, self.actor, **values)
        return Response(api_shapes.PenaltySerializer(new_penalty).data, status=201)


class OnePenalty(EventView):
    """One penalty."""

    @extend_schema(
        summary="Undo a penalty and its effect on the match",
        description="If later steps depend on the penalty, only the penalty is removed. "
        "A disqualified player plays again from now on, and the matches of the answer keep their results. "
        "The answer is empty if everything is as before.",
        request=api_shapes.TakeBackSerializer,
        responses={200: api_shapes.StayingMatchSerializer(many=True), 204: None, **REFUSALS},
    )
    def post(self, request: Request, slug: str, penalty: int) -> HttpResponse:
        event = self.event(Right.JUDGE)
        penalty_row = get_object_or_404(get_penalties(event), pk=penalty)
        remaining_matches = penalties.undo_penalty(
            penalty_row, self.actor, **read_body(api_shapes.TakeBackSerializer, request)
        )
        matches_data = api_shapes.StayingMatchSerializer(remaining_matches, many=True).data
        return Response(matches_data) if remaining_matches else Response(status=204)


class DeckChecks(EventView):
    """The deck checks of an event."""

    @extend_schema(
        operation_id="events_deck_checks",
        summary="List the deck checks, newest first",
        responses={200: api_shapes.DeckCheckSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        deck_checks = self.event(Right.JUDGE).deck_checks.select_related("player", "version")
        return Response(api_shapes.DeckCheckSerializer(deck_checks, many=True).data)

    @extend_schema(
        operation_id="events_deck_checks_begin",
        summary="Start a deck check of a player, or return the open one",
        request=api_shapes.NewDeckCheckSerializer,
        responses={201: api_shapes.DeckCheckSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.JUDGE)
        number = read_body(api_shapes.NewDeckCheckSerializer, request)["player"]
        player = get_object_or_404(list_owners(event).select_related("event", "team"), number=number)
        new_check = deck_check_services.start_check(player, self.actor)
        return Response(api_shapes.DeckCheckSerializer(new_check).data, status=201)


class DeckCheckDraws(EventView):
    """Tables drawn for deck checks."""

    @extend_schema(
        operation_id="events_deck_check_draws",
        summary="List the draws with their random seeds, newest first",
        responses={200: api_shapes.DrawSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        draws = selectors.check_draws_of(self.event(Right.JUDGE))
        return Response(api_shapes.DrawSerializer(draws, many=True).data)

    @extend_schema(
        summary="Select random tables that are still playing and start checks of all their players",
        request=api_shapes.NewDrawSerializer,
        responses={201: api_shapes.DrawSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.JUDGE)
        new_draw = deck_check_services.draw_checks(
            event, self.actor, **read_body(api_shapes.NewDrawSerializer, request)
        )
        return Response(api_shapes.DrawSerializer(new_draw).data, status=201)


class DeckCheckView(EventView):
    """A view of one deck check."""

    def check(self) -> DeckCheck:
        """Return the check of the address."""
        event = self.event(Right.JUDGE)
        deck_checks = event.deck_checks.select_related("event", "player", "version")
        return get_object_or_404(deck_checks, pk=self.kwargs["check"])


class OneDeckCheck(DeckCheckView):
    """One deck check."""

    @extend_schema(
        summary="Show a deck check", responses={200: api_shapes.DeckCheckSerializer, **READ_REFUSALS}
    )
    def get(self, request: Request, slug: str, check: int) -> Response:
        return Response(api_shapes.DeckCheckSerializer(self.check()).data)

    @extend_schema(
        operation_id="events_deck_checks_end",
        summary="Record the outcome of a deck check",
        request=api_shapes.OutcomeSerializer,
        responses={200: api_shapes.DeckCheckSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, check: int) -> Response:
        deck_check = self.check()
        ended_check = deck_check_services.end_check(
            deck_check, self.actor, **read_body(api_shapes.OutcomeSerializer, request)
        )
        return Response(api_shapes.DeckCheckSerializer(ended_check).data)

    @extend_schema(
        summary="Save the ticks of a deck check",
        request=api_shapes.TicksSerializer,
        responses={200: api_shapes.TicksSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, check: int) -> Response:
        deck_check = self.check()
        saved_ticks = deck_check_services.save_ticks(
            deck_check, read_body(api_shapes.TicksSerializer, request)["ticks"]
        )
        return Response({"ticks": saved_ticks})


class DeckCheckStep(DeckCheckView):
    """A step of one deck check."""

    @extend_schema(
        operation_id="events_deck_checks_step",
        summary="Reopen a closed deck check, or cancel an open one",
        parameters=[CHECK_STEP],
        request=None,
        responses={204: None, **REFUSALS},
    )
    def post(self, request: Request, slug: str, check: int, action: str) -> Response:
        steps = {"reopen": deck_check_services.reopen_check, "call-off": deck_check_services.cancel_check}
        deck_check = self.check()
        if action not in steps:
            raise Http404
        steps[action](deck_check, self.actor)
        return Response(status=204)


class JudgeCalls(EventView):
    """Judge calls of players."""

    @extend_schema(
        summary="List the open judge calls, longest waiting first",
        responses={200: api_shapes.CallSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        open_calls = selectors.open_calls(self.event(Right.JUDGE))
        return Response(api_shapes.CallSerializer(open_calls, many=True).data)


class JudgeCallStep(EventView):
    """A step of one call."""

    @extend_schema(
        summary="Take a call, or resolve it with a ruling",
        parameters=[CALL_STEP],
        request=api_shapes.SettledSerializer,
        responses={200: api_shapes.CallSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, call: int, action: str) -> Response:
        event = self.event(Right.JUDGE)
        judge_call = get_object_or_404(event.judge_calls.select_related("event", "player"), pk=call)
        if action == "take":
            refuse_body(request)
            return Response(api_shapes.CallSerializer(calls.take_call(judge_call, self.actor)).data)
        if action != "close":
            raise Http404
        resolved_call = calls.resolve_call(
            judge_call, self.actor, **read_body(api_shapes.SettledSerializer, request)
        )
        return Response(api_shapes.CallSerializer(resolved_call).data)


class TableRulings(EventView):
    """Rulings at tables."""

    @extend_schema(
        operation_id="events_table_rulings",
        summary="List the rulings at tables, newest first",
        responses={200: api_shapes.RulingAtTableSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        table_rulings = self.event(Right.JUDGE).table_rulings.all()
        return Response(api_shapes.RulingAtTableSerializer(table_rulings, many=True).data)

    @extend_schema(
        summary="Record a ruling at a table",
        request=api_shapes.NewRulingSerializer,
        responses={201: api_shapes.RulingAtTableSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.JUDGE)
        values = read_body(api_shapes.NewRulingSerializer, request)
        match = selectors.find_match(event, values.pop("stage"), values.pop("round"), values.pop("table"))
        if match is None:
            raise Http404("There is no such table.")
        return Response(
            api_shapes.RulingAtTableSerializer(calls.record_table_ruling(match, self.actor, **values)).data,
            status=201,
        )
