"""Serializers of penalties, deck checks, judge calls and rulings."""

from __future__ import annotations

from rest_framework import serializers

from decks.shared.api_requests import StrictModelSerializer, StrictSerializer
from tournament.judging.models import CheckDraw, DeckCheck, JudgeCall, TableRuling
from tournament.judging.services.deck_checks import MAX_DRAWN_TABLES, MAX_EXTENSION_MINUTES
from tournament.penalties.models import Infraction, Penalty, PenaltyLevel
from tournament.shared.hashes import MAX_SEED

LOCATION_FIELDS = ["stage", "round", "table"]


class PenaltySerializer(StrictModelSerializer):
    """A penalty. `is_next`: a game or match loss counts in the player's next match."""

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
    """A penalty as its player sees it, who is not told which judge gave it."""

    class Meta(PenaltySerializer.Meta):
        fields = [name for name in PenaltySerializer.Meta.fields if name != "given_by"]


class NewPenaltySerializer(StrictSerializer):
    """A penalty to give."""

    player = serializers.IntegerField(min_value=1, max_value=1_000_000, help_text="The player's number.")
    infraction = serializers.ChoiceField(Infraction.choices)
    degree = serializers.ChoiceField(PenaltyLevel.choices)
    note = serializers.CharField(max_length=400, required=False, allow_blank=True, default="")
    is_next = serializers.BooleanField(required=False, default=False)
    seen = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=1_000_000,
        help_text="How many penalties of the player you know of; with more by now the answer is 409.",
    )


class TakeBackSerializer(StrictSerializer):
    """Why something is taken back."""

    reason = serializers.CharField(max_length=400)


class StayingMatchSerializer(StrictSerializer):
    """A match that stays as a penalty decided it."""

    id = serializers.IntegerField()
    stage = serializers.IntegerField(source="round.stage.position")
    round = serializers.IntegerField(source="round.number")
    table = serializers.IntegerField(allow_null=True)
    score = serializers.CharField()


class DeckCheckSerializer(StrictModelSerializer):
    """A deck check; an empty outcome: being checked. `ticks` are places of rows among the list's entries."""

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
    """Whose deck is checked."""

    player = serializers.IntegerField(min_value=1, max_value=1_000_000, help_text="The player's number.")


class DrawSerializer(StrictModelSerializer):
    """Tables drawn for deck checks; the same seed draws the same from the same pool."""

    pool = serializers.ListField(child=serializers.IntegerField())
    passed_over = serializers.ListField(child=serializers.IntegerField())
    tables = serializers.ListField(child=serializers.IntegerField())

    class Meta:
        model = CheckDraw
        fields = ["id", "stage", "round", "seed", "pool", "passed_over", "tables", "drawn_at", "drawn_by"]


class NewDrawSerializer(StrictSerializer):
    """How many tables are drawn."""

    count = serializers.IntegerField(min_value=1, max_value=MAX_DRAWN_TABLES)
    seed = serializers.IntegerField(required=False, min_value=0, max_value=MAX_SEED)


class OutcomeSerializer(StrictSerializer):
    """How a deck check ended."""

    outcome = serializers.ChoiceField(["ok", "problem"])
    note = serializers.CharField(max_length=400, required=False, allow_blank=True, default="")
    extension = serializers.IntegerField(required=False, min_value=0, max_value=MAX_EXTENSION_MINUTES)


class TicksSerializer(StrictSerializer):
    """All ticked rows, by their places among the list's entries."""

    ticks = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=100_000), max_length=5_000
    )


class CallSerializer(StrictModelSerializer):
    """A player who calls a judge."""

    player = serializers.IntegerField(source="player.number")

    class Meta:
        model = JudgeCall
        fields = [
            "id", "player", *LOCATION_FIELDS, "words", "called_at", "taken_at",
            "taken_by", "closed_at", "closed_by",
        ]  # fmt: skip


class OwnCallSerializer(StrictSerializer):
    """What the player wants to ask."""

    words = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class SettledSerializer(StrictSerializer):
    """What was ruled; for taking a call nothing is needed."""

    ruling = serializers.CharField(max_length=400, required=False, allow_blank=True, default="")
    question = serializers.CharField(max_length=400, required=False, allow_blank=True, default="")
    reason = serializers.CharField(max_length=400, required=False, allow_blank=True, default="")


class RulingAtTableSerializer(StrictModelSerializer):
    """What a judge ruled at a table."""

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
    question = serializers.CharField(max_length=400, required=False, allow_blank=True, default="")
    reason = serializers.CharField(max_length=400)
