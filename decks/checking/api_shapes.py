"""Serializers of a deck check: the list that is sent, the verdict and the lines."""

from __future__ import annotations

from typing import TypedDict

from rest_framework import serializers

from decks.checking.questions import MOST_ANSWERS, LineAnswer, LineQuestion
from decks.checking.result import ChangedFinding, CheckedList, DayComparison, DayVerdict, VerdictDifference
from decks.editions.domain.content import UsedList
from decks.importers.parsing import MAX_BYTES
from decks.matching.reading import CheckedLine, LineSuggestion
from decks.shared.api_requests import StrictSerializer
from decks.shared.dataclass_serializers import serializer_of


class AnswerValues(TypedDict):
    """An answer to a question of a list, as `ListAnswerShape` checked it."""

    line: int
    answer: str


class ListAnswerShape(StrictSerializer):
    """An answer to a question of a list."""

    line = serializers.IntegerField(min_value=1, max_value=10_000_000)
    answer = serializers.CharField(max_length=40, help_text="One of the answers that the check offers.")


def list_answers_field() -> serializers.ListSerializer:
    """The answers that come with a list."""
    return serializers.ListSerializer(
        child=ListAnswerShape(),
        required=False,
        max_length=MOST_ANSWERS,
        help_text="Answers to what an earlier check asked. Each changes the text, in order.",
    )


class CheckRequest(StrictSerializer):
    """A list to be checked."""

    game = serializers.CharField(max_length=32)
    format = serializers.CharField(max_length=64)
    rules = serializers.CharField(
        max_length=32, required=False, allow_blank=True, help_text="Version; newest without."
    )
    on = serializers.DateField(
        required=False, help_text="The day whose rules and lists count; today without."
    )
    beside = serializers.DateField(
        required=False, help_text="A second day: the answer then says under `days` what changes between them."
    )
    text = serializers.CharField(max_length=MAX_BYTES, trim_whitespace=False)
    answers = list_answers_field()
    overlay = serializers.DictField(required=False, help_text="Local rules.")
    options = serializers.DictField(
        required=False, help_text="Declarations: declared_character, diversity, …"
    )


SuggestionShape = serializer_of(LineSuggestion, "SuggestionShape", "A card that a line may mean.")
OfferedAnswerShape = serializer_of(LineAnswer, "OfferedAnswerShape", "An answer that a question can have.")
QuestionShape = serializer_of(
    LineQuestion,
    "QuestionShape",
    "What a line leaves open; until it is answered the list is not called legal.",
)
LineShape = serializer_of(
    CheckedLine,
    "LineShape",
    "One source line and what it became.",
    help_texts={
        "reasons": "The notes as codes, with the values of this case by name.",
        "may_be": "The keys of the cards that an unclear line may mean.",
        "other_qty": "Where the number of copies is open as well: the other number.",
    },
    # Kinds and statuses may become more.
    fields={"kind": serializers.CharField()},
)
DayShape = serializer_of(
    DayVerdict,
    "DayShape",
    "The verdict of one day; `note` says so where the rules were not yet in force on it.",
)
ChangedShape = serializer_of(
    ChangedFinding, "ChangedShape", "A finding that says something else on the second day."
)
FindingsChangeShape = serializer_of(
    VerdictDifference,
    "FindingsChangeShape",
    "The findings that the second day brings, takes away and changes.",
)
DaysShape = serializer_of(DayComparison, "DaysShape", "Two days side by side, the earlier one first.")
UsedListShape = serializer_of(
    UsedList,
    "UsedListShape",
    "A dated list that was in force on that day.",
    help_texts={"in_force": "A day; empty for always."},
)
CheckAnswer = serializer_of(
    CheckedList,
    "CheckAnswer",
    "The verdict, the lines, the totals; `verdict` has the shape that `python -m rules check` prints.",
    help_texts={
        "on": "The day whose rules and lists count.",
        "problem_reasons": "The problems as codes, with the values of this case by name.",
        "notice_reasons": "The notices as codes, with the values of this case by name.",
    },
    fields={
        "text": serializers.CharField(
            required=False,
            allow_blank=True,
            help_text="The list with its answers; only where answers were sent.",
        ),
        "days": DaysShape(required=False, help_text="Only where a second day was asked for."),
    },
)
