"""Serializers of a deck check: the list that is sent, the verdict and the lines.

The verdict is as `python -m rules check --json` writes it.
"""

from __future__ import annotations

from typing import TypedDict

from rest_framework import serializers

from decks.checking.plans import PlannedList, PlannedStep
from decks.checking.questions import MOST_ANSWERS, LineAnswer, LineQuestion
from decks.checking.result import ChangedFinding, CheckedList, DayComparison, DayVerdict, VerdictDifference
from decks.editions.domain.content import UsedList
from decks.importers.parsing import MAX_BYTES
from decks.matching.reading import CheckedLine, LineSuggestion
from decks.shared.api_requests import StrictSerializer
from decks.shared.api_responses import StatedReasonSerializer as StatedReasonSerializer
from decks.shared.dataclass_serializers import RecordSerializer, register_serializer, serializer_of
from rules.finding import Finding, Verdict
from rules.reason import Reason


class AnswerValues(TypedDict):
    """An answer to a question of a list, as `ListAnswerShape` checked it."""

    line: int
    answer: str


class ListAnswerShape(StrictSerializer):
    """An answer to a question about a decklist."""

    line = serializers.IntegerField(min_value=1, max_value=10_000_000)
    answer = serializers.CharField(max_length=40, help_text="One of the possible answers of the check.")


def list_answers_field() -> serializers.ListSerializer:
    """Make the field for the answers that come with a list."""
    return serializers.ListSerializer(
        child=ListAnswerShape(),
        required=False,
        max_length=MOST_ANSWERS,
        help_text="Answers to questions of an earlier check, in order. Each changes the text.",
    )


class CheckRequest(StrictSerializer):
    """A decklist to check."""

    game = serializers.CharField(max_length=32)
    format = serializers.CharField(max_length=64)
    rules = serializers.CharField(
        max_length=32,
        required=False,
        allow_blank=True,
        help_text="Rules version. Leave it out for the newest.",
    )
    on = serializers.DateField(
        required=False, help_text="The date of the rules and lists. Leave it out for today."
    )
    beside = serializers.DateField(
        required=False, help_text="A second date. `days` of the answer then has the changes between both."
    )
    text = serializers.CharField(max_length=MAX_BYTES, trim_whitespace=False)
    answers = list_answers_field()
    overlay = serializers.DictField(required=False, help_text="Local rules.")
    options = serializers.DictField(
        required=False, help_text="Declarations such as declared_character or diversity."
    )
    plan = serializers.BooleanField(
        default=False, help_text="Also find the fewest changes that make the decklist legal."
    )


class ReasonShape(RecordSerializer):
    """A reason without its sentence."""

    code = serializers.CharField()
    params = serializers.DictField(help_text="The values in the sentence, by name.")


class DeckChangeShape(StrictSerializer):
    """A step of a fix."""

    action = serializers.ChoiceField(["add", "remove", "set"])
    zone = serializers.CharField(allow_blank=True)
    qty = serializers.IntegerField()
    card = serializers.CharField(allow_null=True, help_text="Key of the card. Empty for any.")
    wanted = serializers.DictField(allow_null=True, help_text="The facts of the card, or what to declare.")


class FixShape(StrictSerializer):
    """The smallest change that fixes a finding."""

    sentence = serializers.CharField()
    reasons = ReasonShape(many=True)
    changes = DeckChangeShape(many=True)


class MissingFactShape(StrictSerializer):
    """A fact without which a rule cannot be checked."""

    fact = serializers.CharField()
    code = serializers.CharField()
    detail = serializers.JSONField(allow_null=True, help_text="A text or number in the words of the fact.")
    card = serializers.CharField(allow_null=True, help_text="Key of the card. Empty for the list itself.")
    name = serializers.CharField(allow_null=True)


