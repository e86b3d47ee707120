"""From tournament.api.serializers, tournament.api.stale."""

from __future__ import annotations

from rest_framework import serializers

from tournament.events.api_shapes import MatchSerializer
from tournament.events.models.round import Round
from tournament.pairing.selectors.drafts import mark
from tournament.web.api_problems import ProblemsSerializer


class RoundSerializer(serializers.ModelSerializer):
    """One round with its tables."""

    stage = serializers.IntegerField(source="stage.position")
    matches = MatchSerializer(many=True)
    mark = serializers.SerializerMethodField(
        help_text="Of a draft: names its tables; sent back as `seen`, it publishes no others. Else null."
    )

    class Meta:
        model = Round
        fields = [
            "stage", "number", "state", "seed", "pairing", "published_at", "amended_at", "finished_at",
            "mark", "matches",
        ]  # fmt: skip

    def get_mark(self, shown: Round) -> str | None:
        """What somebody saw who looked at the tables of a draft."""
        return mark(shown) if shown.is_draft else None


class PairSerializer(serializers.Serializer):
    """Which round is meant; the same request twice pairs it once."""

    number = serializers.IntegerField(required=False, min_value=1, max_value=99)


class PublishSerializer(serializers.Serializer):
    """`confirm`: what speaks against tables made by hand is meant."""

    confirm = serializers.BooleanField(default=False)
    seen = serializers.CharField(
        required=False, max_length=40, help_text="The draft's `mark`; without it, whatever stands there now."
    )


class StaleRoundSerializer(ProblemsSerializer):
    """Refused; `now` is the round as it is, null where it is gone."""

    now = RoundSerializer(allow_null=True, required=False)
