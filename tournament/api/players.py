"""Players, their lists, and the player's own door by private link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournament.api import serializers as shapes
from tournament.api.base import READ_REFUSALS, REFUSALS, EventView
from tournament.api.stale import StaleMatchSerializer, refused
from tournament.errors import Conflict
from tournament.models import Match, Player
from tournament.permissions import Right
from tournament.selectors.player import player_of
from tournament.services import cuts, drops, limits, registration, results
from tournament.services.actor import Actor
from tournament.services.registration import late


class Players(EventView):
    """The players of an event."""

    @extend_schema(
        summary="Players by number; staff sees e-mail addresses too",
        responses={200: shapes.PlayerSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event()
        staff = self.may(event, Right.SEE)
        players = event.players.all() if staff else event.players.exclude(status=Player.Status.WITHDRAWN)
        shape = shapes.PlayerSerializer if staff else shapes.PublicPlayerSerializer
        return Response(shape(players, many=True).data)

    @extend_schema(
        summary="Add a player (staff)",
        request=shapes.LatePlayerSerializer,
        responses={201: shapes.RegisteredSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PLAYERS)
        player = registration.add_player(event, self.actor, **valid(shapes.LatePlayerSerializer, request))
        return Response(shapes.RegisteredSerializer(player).data, status=201)


class Registration(EventView):
    """The open door: anybody may register while registration is open."""

    authentication_classes: list[Any] = []

    @extend_schema(
        summary="Register yourself; the token in the answer is your private way back",
        request=shapes.NewPlayerSerializer,
        responses={201: shapes.RegisteredSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event()
        limits.count([(limits.REGISTER_ADDRESS, limits.client_address(request.META))])
        player = registration.register(event, **valid(shapes.NewPlayerSerializer, request))
        return Response(shapes.RegisteredSerializer(player).data, status=201)


def valid(shape: type[Any], request: Request) -> dict[str, Any]:
    asked = shape(data=request.data)
    asked.is_valid(raise_exception=True)
    return dict(asked.validated_data)


class OnePlayer(EventView):
    """One player, for staff."""

    @extend_schema(summary="One player", responses={200: shapes.PlayerSerializer, **READ_REFUSALS})
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(shapes.PlayerSerializer(self.player(self.event(Right.SEE))).data)

    @extend_schema(
        summary="Correct name, e-mail or character",
        request=shapes.NewPlayerSerializer,
        responses={200: shapes.PlayerSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(self.event(Right.PLAYERS))
        registration.change_details(player, self.actor, **valid(shapes.NewPlayerSerializer, request))
        return Response(shapes.PlayerSerializer(Player.objects.get(pk=player.pk)).data)


Act = Callable[[Player, Actor, str], Any]
ACTIONS: dict[str, Act] = {
    "check-in": lambda p, a, why: registration.check_in(p, a),
    "undo-check-in": lambda p, a, why: registration.undo_check_in(p, a),
    "withdraw": lambda p, a, why: registration.withdraw(p, a),
    "restore": lambda p, a, why: registration.restore(p, a),
    "drop": lambda p, a, why: registration.drop(p, a, reason=why),
    "undo-drop": lambda p, a, why: registration.undo_drop(p, a),
    "let-in": lambda p, a, why: registration.let_in(p, a),
    "let-in-with-byes": lambda p, a, why: registration.let_in(p, a, missed=late.BYE),
    "paid": lambda p, a, why: registration.mark_paid(p, a),
    "unpaid": lambda p, a, why: registration.mark_paid(p, a, paid=False),
    "leave-now": lambda p, a, why: drops.drop(p, a, reason=why, running=drops.Running.WIN),
    "decline-cut": lambda p, a, why: cuts.decline_cut(p, a),
    "accept-cut": lambda p, a, why: cuts.decline_cut(p, a, declined=False),
}
ACTION_NAME = OpenApiParameter("action", str, OpenApiParameter.PATH, enum=sorted(ACTIONS))


class PlayerAction(EventView):
    """A step of one player, done by staff."""

    @extend_schema(
        operation_id="events_players_step",
        summary="Check in, pay, withdraw, drop, decline the cut, and take it back; let in who waits",
        parameters=[ACTION_NAME],
        request=shapes.ReasonSerializer,
        responses={200: shapes.PlayerSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int, action: str) -> Response:
        if action not in ACTIONS:
            raise Http404
        player = self.player(self.event(Right.PLAYERS))
        ACTIONS[action](player, self.actor, valid(shapes.ReasonSerializer, request)["reason"])
        return Response(shapes.PlayerSerializer(Player.objects.get(pk=player.pk)).data)


class OwnView(APIView):
    """What a player does by private link. The token in the address is the right."""

    authentication_classes: list[Any] = []
    permission_classes = [AllowAny]

    def me(self) -> Player:
        """The player of the token."""
        player = player_of(self.kwargs["token"])
        if player is None:
            raise Http404("This private link leads nowhere.")
        return player


class Own(OwnView):
    """The player's own registration and present match."""

    @extend_schema(summary="Who I am, my match", responses={200: OpenApiTypes.OBJECT, **READ_REFUSALS})
    def get(self, request: Request, token: str) -> Response:
        me = self.me()
        return Response(
            {
                "event": me.event.slug,
                "player": shapes.PlayerSerializer(me).data,
                "match": shapes.MatchSerializer(match).data if (match := _open_match(me)) else None,
            }
        )


