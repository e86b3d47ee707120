"""Players, their lists, and the player's own door by private link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.accounts.services import rate_limits as limits
from tournament.brackets.services import cut as cuts
from tournament.events import api_shapes as shapes
from tournament.events.models.player import Player
from tournament.registration import services as registration
from tournament.registration.api import shapes as registration_shapes
from tournament.registration.services import late_entry as late
from tournament.results.services import drops
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView, valid


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
        request=registration_shapes.LatePlayerSerializer,
        responses={201: registration_shapes.RegisteredSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PLAYERS)
        player = registration.add_player(
            event, self.actor, **valid(registration_shapes.LatePlayerSerializer, request)
        )
        return Response(registration_shapes.RegisteredSerializer(player).data, status=201)


class Registration(EventView):
    """The open door: anybody may register while registration is open."""

    authentication_classes: list[Any] = []

    @extend_schema(
        summary="Register yourself; the token in the answer is your private way back",
        request=registration_shapes.NewPlayerSerializer,
        responses={201: registration_shapes.RegisteredSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event()
        limits.count([(limits.REGISTER_ADDRESS, limits.client_address(request.META))])
        player = registration.register(event, **valid(registration_shapes.NewPlayerSerializer, request))
        return Response(registration_shapes.RegisteredSerializer(player).data, status=201)


class OnePlayer(EventView):
    """One player, for staff."""

    @extend_schema(summary="One player", responses={200: shapes.PlayerSerializer, **READ_REFUSALS})
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(shapes.PlayerSerializer(self.player(self.event(Right.SEE))).data)

    @extend_schema(
        summary="Correct name, e-mail or character",
        request=registration_shapes.NewPlayerSerializer,
        responses={200: shapes.PlayerSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(self.event(Right.PLAYERS))
        registration.change_details(
            player, self.actor, **valid(registration_shapes.NewPlayerSerializer, request)
        )
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
