"""From tournament.api.serializers, tournament.api.stale."""

from __future__ import annotations

from rest_framework import serializers

from tournament.events.api_shapes import MatchSerializer, ReasonSerializer
from tournament.web.api_problems import ProblemsSerializer

MEANT_MATCH = serializers.IntegerField(
    required=False,
    min_value=1,
    help_text="The `id` of the match that is meant; refused when another is being played by now.",
)


class GamesSerializer(serializers.Serializer):
    """What a player says of his match; `ending` where he concedes, or both agree on a draw."""

    p1_games = serializers.IntegerField(min_value=0, max_value=99)
    p2_games = serializers.IntegerField(min_value=0, max_value=99)
    draws = serializers.IntegerField(min_value=0, max_value=99, default=0)
    ending = serializers.ChoiceField(
        choices=["concession", "agreed_draw", "head_shot"], default="", allow_blank=True
    )
    match = MEANT_MATCH


class OwnStepSerializer(ReasonSerializer):
    """A step of the player himself; `match` is the one he looked at when he leaves it."""

    match = MEANT_MATCH


class StaleMatchSerializer(ProblemsSerializer):
    """Refused; `now` is the match that is being played, null where there is none."""

    now = MatchSerializer(allow_null=True, required=False)
