"""Documented parameters and responses that several APIs share."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers

import rules
from decks.shared.api_requests import StrictSerializer
from decks.shared.dataclass_serializers import serializer_of
from decks.shared.stated_reasons import StatedReason


class ProblemSerializer(StrictSerializer):
    """One thing that is wrong."""

    code = serializers.CharField()
    params = serializers.DictField(required=False, help_text="The values in the sentence, by name.")
    sentence = serializers.CharField()
    fix = serializers.CharField(allow_blank=True)
    field = serializers.CharField(allow_null=True)


class ProblemsSerializer(StrictSerializer):
    """The body of every refused request."""

    problems = ProblemSerializer(many=True)


StatedReasonSerializer = serializer_of(
    StatedReason,
    "StatedReasonSerializer",
    "A reason: its code for programs, the facts of the case, and a sentence for people.",
)


REFUSED = OpenApiResponse(
    ProblemsSerializer, description="Refused: every problem with its code, text and fix."
)


class GameQuery(StrictSerializer):
    """The key of the game."""

    game = serializers.ChoiceField(
        choices=[game.key for game in rules.games()],
        required=False,
        help_text="Key of a game. Leave it out for all games.",
    )
