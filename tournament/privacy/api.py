"""API to see and remove the personal data of a player."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictSerializer, read_body
from tournament.access.permissions import Right
from tournament.privacy import services
from tournament.privacy.services import Removal
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView


class RemovalSerializer(StrictSerializer):
    """What is removed: whose data, their names afterwards, and in how many places it was."""

    players = serializers.ListField(child=serializers.IntegerField(), read_only=True)
    new_names = serializers.ListField(child=serializers.CharField(), read_only=True)
    texts = serializers.IntegerField(read_only=True)
    log_lines = serializers.IntegerField(read_only=True)
    decklists = serializers.IntegerField(read_only=True)
    jobs = serializers.IntegerField(read_only=True)
    league_links = serializers.IntegerField(read_only=True)


class ConfirmationSerializer(StrictSerializer):
    """The player's number once more: what is removed does not come back."""

    confirm = serializers.IntegerField(min_value=1)


def _answer(removal: Removal) -> Response:
    numbers = [player.number for player in removal.players]
    counts = (name for name in RemovalSerializer._declared_fields if name != "players")
    return Response({"players": numbers, **{name: getattr(removal, name) for name in counts}})


class PersonalData(EventView):
    """The personal data of one player."""

    @extend_schema(
        summary="What removing the personal data of a player would remove",
        responses={200: RemovalSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(self.event(Right.OWN))
        return _answer(services.preview_removal(player, self.actor))

    @extend_schema(
        summary="Remove the personal data of a player for good; it cannot be undone",
        request=ConfirmationSerializer,
        responses={200: RemovalSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(self.event(Right.OWN))
        confirmation = read_body(ConfirmationSerializer, request)["confirm"]
        services.refuse_unconfirmed(player, str(confirmation))
        return _answer(services.remove_personal_data(player, self.actor))
