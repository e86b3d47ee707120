"""From tournament.api.staff."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access.rights import Right
from tournament.registration.services import private_links as links
from tournament.web.api import REFUSALS, EventView


class PrivateLinkSerializer(serializers.Serializer):
    """A player's new private link."""

    link = serializers.CharField()


class PrivateLink(EventView):
    """A player's private link."""

    @extend_schema(
        summary="Give a player a new private link; the old one leads nowhere",
        request=None,
        responses={200: PrivateLinkSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(self.event(Right.PLAYERS))
        token = links.renew(player, self.actor)
        return Response({"link": request.build_absolute_uri(f"/p/{token}/")})
