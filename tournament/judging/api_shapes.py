"""Serializers of penalties, deck checks, judge calls and rulings."""

from __future__ import annotations

from rest_framework import serializers

from decks.shared.api_requests import StrictModelSerializer, StrictSerializer, optional_text
from decks.shared.dataclass_serializers import serializer_of
from tournament.events.models.round import Match
from tournament.judging.models import CheckDraw, DeckCheck, JudgeCall, TableRuling
from tournament.judging.services.deck_checks import MAX_DRAWN_TABLES, MAX_EXTENSION_MINUTES
from tournament.penalties.models import Infraction, Penalty, PenaltyLevel
from tournament.shared.hashes import MAX_SEED
from tournament.web.api_fields import CodedTextField, TextCodeField

LOCATION_FIELDS = ["stage", "round", "table"]


def _player_number() -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=1_000_000, help_text="The player's number.")


class PenaltySerializer(StrictModelSerializer):
    """A penalty.

    If `is_next` is true, a game or match loss counts in the player's next match.
    """

    player = serializers.IntegerField(source="player.number")
    deck_check = serializers.IntegerField(source="deck_check_id", allow_null=True)

    class Meta:
        model = Penalty
        fields = [
            "id", "player", *LOCATION_FIELDS, "infraction", "degree", "note", "is_next",
            "deck_check", "given_at",
            "given_by",
        ]  # fmt: skip


class OwnPenaltySerializer(PenaltySerializer):
    """A penalty as the player sees it, without the judge."""

    class Meta(PenaltySerializer.Meta):
        fields = [name for name in PenaltySerializer.Meta.fields if name != "given_by"]


class NewPenaltySerializer(StrictSerializer):
    """A penalty to give."""

    player = _player_number()
    infraction = serializers.ChoiceField(Infraction.choices)
    degree = serializers.ChoiceField(PenaltyLevel.choices)
    note = optional_text(400)
    is_next = serializers.BooleanField(required=False, default=False)
    seen = serializers.IntegerField(
        source="seen_penalties",
        required=False,
        min_value=0,
        max_value=1_000_000,
        help_text="Known number of the player's penalties. If there are more, the answer is 409.",
    )


class TakeBackSerializer(StrictSerializer):
    """A reason for undoing."""

    reason = serializers.CharField(max_length=400)


StayingMatchSerializer = serializer_of(
    Match,
    "StayingMatchSerializer",
    "A match that keeps the result of a penalty.",
    names={
        "id": "id",
        "stage": "round.stage.position",
        "round": "round.number",
        "table": "table",
        "score": "score",
    },
)


class DeckCheckSerializer(StrictModelSerializer):
    """A deck check.

    While it is open, the outcome is empty. `ticks` are the checked rows of the decklist.
    """

    player = serializers.IntegerField(source="player.number")
    list_version = serializers.IntegerField(source="version.number", allow_null=True, default=None)
    draw = serializers.IntegerField(source="draw_id", allow_null=True)
    ticks = serializers.ListField(child=serializers.IntegerField())

    class Meta:
        model = DeckCheck
        fields = [
            "id", "player", "list_version", "draw", *LOCATION_FIELDS, "ticks", "outcome", "note", "extension",
            "started_at", "started_by", "finished_at", "finished_by",
        ]  # fmt: skip


class NewDeckCheckSerializer(StrictSerializer):
    """A deck check to start."""

    player = _player_number()


class DrawSerializer(StrictModelSerializer):
    """Tables drawn for deck checks. The same random seed draws the same tables."""

    pool = serializers.ListField(child=serializers.IntegerField())
    passed_over = serializers.ListField(child=serializers.IntegerField())
    tables = serializers.ListField(child=serializers.IntegerField())

    class Meta:
        model = CheckDraw
        fields = ["id", "stage", "round", "seed", "pool", "passed_over", "tables", "drawn_at", "drawn_by"]


class NewDrawSerializer(StrictSerializer):
    """A draw of tables."""

    count = serializers.IntegerField(min_value=1, max_value=MAX_DRAWN_TABLES)
    seed = serializers.IntegerField(required=False, min_value=0, max_value=MAX_SEED)


class OutcomeSerializer(StrictSerializer):
    """The outcome of a deck check."""

    outcome = serializers.ChoiceField(["ok", "problem"])
    note = optional_text(400)
    extension = serializers.IntegerField(required=False, min_value=0, max_value=MAX_EXTENSION_MINUTES)


class TicksSerializer(StrictSerializer):
    """All checked rows of the decklist, by index."""

    ticks = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=100_000), max_length=5_000
    )


class CallSerializer(StrictModelSerializer):
    """A judge call of a player."""

    player = serializers.IntegerField(source="player.number")
    closed_by = CodedTextField(read_only=True)
    closed_by_code = TextCodeField(source="closed_by", help_text="Empty for a text of people.")

    class Meta:
        model = JudgeCall
        fields = [
            "id", "player", *LOCATION_FIELDS, "topic", "words", "called_at", "taken_at",
            "taken_by", "closed_at", "closed_by", "closed_by_code",
        ]  # fmt: skip


class OwnCallSerializer(StrictSerializer):
    """The player's question, and what it is about."""

    topic = serializers.ChoiceField(choices=JudgeCall.Topic.values, default="", allow_blank=True)
    words = optional_text(200)


class SettledSerializer(StrictSerializer):
    """The ruling. Taking a call needs none."""

    ruling = optional_text(400)
    question = optional_text(400)
    reason = optional_text(400)


class RulingAtTableSerializer(StrictModelSerializer):
    """A judge's ruling at a table."""

    class Meta:
        model = TableRuling
        fields = ["id", *LOCATION_FIELDS, "question", "ruling", "reason", "given_at", "given_by"]
        read_only_fields = ["id", "given_at", "given_by"]


class NewRulingSerializer(StrictSerializer):
    """A ruling at a table of a published round."""

    stage = serializers.IntegerField(min_value=1, max_value=1_000)
    round = serializers.IntegerField(min_value=1, max_value=1_000)
    table = serializers.IntegerField(min_value=1, max_value=1_000_000)
    ruling = serializers.CharField(max_length=400)
    question = optional_text(400)
    reason = serializers.CharField(max_length=400)
