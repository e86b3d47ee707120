"""From tournament.api.players."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournament.access.actor import Actor
from tournament.events import api_shapes as shapes
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.selectors.players import player_of
from tournament.my_page.api import shapes as my_page_shapes
from tournament.my_page.api.shapes import StaleMatchSerializer
from tournament.registration.api.players import OWN_ACTIONS
from tournament.results.services import reports as results
from tournament.shared.refusals import Conflict
from tournament.web.api import READ_REFUSALS, REFUSALS, valid
from tournament.web.api_stale import refused


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


def _open_match(player: Player) -> Match | None:
    seats = player.seats.exclude(match__round__state="draft").filter(match__outcome="")
    seat = seats.select_related("match__round__stage__event", "match__p1", "match__p2").last()
    return seat.match if seat else None


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


def _another(match: Match) -> Response:
    """Refuse what was meant for a match that is no longer the one being played."""
    sentence = f"You have another match by now: table {match.table} of round {match.round.number}."
    conflict = Conflict("another_match", sentence, fix="Look at it first.", field="match")
    return refused(conflict, shapes.MatchSerializer(match).data)


class OwnResult(OwnView):
    """The player's own report of his present match."""

    @extend_schema(
        summary="Report my match; it stands when my opponent says the same",
        request=my_page_shapes.GamesSerializer,
        responses={200: shapes.MatchSerializer, **REFUSALS, 409: StaleMatchSerializer},
    )
    def post(self, request: Request, token: str) -> Response:
        me = self.me()
        games = valid(my_page_shapes.GamesSerializer, request)
        match, meant = _open_match(me), games.pop("match", None)
        if match is None:
            raise Http404("You have no match that is still being played.")
        if meant not in (None, match.pk):
            return _another(match)
        return Response(shapes.MatchSerializer(results.report_result(match, me, **games)).data)


class OwnAction(OwnView):
    """The player checks in, withdraws or drops, and takes leaving back."""

    @extend_schema(
        summary="Check in, withdraw or drop, and take that back",
        parameters=[OpenApiParameter("action", str, OpenApiParameter.PATH, enum=sorted(OWN_ACTIONS))],
        request=my_page_shapes.OwnStepSerializer,
        responses={200: shapes.PlayerSerializer, **REFUSALS, 409: StaleMatchSerializer},
    )
    def post(self, request: Request, token: str, action: str) -> Response:
        if action not in OWN_ACTIONS:
            raise Http404
        me, asked = self.me(), valid(my_page_shapes.OwnStepSerializer, request)
        match = _open_match(me) if "match" in asked else None
        if match is not None and match.pk != asked["match"]:
            return _another(match)
        OWN_ACTIONS[action](me, Actor.of_player(me), asked["reason"])
        return Response(shapes.PlayerSerializer(Player.objects.get(pk=me.pk)).data)
