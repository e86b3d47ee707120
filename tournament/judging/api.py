"""API of judges: penalties, deck checks, judge calls, rulings."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access.permissions import Right
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.judging import api_shapes, selectors
from tournament.judging.models import DeckCheck
from tournament.judging.services import calls, penalties
from tournament.judging.services import deck_checks as checks
from tournament.penalties.selectors import get_penalties
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView, validate_request

CALL_STEP = OpenApiParameter("action", str, OpenApiParameter.PATH, enum=["close", "take"])

CHECK_STEP = OpenApiParameter("action", str, OpenApiParameter.PATH, enum=["call-off", "reopen"])


def _player_by_number(event: Event, number: int) -> Player:
    return get_object_or_404(event.players.select_related("event", "deck_list"), number=number)


class Penalties(EventView):
    """The penalties of an event."""

    @extend_schema(
        operation_id="events_penalties",
        summary="Every penalty, the newest first",
        responses={200: api_shapes.PenaltySerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        found = get_penalties(self.event(Right.JUDGE))
        return Response(api_shapes.PenaltySerializer(found, many=True).data)

    @extend_schema(
        summary="Give a penalty, and let it do to the match what it does",
        request=api_shapes.NewPenaltySerializer,
        responses={201: api_shapes.PenaltySerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.JUDGE)
        asked = dict(validate_request(api_shapes.NewPenaltySerializer, request))
        player = _player_by_number(event, asked.pop("player"))
        made = penalties.give_penalty(player, self.actor, **asked)
        return Response(api_shapes.PenaltySerializer(made).data, status=201)


class OnePenalty(EventView):
    """One penalty."""

    @extend_schema(
        summary="Take a penalty back with what it did to the match",
        description="Where later steps rest on it, such as a round paired since, the penalty goes alone: who "
        "was disqualified is in again from now on, and the matches of the answer stay as it decided them "
        "until somebody corrects them. The answer is empty where everything is as it was before.",
        request=api_shapes.TakeBackSerializer,
        responses={200: api_shapes.StayingMatchSerializer(many=True), 204: None, **REFUSALS},
    )
    def post(self, request: Request, slug: str, penalty: int) -> HttpResponse:
        event = self.event(Right.JUDGE)
        given = get_object_or_404(get_penalties(event), pk=penalty)
        stay = penalties.undo_penalty(
            given, self.actor, **validate_request(api_shapes.TakeBackSerializer, request)
        )
        told = api_shapes.StayingMatchSerializer(stay, many=True).data
        return Response(told) if stay else Response(status=204)


class DeckChecks(EventView):
    """The deck checks of an event."""

    @extend_schema(
        operation_id="events_deck_checks",
        summary="Every deck check, the newest first",
        responses={200: api_shapes.DeckCheckSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        found = self.event(Right.JUDGE).deck_checks.select_related("player", "version")
        return Response(api_shapes.DeckCheckSerializer(found, many=True).data)

    @extend_schema(
        summary="Begin a deck check of a player; an open one is given back as it is",
        request=api_shapes.NewDeckCheckSerializer,
        responses={201: api_shapes.DeckCheckSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.JUDGE)
        player = _player_by_number(
            event, validate_request(api_shapes.NewDeckCheckSerializer, request)["player"]
        )
        made = checks.start_check(player, self.actor)
        return Response(api_shapes.DeckCheckSerializer(made).data, status=201)


class DeckCheckDraws(EventView):
    """Tables drawn for deck checks."""

    @extend_schema(
        operation_id="events_deck_check_draws",
        summary="The draws with their seeds, the newest first",
        responses={200: api_shapes.DrawSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        found = selectors.check_draws_of(self.event(Right.JUDGE))
        return Response(api_shapes.DrawSerializer(found, many=True).data)

    @extend_schema(
        summary="Draw tables that still play, and begin checks of everybody at them",
        request=api_shapes.NewDrawSerializer,
        responses={201: api_shapes.DrawSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.JUDGE)
        made = checks.draw_checks(
            event, self.actor, **validate_request(api_shapes.NewDrawSerializer, request)
        )
        return Response(api_shapes.DrawSerializer(made).data, status=201)


class DeckCheckView(EventView):
    """A view of one deck check."""

    def check(self) -> DeckCheck:
        """The check of the address."""
        event = self.event(Right.JUDGE)
        found = event.deck_checks.select_related("event", "player", "version")
        return get_object_or_404(found, pk=self.kwargs["check"])


class OneDeckCheck(DeckCheckView):
    """One deck check."""

    @extend_schema(summary="One deck check", responses={200: api_shapes.DeckCheckSerializer, **READ_REFUSALS})
    def get(self, request: Request, slug: str, check: int) -> Response:
        return Response(api_shapes.DeckCheckSerializer(self.check()).data)

    @extend_schema(
        summary="Put the outcome of a deck check on record",
        request=api_shapes.OutcomeSerializer,
        responses={200: api_shapes.DeckCheckSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, check: int) -> Response:
        held = self.check()
        ended = checks.end_check(held, self.actor, **validate_request(api_shapes.OutcomeSerializer, request))
        return Response(api_shapes.DeckCheckSerializer(ended).data)

    @extend_schema(
        summary="Keep exactly these ticks",
        request=api_shapes.TicksSerializer,
        responses={200: api_shapes.TicksSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, check: int) -> Response:
        held = self.check()
        kept = checks.save_ticks(held, validate_request(api_shapes.TicksSerializer, request)["ticks"])
        return Response({"ticks": kept})


class DeckCheckStep(DeckCheckView):
    """A step of one deck check."""

    @extend_schema(
        summary="Open a closed check again, or call an open one off",
        parameters=[CHECK_STEP],
        request=None,
        responses={204: None, **REFUSALS},
    )
    def post(self, request: Request, slug: str, check: int, action: str) -> Response:
        steps = {"reopen": checks.reopen_check, "call-off": checks.cancel_check}
        held = self.check()
        if action not in steps:
            raise Http404
        steps[action](held, self.actor)
        return Response(status=204)


class JudgeCalls(EventView):
    """Players who call a judge."""

    @extend_schema(
        summary="Open calls, the longest waiting first",
        responses={200: api_shapes.CallSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        found = selectors.open_calls(self.event(Right.JUDGE))
        return Response(api_shapes.CallSerializer(found, many=True).data)


class JudgeCallStep(EventView):
    """A step of one call."""

    @extend_schema(
        summary="Take a call, or settle it with what was ruled",
        parameters=[CALL_STEP],
        request=api_shapes.SettledSerializer,
        responses={200: api_shapes.CallSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, call: int, action: str) -> Response:
        event = self.event(Right.JUDGE)
        held = get_object_or_404(event.judge_calls.select_related("event", "player"), pk=call)
        if action == "take":
            return Response(api_shapes.CallSerializer(calls.take_call(held, self.actor)).data)
        if action != "close":
            raise Http404
        settled = calls.resolve_call(
            held, self.actor, **validate_request(api_shapes.SettledSerializer, request)
        )
        return Response(api_shapes.CallSerializer(settled).data)


class TableRulings(EventView):
    """What judges ruled at tables."""

    @extend_schema(
        operation_id="events_table_rulings",
        summary="Every ruling at a table, the newest first",
        responses={200: api_shapes.RulingAtTableSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        found = self.event(Right.JUDGE).table_rulings.all()
        return Response(api_shapes.RulingAtTableSerializer(found, many=True).data)

    @extend_schema(
        summary="Keep a ruling at a table",
        request=api_shapes.NewRulingSerializer,
        responses={201: api_shapes.RulingAtTableSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.JUDGE)
        asked: dict[str, Any] = dict(validate_request(api_shapes.NewRulingSerializer, request))
        match = selectors.find_match(event, asked.pop("stage"), asked.pop("round"), asked.pop("table"))
        if match is None:
            raise Http404("There is no such table.")
        return Response(
            api_shapes.RulingAtTableSerializer(calls.record_ruling(match, self.actor, **asked)).data,
            status=201,
        )
