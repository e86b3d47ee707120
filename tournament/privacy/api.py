"""API to see and remove the personal data of a player."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictSerializer, read_body
from decks.shared.dataclass_serializers import serializer_of
from tournament.access.permissions import Right
from tournament.privacy import services
from tournament.privacy.services import Removal
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView

RemovalSerializer = serializer_of(
    Removal,
    "RemovalSerializer",
    "The result of a removal: the player, the new name and the number of places.",
)


class ConfirmationSerializer(StrictSerializer):
    """The player's number as confirmation."""

    confirm = serializers.IntegerField(min_value=1)


class PersonalData(EventView):
    """The personal data of one player."""

    @extend_schema(
        summary="Show which personal data of a player would be removed",
        responses={200: RemovalSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(self.event(Right.OWN))
        return Response(services.preview_removal(player, self.actor).to_json())

    @extend_schema(
        summary="Remove the personal data of a player (cannot be undone)",
        request=ConfirmationSerializer,
        responses={200: RemovalSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(self.event(Right.OWN))
        confirmation = read_body(ConfirmationSerializer, request)["confirm"]
        services.refuse_unconfirmed(player, str(confirmation))
        return Response(services.remove_personal_data(player, self.actor).to_json())
