"""Serializers of decklists, their versions, rulings and exchanges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from decks.catalogue.importing.records import LONGEST_NAME, LONGEST_SHORT_TEXT, PLACE_FACTS
from decks.checking.api_shapes import (
    AnswerValues,
    LineShape,
    QuestionShape,
    VerdictShape,
    list_answers_field,
)
from decks.checking.questions import answer_questions
from decks.checking.records import verdict_from_json
from decks.matching.reading import CheckedLine
from decks.shared.api_requests import StrictModelSerializer, StrictSerializer, optional_text
from decks.shared.dataclass_serializers import serializer_of
from decks.shared.json_shapes import Published
from decks.shared.refusals import Refused
from decks.submissions.differences import CardChange, DeclaredChange, VersionDifference
from decks.submissions.exchanges import Exchange, MovedCard
from decks.submissions.models import DeckVersion, ListAnswer, Ruling, VerdictOutcome
from decks.submissions.selectors import (
    current_verdict,
    find_version_questions,
    judged_under_in_words,
)
from tournament.decklists.field import CardUse, EventField
from tournament.decklists.models import AddedCard, ExchangeCheck
from tournament.decklists.open_lists import OpenList, OpenListEntry, OpenListZone
from tournament.decklists.selectors import ListRow
from tournament.web.api_fields import CodedTextField, TextCodeField

MAX_LIST_LENGTH = 200_000


class ListSerializer(StrictSerializer):
    """A decklist as the text of a deck file, with the declarations of its format."""

    text = serializers.CharField(max_length=MAX_LIST_LENGTH, trim_whitespace=False)
    pool = optional_text(
        MAX_LIST_LENGTH, trim_whitespace=False, help_text="All cards opened or drafted, for Sealed and Draft."
    )
    answers = list_answers_field()
    declared = serializers.DictField(
        required=False,
        default=dict,
        help_text="What the format asks beside the cards, by the keys that its game declares.",
    )
    reason = optional_text(400, help_text="Staff need a reason for a late decklist and to replace one.")


@dataclass(frozen=True, slots=True)
class SentList:
    """A decklist as `ListSerializer` checked it."""

    text: str
    pool: str
    declared: Mapping[str, object]
    reason: str
    answers: Sequence[AnswerValues] = ()

    def with_answers(self, game: str) -> SentList:
        """Return the list with its answers in the text. Raises Refused (answer_unknown)."""
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
    """A player's answer to staff.

    If `agrees` is null, the player only saw the change.
    """

    number = serializers.IntegerField(write_only=True, min_value=1, max_value=1_000_000)

    class Meta:
        model = ListAnswer
        fields = ["number", "answered_at", "agrees", "words"]
        read_only_fields = ["answered_at"]


class VersionSerializer(StrictModelSerializer):
    """One submitted version.

    `stands` is the outcome that counts: a ruling, a later verdict or `outcome`.
    """

    submitted_by = CodedTextField(read_only=True)
    submitted_by_code = TextCodeField(source="submitted_by", help_text="Empty for a text of people.")
    stands = serializers.SerializerMethodField()
    counts = serializers.SerializerMethodField()
    lines = serializers.SerializerMethodField()
    questions = serializers.SerializerMethodField()
    verdict = serializers.SerializerMethodField()
    judged_under = serializers.SerializerMethodField()
    options = serializers.DictField(help_text="Declarations of the player and settings of the event.")
    entries = serializers.ListField(child=serializers.DictField())
    rulings = RulingSerializer(many=True)
    answers = AnswerSerializer(many=True)

    class Meta:
        model = DeckVersion
        fields = [
            "number", "counts", "short_hash", "outcome", "stands", "submitted_at", "submitted_by",
            "submitted_by_code", "by_staff", "after_deadline", "after_lock", "reason", "source_format",
            "source_text", "pool_text", "original_text", "options", "lines", "questions", "entries",
            "rules_version", "judged_under", "verdict", "rulings", "answers",
        ]  # fmt: skip

    @extend_schema_field(VerdictShape())
    def get_verdict(self, version: DeckVersion) -> dict[str, object]:
        """The verdict at that time, in the form of a check."""
        return verdict_from_json(version.verdict).to_json()

    @extend_schema_field(LineShape(many=True))
    def get_lines(self, version: DeckVersion) -> list[dict[str, object]]:
        """The cards of each line, with notes on how it was read."""
        return [CheckedLine.from_json(line).to_json() for line in version.lines]

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_judged_under(self, version: DeckVersion) -> dict[str, object]:
        """The rules and lists of the verdict, and notes on the file."""
        return judged_under_in_words(version)

    @extend_schema_field(QuestionShape(many=True))
    def get_questions(self, version: DeckVersion) -> list[dict[str, object]]:
        """Open questions about the submitted text with their possible answers."""
        return [question.to_json() for question in find_version_questions(version)]

    def get_stands(self, version: DeckVersion) -> str:
        """The outcome that counts."""
        return current_verdict(version).outcome

    def get_counts(self, version: DeckVersion) -> bool:
        """Return whether this is the version that counts."""
        return version.deck_list.current_id == version.pk


class VersionsQuery(StrictSerializer):
    """Two versions to compare."""

    older = serializers.IntegerField(
        min_value=1,
        max_value=1_000_000,
        required=False,
        help_text="Leave it out for the version before the last one.",
    )
    newer = serializers.IntegerField(
        min_value=1, max_value=1_000_000, required=False, help_text="Leave it out for the last version."
    )


CardChangeSerializer = serializer_of(
    CardChange, "CardChangeSerializer", "A card of which one version holds more than the other."
)


DeclaredChangeSerializer = serializer_of(
    DeclaredChange, "DeclaredChangeSerializer", "A declaration that changed."
)
DifferenceSerializer = serializer_of(
    VersionDifference, "DifferenceSerializer", "The changes between two versions."
)


class FileSerializer(StrictSerializer):
    """A decklist as the text of a deck file."""

    format = serializers.CharField()
    content = serializers.CharField()


ListRowSerializer = serializer_of(
    ListRow,
    "ListRowSerializer",
    "One player's decklist in the overview.",
    # The description says that they may be missing.
    fields={
        "version": serializers.IntegerField(source="version_number", allow_null=True, default=None),
        "short_hash": serializers.CharField(allow_null=True, default=None),
    },
)
CardUseSerializer = serializer_of(
    CardUse, "CardUseSerializer", "Use and results of one card. Shares and rates are fractions."
)
FieldSerializer = serializer_of(EventField, "FieldSerializer", "The cards of all decklists of an event.")
OpenEntrySerializer = serializer_of(OpenListEntry, "OpenEntrySerializer", "A line of an open decklist.")
OpenZoneSerializer = serializer_of(OpenListZone, "OpenZoneSerializer", "A zone of an open decklist.")
OpenListSerializer = serializer_of(
    OpenList,
    "OpenListSerializer",
    "The cards of an open decklist.",
)


class ExchangeSerializer(StrictSerializer):
    """The sideboarding for a game, compared with the submitted decklist."""

    game_in_round = serializers.IntegerField(min_value=1, max_value=99)
    out = optional_text(4_000, help_text="One card per line, such as “2 Shooting Capoeira”.")
    into = optional_text(4_000)
    keep = serializers.BooleanField(required=False, default=False, help_text="Record the check.")


MovedSerializer = serializer_of(MovedCard, "MovedSerializer", "So many copies of a card that change places.")


@dataclass(frozen=True, slots=True)
class RecordedExchange(Published):
    """A judged exchange, and its record if there is one."""

    PUBLISHED = {
        "id": "record.id",
        "outcome": "exchange.verdict.outcome",
        "verdict": "exchange.verdict",
        "taken_out": "exchange.taken_out",
        "brought_in": "exchange.brought_in",
    }
    exchange: Exchange
    record: ExchangeCheck | None


ExchangeVerdictSerializer = serializer_of(
    RecordedExchange,
    "ExchangeVerdictSerializer",
    "The verdict on sideboarding. `id` is that of the record, if there is one.",
    fields={"outcome": serializers.ChoiceField(VerdictOutcome.choices, source="exchange.verdict.outcome")},
)


class ExchangeCheckSerializer(StrictModelSerializer):
    """A recorded sideboarding check against a version of the decklist."""

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

    @extend_schema_field(VerdictShape())
    def get_verdict(self, check: ExchangeCheck) -> dict[str, object]:
        """The verdict at that time, in the form of a check."""
        return verdict_from_json(check.verdict).to_json()


class AddedCardSerializer(StrictModelSerializer):
    """A card that the organizer added for this event.

    `facts` are those that its game declares.
    """

    name = serializers.CharField(max_length=LONGEST_NAME)
    set = optional_text(LONGEST_SHORT_TEXT, source="set_code", help_text="The code of its set.")
    number = optional_text(LONGEST_SHORT_TEXT, help_text="The number in the set, as printed.")
    facts = serializers.DictField(
        required=False, default=dict, help_text="Facts by their keys. Leave out what is not known."
    )

    class Meta:
        model = AddedCard
        fields = ["id", "key", "name", "set", "number", "facts"]
        read_only_fields = ["id", "key"]


def read_card_facts(
    values: Mapping[str, Any],  # Any: each field of the serializer has checked its own
) -> dict[str, object]:
    """Return the checked values of an added card as its service takes them.

    Raises Refused (fact_unknown).
    """
    facts: dict[str, object] = values["facts"]
    for key in facts:
        if key in PLACE_FACTS:
            raise Refused("fact_unknown", field="facts", fact=key, nearest=None)
    place = {"name": values["name"], "set": values["set_code"], "number": values["number"]}
    return {**facts, **{key: value for key, value in place.items() if value}}