class RuleFindingShape(RecordSerializer):
    """What a rule has to say about a list."""

    rule = serializers.CharField()
    clause = serializers.CharField()
    document = serializers.CharField()
    version = serializers.CharField(allow_blank=True)
    code = serializers.CharField()
    severity = serializers.CharField()
    message = serializers.CharField()
    reasons = ReasonShape(many=True, help_text="The sentences of the message as codes with parameters.")
    cards = serializers.ListField(child=serializers.CharField(), help_text="Keys of cards.")
    lines = serializers.ListField(child=serializers.IntegerField(), help_text="Numbers of lines of the list.")
    limit = serializers.JSONField(allow_null=True, help_text="What the rule allows.")
    found = serializers.JSONField(allow_null=True, help_text="What the list has.")
    fix = FixShape(allow_null=True)
    follows_from = serializers.CharField(
        allow_null=True, help_text="The broken rule that causes this finding."
    )
    facts = MissingFactShape(many=True)
    overlay = serializers.CharField(allow_null=True, help_text="The local rules that changed the rule.")


class VerdictShape(RecordSerializer):
    """The judgment of a list by the rules."""

    verdict = serializers.ChoiceField(["legal", "illegal", "unknown"])
    game = serializers.CharField()
    format = serializers.CharField()
    rules = serializers.CharField()
    document = serializers.CharField()
    editions = serializers.ListField(child=serializers.CharField(), help_text="The dated lists in force.")
    edition_reasons = ReasonShape(many=True)
    overlay = serializers.CharField(allow_null=True, help_text="The local rules, if any.")
    unknowns = MissingFactShape(many=True, help_text="All missing facts.")
    findings = RuleFindingShape(many=True)
    alternatives = serializers.ListField(
        child=serializers.CharField(), help_text="Rules whose fixes conflict. Apply them one at a time."
    )


register_serializer(Reason, ReasonShape)
register_serializer(Finding, RuleFindingShape)
register_serializer(Verdict, VerdictShape)

SuggestionShape = serializer_of(LineSuggestion, "SuggestionShape", "A card that a line can mean.")
OfferedAnswerShape = serializer_of(LineAnswer, "OfferedAnswerShape", "A possible answer to a question.")
QuestionShape = serializer_of(
    LineQuestion,
    "QuestionShape",
    "A question about a line. Until it has an answer, the decklist is not legal.",
)
LineShape = serializer_of(
    CheckedLine,
    "LineShape",
    "A line of the text and how it was read.",
    help_texts={
        "reasons": "The notes as codes with parameters.",
        "may_be": "Keys of the cards that an unclear line can mean.",
        "other_qty": "The other possible number of copies, if that is unclear too.",
    },
    # Kinds and statuses may become more.
    fields={"kind": serializers.CharField()},
)
DayShape = serializer_of(
    DayVerdict,
    "DayShape",
    "The verdict of one date. A `note` says if the rules were not yet in force.",
)
ChangedShape = serializer_of(ChangedFinding, "ChangedShape", "A finding that differs on the second date.")
FindingsChangeShape = serializer_of(
    VerdictDifference,
    "FindingsChangeShape",
    "The new, removed and changed findings of the second date.",
)
DaysShape = serializer_of(DayComparison, "DaysShape", "Two dates, the earlier one first.")
UsedListShape = serializer_of(
    UsedList,
    "UsedListShape",
    "A ban, errata or identity list in force on the date.",
    help_texts={"in_force": "A date. Empty for always."},
)
PlannedStepShape = serializer_of(
    PlannedStep,
    "PlannedStepShape",
    "A change of a plan: `remove`, `add`, `move` or `set`.",
    help_texts={"options": "What `set` declares."},
)
PlanShape = serializer_of(
    PlannedList,
    "PlanShape",
    "The fewest changes that make a decklist legal.",
    help_texts={
        "status": "`found`, `open` (answers or facts are missing) or `none` (no plan was found).",
        "text": "The decklist with the plan. Empty if the plan cannot be written into this text.",
    },
)
CheckAnswer = serializer_of(
    CheckedList,
    "CheckAnswer",
    "The verdict, the lines and the totals. `verdict` is as in `python -m rules check --json`.",
    help_texts={
        "on": "The date of the rules and lists.",
        "problem_reasons": "The problems as codes with parameters.",
        "notice_reasons": "The notices as codes with parameters.",
    },
    fields={
        "text": serializers.CharField(
            required=False,
            allow_blank=True,
            help_text="The decklist with the answers, if answers were sent.",
        ),
        "plan": PlanShape(required=False, help_text="Only if asked for, and the decklist is not legal."),
        "days": DaysShape(required=False, help_text="Only with a second date."),
    },
)
