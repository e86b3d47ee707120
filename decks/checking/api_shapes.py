"""Serializers of a deck check: the list that is sent, the verdict and the lines."""

from __future__ import annotations

from rest_framework import serializers

from decks.checking.questions import MOST_ANSWERS
from decks.importers.parsing import MAX_BYTES
from decks.shared.api_requests import StrictSerializer


class ListAnswerShape(StrictSerializer):
    """An answer to a question of a list."""

    line = serializers.IntegerField(min_value=1, max_value=10_000_000)
    answer = serializers.CharField(max_length=40, help_text="One of the answers that the check offers.")


def list_answers_field() -> ListAnswerShape:
    """The answers that come with a list."""
    return ListAnswerShape(
        many=True,
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


class SuggestionShape(StrictSerializer):
    """A card that a line may mean."""

    label = serializers.CharField()
    card_key = serializers.CharField()
    printing_key = serializers.CharField(allow_null=True)


class OfferedAnswerShape(StrictSerializer):
    """An answer that a question can have."""

    answer = serializers.CharField()
    words = serializers.CharField()


class QuestionShape(StrictSerializer):
    """What a line leaves open; until it is answered the list is not called legal."""

    line = serializers.IntegerField()
    code = serializers.CharField()
    answers = OfferedAnswerShape(many=True)


class LineShape(StrictSerializer):
    """One source line and what it became."""

    number = serializers.IntegerField()
    text = serializers.CharField(allow_blank=True)
    kind = serializers.CharField()
    is_resolved = serializers.BooleanField()
    status = serializers.CharField(allow_blank=True)
    qty = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(allow_blank=True)
    zone = serializers.CharField(allow_blank=True)
    card_key = serializers.CharField(allow_null=True)
    printing_key = serializers.CharField(allow_null=True)
    place = serializers.CharField(allow_blank=True)
    how = serializers.CharField(allow_blank=True)
    is_certain = serializers.BooleanField()
    notes = serializers.ListField(child=serializers.CharField())
    suggestions = SuggestionShape(many=True)
    may_be = serializers.ListField(child=serializers.CharField())
    other_qty = serializers.IntegerField(allow_null=True)


class DayShape(StrictSerializer):
    """The verdict of one day; `note` says so where the rules were not yet in force on it."""

    on = serializers.DateField()
    outcome = serializers.ChoiceField(["legal", "illegal", "unknown"])
    note = serializers.CharField(allow_blank=True)
    verdict = serializers.DictField()


class ChangedShape(StrictSerializer):
    """A finding that says something else on the second day."""

    before = serializers.DictField()
    after = serializers.DictField()


class FindingsChangeShape(StrictSerializer):
    """The findings that the second day brings, takes away and changes."""

    new = serializers.ListField(child=serializers.DictField())
    gone = serializers.ListField(child=serializers.DictField())
    changed = ChangedShape(many=True)


class DaysShape(StrictSerializer):
    """Two days side by side, the earlier one first."""

    first = DayShape()
    second = DayShape()
    change = FindingsChangeShape()


class UsedListShape(StrictSerializer):
    """A dated list that was in force on that day."""

    kind = serializers.CharField()
    number = serializers.IntegerField()
    name = serializers.CharField()
    document = serializers.CharField(allow_blank=True)
    in_force = serializers.CharField(allow_blank=True, help_text="A day; empty for always.")
    source = serializers.ChoiceField(["shipped", "published"])
    digest = serializers.CharField()


class CheckAnswer(StrictSerializer):
    """The verdict, the lines, the totals; `verdict` has the shape that `python -m rules check` prints."""

    outcome = serializers.ChoiceField(["legal", "illegal", "unknown"])
    title = serializers.CharField(allow_blank=True)
    source_format = serializers.CharField()
    problems = serializers.ListField(child=serializers.CharField())
    notices = serializers.ListField(child=serializers.CharField())
    questions = QuestionShape(many=True)
    text = serializers.CharField(
        required=False, allow_blank=True, help_text="The list with its answers; only where answers were sent."
    )
    totals = serializers.DictField(child=serializers.IntegerField())
    lines = LineShape(many=True)
    on = serializers.DateField(allow_null=True, help_text="The day whose rules and lists count.")
    lists = UsedListShape(many=True)
    verdict = serializers.DictField()
    days = DaysShape(required=False, help_text="Only where a second day was asked for.")
