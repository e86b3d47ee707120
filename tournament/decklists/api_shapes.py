"""Serializers of decklists, their versions, rulings and exchanges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from decks.checking.api_shapes import AnswerValues, LineShape, QuestionShape, list_answers_field
from decks.checking.questions import answer_questions
from decks.checking.records import verdict_from_json
from decks.matching.reading import CheckedLine
from decks.shared.api_requests import StrictModelSerializer, StrictSerializer
from decks.shared.dataclass_serializers import serializer_of
from decks.submissions.differences import CardChange, DeclaredChange, VersionDifference
from decks.submissions.exchanges import Exchange, MovedCard
from decks.submissions.models import DeckVersion, ListAnswer, Ruling, VerdictOutcome
from decks.submissions.selectors import (
    current_verdict,
    find_version_questions,
    judged_under_in_words,
)
from tournament.decklists.models import ExchangeCheck
from tournament.decklists.open_lists import OpenList, OpenListEntry, OpenListZone
from tournament.decklists.selectors import ListRow

MAX_LIST_LENGTH = 200_000


class ListSerializer(StrictSerializer):
    """A decklist as text, in any form that deck files have, with what its format registers beside it."""

    text = serializers.CharField(max_length=MAX_LIST_LENGTH, trim_whitespace=False)
    pool = serializers.CharField(
        max_length=MAX_LIST_LENGTH,
        trim_whitespace=False,
        required=False,
        allow_blank=True,
        default="",
        help_text="Everything opened or drafted, for Sealed and Draft.",
    )
    answers = list_answers_field()
    declared = serializers.DictField(
        required=False,
        default=dict,
        help_text="gem_assignment, sleeved, substitutions, restriction_raise, bonus; as the format asks.",
    )
    reason = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=400,
        default="",
        help_text="For staff: needed for a late list, and to put a list in another's place.",
    )


@dataclass(frozen=True, slots=True)
class SentList:
    """A decklist as `ListSerializer` checked it."""

    text: str
    pool: str
    declared: Mapping[str, object]
    reason: str
    answers: Sequence[AnswerValues] = ()

    def answered(self, game: str) -> SentList:
        """The list with its answers in the text. Raises Refused (answer_unknown)."""
        answers = [(each["line"], each["answer"]) for each in self.answers]
        text, pool = answer_questions(game, answers, text=self.text, pool=self.pool)
        return replace(self, text=text, pool=pool)


class RulingSerializer(StrictModelSerializer):
    """An organizer's ruling over a verdict."""

    class Meta:
        model = Ruling
        fields = ["outcome", "reason", "ruled_at", "ruled_by"]
        read_only_fields = ["ruled_at", "ruled_by"]


class AnswerSerializer(StrictModelSerializer):
    """What the player says to what staff did; `agrees` of null: seen, and nothing more."""

    number = serializers.IntegerField(write_only=True, min_value=1, max_value=1_000_000)

    class Meta:
        model = ListAnswer
        fields = ["number", "answered_at", "agrees", "words"]
        read_only_fields = ["answered_at"]


class VersionSerializer(StrictModelSerializer):
    """One version as submitted; `stands` is what counts now: a ruling, a later verdict, or `outcome`."""

    stands = serializers.SerializerMethodField()
    counts = serializers.SerializerMethodField()
    lines = serializers.SerializerMethodField()
    questions = serializers.SerializerMethodField()
    verdict = serializers.SerializerMethodField()
    judged_under = serializers.SerializerMethodField()
    options = serializers.DictField(help_text="What was declared with the list, and what the event adds.")
    entries = serializers.ListField(child=serializers.DictField())
    rulings = RulingSerializer(many=True)
    answers = AnswerSerializer(many=True)

    class Meta:
        model = DeckVersion
        fields = [
            "number", "counts", "short_hash", "outcome", "stands", "submitted_at", "submitted_by", "by_staff",
            "after_deadline", "after_lock", "reason", "source_format", "source_text", "pool_text", "options",
            "lines", "questions", "entries", "rules_version", "judged_under", "verdict", "rulings", "answers",
        ]  # fmt: skip

    @extend_schema_field(serializers.DictField())
    def get_verdict(self, version: DeckVersion) -> dict[str, object]:
        """The verdict of that moment, as a check answers it."""
        return verdict_from_json(version.verdict).to_json()

    @extend_schema_field(LineShape(many=True))
    def get_lines(self, version: DeckVersion) -> list[dict[str, object]]:
        """What each line became, with what there was to say of how it was read."""
        return [CheckedLine.from_json(line).to_json() for line in version.lines]

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_judged_under(self, version: DeckVersion) -> dict[str, object]:
        """What the verdict rests on, and what there was to say of the file."""
        return judged_under_in_words(version)

    @extend_schema_field(QuestionShape(many=True))
    def get_questions(self, version: DeckVersion) -> list[dict[str, object]]:
        """What the submitted text leaves open, with the answers that it can have."""
        return [question.to_json() for question in find_version_questions(version)]

    def get_stands(self, version: DeckVersion) -> str:
        """The outcome that counts."""
        return current_verdict(version).outcome

    def get_counts(self, version: DeckVersion) -> bool:
        """Whether this is the version that counts."""
        return version.deck_list.current_id == version.pk


