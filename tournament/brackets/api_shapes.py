"""Serializers of stages and of the final ranking."""

from __future__ import annotations

from rest_framework import serializers

from decks.shared.api_requests import StrictModelSerializer
from decks.shared.dataclass_serializers import serializer_of
from tournament.brackets.selectors.bracket import RankedPlayer
from tournament.events.models.event import Stage, StageEntrant


class EntrantSerializer(StrictModelSerializer):
    """A player's seed and group in a stage (group 0 without groups)."""

    player = serializers.IntegerField(source="player.number")

    class Meta:
        model = StageEntrant
        fields = ["seed", "player", "group"]


class StageSerializer(StrictModelSerializer):
    """A started stage. Without entrants, all registered players play in it."""

    entrants = EntrantSerializer(many=True)

    class Meta:
        model = Stage
        fields = [
            "position",
            "kind",
            "planned_rounds",
            "groups",
            "twice",
            "third_place",
            "consolation",
            "reset",
            "wins_in",
            "losses_out",
            "entrants",
        ]


RankedSerializer = serializer_of(
    RankedPlayer, "RankedSerializer", "A final place, and the stage that decided it."
)