def _open_match(player: Player) -> Match | None:
    seats = player.seats.exclude(match__round__state="draft").filter(match__outcome="")
    seat = seats.select_related("match__round__stage__event", "match__p1", "match__p2").last()
    return seat.match if seat else None


class OwnResult(OwnView):
    """The player's own report of his present match."""

    @extend_schema(
        summary="Report my match; it stands when my opponent says the same",
        request=shapes.GamesSerializer,
        responses={200: shapes.MatchSerializer, **REFUSALS, 409: StaleMatchSerializer},
    )
    def post(self, request: Request, token: str) -> Response:
        me = self.me()
        games = valid(shapes.GamesSerializer, request)
        match, meant = _open_match(me), games.pop("match", None)
        if match is None:
            raise Http404("You have no match that is still being played.")
        if meant not in (None, match.pk):
            return _another(match)
        return Response(shapes.MatchSerializer(results.report_result(match, me, **games)).data)


def _another(match: Match) -> Response:
    """Refuse what was meant for a match that is no longer the one being played."""
    sentence = f"You have another match by now: table {match.table} of round {match.round.number}."
    conflict = Conflict("another_match", sentence, fix="Look at it first.", field="match")
    return refused(conflict, shapes.MatchSerializer(match).data)


OWN_ACTIONS: dict[str, Act] = {
    name: ACTIONS[name]
    for name in (
        "check-in",
        "withdraw",
        "restore",
        "drop",
        "leave-now",
        "undo-drop",
        "decline-cut",
        "accept-cut",
    )
}


class OwnAction(OwnView):
    """The player checks in, withdraws or drops, and takes leaving back."""

    @extend_schema(
        summary="Check in, withdraw or drop, and take that back",
        parameters=[OpenApiParameter("action", str, OpenApiParameter.PATH, enum=sorted(OWN_ACTIONS))],
        request=shapes.OwnStepSerializer,
        responses={200: shapes.PlayerSerializer, **REFUSALS, 409: StaleMatchSerializer},
    )
    def post(self, request: Request, token: str, action: str) -> Response:
        if action not in OWN_ACTIONS:
            raise Http404
        me, asked = self.me(), valid(shapes.OwnStepSerializer, request)
        match = _open_match(me) if "match" in asked else None
        if match is not None and match.pk != asked["match"]:
            return _another(match)
        OWN_ACTIONS[action](me, Actor.of_player(me), asked["reason"])
        return Response(shapes.PlayerSerializer(Player.objects.get(pk=me.pk)).data)