class VersionsQuery(StrictSerializer):
    """Which two versions are compared."""

    older = serializers.IntegerField(
        min_value=1, max_value=1_000_000, required=False, help_text="The last but one without it."
    )
    newer = serializers.IntegerField(
        min_value=1, max_value=1_000_000, required=False, help_text="The last one without it."
    )


CardChangeSerializer = serializer_of(
    CardChange, "CardChangeSerializer", "A card of which one version holds more than the other."
)


DeclaredChangeSerializer = serializer_of(
    DeclaredChange, "DeclaredChangeSerializer", "A declaration that changed."
)
DifferenceSerializer = serializer_of(
    VersionDifference, "DifferenceSerializer", "What changed between two versions."
)


class FileSerializer(StrictSerializer):
    """A list as the text of a deck file."""

    format = serializers.CharField()
    content = serializers.CharField()


ListRowSerializer = serializer_of(
    ListRow,
    "ListRowSerializer",
    "One player's list in the overview.",
    # The description says that they may be missing.
    fields={
        "version": serializers.IntegerField(source="version_number", allow_null=True, default=None),
        "short_hash": serializers.CharField(allow_null=True, default=None),
    },
)
OpenEntrySerializer = serializer_of(OpenListEntry, "OpenEntrySerializer", "A line of an opened list.")
OpenZoneSerializer = serializer_of(OpenListZone, "OpenZoneSerializer", "A part of an opened list.")
OpenListSerializer = serializer_of(
    OpenList,
    "OpenListSerializer",
    "A list that the organizer opened: its cards, and nothing that is registered for staff alone.",
)


class ExchangeSerializer(StrictSerializer):
    """What a player presents for a game, counted from the list as registered."""

    game_in_round = serializers.IntegerField(min_value=1, max_value=99)
    out = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=4_000, help_text="Lines: “2 Name of a card”."
    )
    into = serializers.CharField(required=False, allow_blank=True, default="", max_length=4_000)
    keep = serializers.BooleanField(required=False, default=False, help_text="Put the check on record.")


MovedSerializer = serializer_of(MovedCard, "MovedSerializer", "So many copies of a card that change places.")


class ExchangeVerdictSerializer(StrictSerializer):
    """The verdict on an exchange; `id` names the record, if it was kept."""

    id = serializers.IntegerField(allow_null=True)
    outcome = serializers.ChoiceField(VerdictOutcome.choices)
    verdict = serializers.DictField()
    taken_out = MovedSerializer(many=True)
    brought_in = MovedSerializer(many=True)


class ExchangeCheckSerializer(StrictModelSerializer):
    """A check on record, held against the version of that number."""

    version = serializers.IntegerField(source="version.number")
    verdict = serializers.SerializerMethodField()
    taken_out = MovedSerializer(many=True)
    brought_in = MovedSerializer(many=True)

    class Meta:
        model = ExchangeCheck
        fields = [
            "id", "version", "stage", "round", "game_in_round", "taken_out", "brought_in", "outcome",
            "verdict", "checked_at", "checked_by",
        ]  # fmt: skip

    @extend_schema_field(serializers.DictField())
    def get_verdict(self, check: ExchangeCheck) -> dict[str, object]:
        """The verdict of that moment, as a check answers it."""
        return verdict_from_json(check.verdict).to_json()


def exchange_data(checked_exchange: Exchange, saved_check: ExchangeCheck | None) -> dict[str, object]:
    """A judged exchange as data."""
    return {
        "id": saved_check.pk if saved_check else None,
        "outcome": checked_exchange.verdict.outcome,
        "verdict": checked_exchange.verdict.to_json(),
        "taken_out": [moved.to_json() for moved in checked_exchange.taken_out],
        "brought_in": [moved.to_json() for moved in checked_exchange.brought_in],
    }
