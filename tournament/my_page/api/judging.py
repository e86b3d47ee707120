"""From tournament.api.judging."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access.actor import Actor
from tournament.judging.api import shapes
from tournament.judging.services import calls
from tournament.my_page.api.own import OwnView
from tournament.web.api import READ_REFUSALS, REFUSALS, valid


class OwnCall(OwnView):
    """The player calls a judge."""

    @extend_schema(
        summary="Call a judge to my table; an open call is given back as it is",
        request=shapes.OwnCallSerializer,
        responses={201: shapes.CallSerializer, **REFUSALS},
    )
    def post(self, request: Request, token: str) -> Response:
        me = self.me()
        made = calls.call_judge(me, Actor.of_player(me), **valid(shapes.OwnCallSerializer, request))
        return Response(shapes.CallSerializer(made).data, status=201)


class OwnPenalties(OwnView):
    """The player's own penalties."""

    @extend_schema(
        summary="My penalties, the newest first",
        responses={200: shapes.PenaltySerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, token: str) -> Response:
        found = self.me().penalties.select_related("player")
        return Response(shapes.PenaltySerializer(found, many=True).data)
