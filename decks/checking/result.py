"""Result of a check: lines, totals, verdict, and differences between verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.translation import pgettext_lazy

import rules
from decks.checking.changes import ListChanges, TextChange
from decks.checking.plans import PlannedList
from decks.checking.questions import LineQuestion
from decks.checking.sheet import SheetLine, build_sheet
from decks.editions.domain.content import UsedList
from decks.matching.added_cards import AddedCardRecord
from decks.matching.model import NOT_KNOWN
from decks.matching.reading import CheckedLine, zone_label
from decks.matching.records import EntryRecord
from decks.shared.json_shapes import Published
from decks.shared.stated_reasons import StatedReason, state_reason
from decks.shared.wording import format_reason
from rules.figures import Figure
from rules.finding import Finding, Outcome, Verdict
from rules.overlay import render_local_rule
from rules.reason import Reason, reason

CODES_SHOWN_AT_LINES = frozenset({"card-not-in-catalogue", "card-ambiguous", "line-not-read"})

NO_CHANGES = ListChanges()

LEAST_UNKNOWN = 3
# If there are more lines than these, only their number is shown.
MOST_NAMED = 6

OUTCOME_LABELS = {
    "legal": pgettext_lazy("verdict", "Legal"),
    "illegal": pgettext_lazy("verdict", "Not legal"),
    "unknown": pgettext_lazy("verdict", "Cannot be checked"),
}


def format_outcome(outcome: str) -> str:
    """Return an outcome for people."""
    return str(OUTCOME_LABELS[outcome])


@dataclass(frozen=True, slots=True)
class ZoneTotal:
    """How many cards are in a part of the list; `words` names the part for people."""

    zone: str
    words: str
    cards: int


@dataclass(frozen=True, slots=True)
class CardCoverage:
    """How many of the cards of a list the catalogue knows."""

    known_count: int
    total: int

    @property
    def is_low(self) -> bool:
        """Return whether the many unknown names mean missing cards, not misspellings."""
        unknown = self.total - self.known_count
        return unknown >= LEAST_UNKNOWN and 4 * unknown >= self.total


@dataclass(frozen=True, slots=True)
class CheckedList(Published):
    """A list as checked.

    `outcome` is "legal", "illegal" or "unknown": the last means it cannot be checked. `problems` are those of
    the file as a whole, `verdict` is the rules' own judgment of the cards. `lists` are the dated lists that
    were in force on the day `on`, for which the list was judged. `planned_list` is the plan that makes the
    list legal, and `changes` are the changes to press and `figures` what the deck counts, if requested.
    """

    PUBLISHED = {
        "outcome": "outcome",
        "title": "title",
        "source_format": "source_format",
        "problems": "problem_words",
        "notices": "notice_words",
        "problem_reasons": "problems",
        "notice_reasons": "notices",
        "questions": "questions",
        "totals": "counts",
        "lines": "lines",
        "on": "on",
        "lists": "lists",
        "verdict": "verdict",
    }

    game: str
    format_key: str
    format_name: str
    source_format: str
    lines: tuple[CheckedLine, ...]
    verdict: Verdict
    problems: tuple[Reason, ...] = ()
    notices: tuple[Reason, ...] = ()
    title: str = ""
    local_rules: tuple[Reason, ...] = ()
    lists: tuple[UsedList, ...] = ()
    on: date | None = None
    questions: tuple[LineQuestion, ...] = ()
    planned_list: PlannedList | None = None
    changes: ListChanges = NO_CHANGES
    figures: tuple[Figure, ...] = ()
    added_cards: tuple[AddedCardRecord, ...] = ()

    @property
    def lines_with_questions(self) -> list[tuple[CheckedLine, LineQuestion | None]]:
        """Return each line with its question; equal line numbers share theirs in order."""
        question_by_line = {question.line: question for question in reversed(self.questions)}
        return [
            (line, question_by_line.pop(line.number, None) if line.is_question else None)
            for line in self.lines
        ]

    @property
    def sheet(self) -> list[SheetLine]:
        """Each line with what is said of it and what can be pressed at it."""
        return build_sheet(self.lines_with_questions, self.findings, self.changes)

    @property
    def findings_with_fixes(self) -> list[tuple[Finding, TextChange | None, bool]]:
        """Return each shown finding, its fix, and whether the fix is an alternative."""
        alternatives = self.verdict.alternatives
        return [
            (each, self.changes.fixes.get(each.rule) if each.fix else None, each.rule in alternatives)
            for each in self.shown_findings
        ]

    @property
    def limits(self) -> Figure | None:
        """The figure of sizes and copies against their limits."""
        return next((each for each in self.figures if each.key == "limits"), None)

    @property
    def other_figures(self) -> list[Figure]:
        """The cards by type, and what the game counts."""
        return [each for each in self.figures if each.key != "limits"]

    @property
    def coverage(self) -> CardCoverage:
        """Return how many of the card lines name one or more cards of the catalogue."""
        cards = [line for line in self.lines if line.kind == "card"]
        return CardCoverage(sum(line.status not in NOT_KNOWN for line in cards), len(cards))

    @property
    def is_plainly_read(self) -> bool:
        """Whether there is nothing to say of how the list was read."""
        return not (self.notices or self.problems or any(line.reasons for line in self.lines))

    @property
    def problem_words(self) -> list[str]:
        """The problems of the file, a sentence each."""
        return [format_reason("reason", each) for each in self.problems]

    @property
    def notice_words(self) -> list[str]:
        """The notices of the file, a sentence each."""
        return [format_reason("reason", each) for each in self.notices]

    @property
    def local_rule_words(self) -> list[str]:
        """The local rules, a sentence each."""
        return [render_local_rule(each) for each in self.local_rules]

    @property
    def unresolved_lines(self) -> tuple[CheckedLine, ...]:
        """The lines that were not understood or fit no card, or several."""
        return tuple(line for line in self.lines if not line.is_resolved)

    @property
    def outcome(self) -> Outcome:
        """Return what the verdict comes to."""
        return self.verdict.outcome

    @property
    def outcome_words(self) -> str:
        return format_outcome(self.outcome)

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self.verdict.findings

    @property
    def shown_findings(self) -> tuple[Finding, ...]:
        """Return the findings that ask for something and are not shown at a line."""
        findings = (finding for finding in self.findings if finding.code not in CODES_SHOWN_AT_LINES)
        return tuple(finding for finding in findings if finding.severity != "note")

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """Return the findings that change nothing, such as a card played as corrected."""
        return tuple(finding for finding in self.findings if finding.severity == "note")

    @property
    def says_something(self) -> bool:
        return bool(self.problems or self.unresolved_lines or self.shown_findings)

    @property
    def unresolved_words(self) -> str:
        """Return a sentence about the lines that fit no card, empty without any."""
        unread = (line.number for line in self.unresolved_lines if not line.is_question)
        return _say_of_lines("lines_unresolved", unread)

    @property
    def asking_lines(self) -> tuple[int, ...]:
        """The numbers of the lines that ask something."""
        return tuple(line.number for line in self.lines if line.is_question)

    @property
    def question_words(self) -> str:
        """The lines that ask something in a sentence, empty without any."""
        return _say_of_lines("lines_asking", self.asking_lines)

    @property
    def counts(self) -> Mapping[str, int]:
        """Return the number of cards in the main deck and each part that has any."""
        counts = {"main": 0}
        for line in self.lines:
            if line.kind == "card" and line.qty and line.zone:
                counts[line.zone] = counts.get(line.zone, 0) + line.qty
        return counts

    @property
    def totals(self) -> tuple[ZoneTotal, ...]:
        """The counts, with each part named for people."""
        return tuple(ZoneTotal(zone, zone_label(zone), cards) for zone, cards in self.counts.items())

    def entries_json(self) -> list[EntryRecord]:
        """Return the cards of the list in the order of its lines, for storing."""
        return [
            {
                "zone": line.zone,
                "card": line.card_key,
                "printing": line.printing_key,
                "name": line.name,
                "qty": line.qty,
                "line": line.number,
            }
            for line in self.lines
            if line.kind == "card" and line.zone != "aside"
        ]

    def line_records(self) -> list[dict[str, object]]:
        """Return the lines for storing."""
        return [line.to_record() for line in self.lines]


def _say_of_lines(code: str, numbers: Iterable[int]) -> str:
    """Return what a code says of lines; empty without any."""
    lines = tuple(dict.fromkeys(numbers))
    amount = "many" if len(lines) > MOST_NAMED else "few"
    line_reason = Reason(code, {"lines": lines, "count": len(lines), "amount": amount})
    return format_reason("reason", line_reason) if lines else ""


@dataclass(frozen=True, slots=True)
class ChangedFinding(Published):
    """A rule that has something to say in both verdicts, but not the same."""

    before: Finding
    after: Finding


@dataclass(frozen=True, slots=True)
class VerdictDifference(Published):
    """How the second of two verdicts differs from the first.

    A finding is the same one when rule and severity are; it has changed when it is about other cards, lines,
    counts or facts. Its wording alone changes nothing, as it names the edition it depends on.
    """

    new: tuple[Finding, ...] = ()
    gone: tuple[Finding, ...] = ()
    changed: tuple[ChangedFinding, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.new or self.gone or self.changed)

    @property
    def is_worse(self) -> bool:
        """Return whether a rule is now broken or left open, or concerns new cards."""
        findings = (*self.new, *(pair.after for pair in self.changed if _names_more_cards(pair)))
        return any(finding.severity in ("error", "unknown") for finding in findings)


def compare_verdicts(before: Verdict, after: Verdict) -> VerdictDifference:
    """Return how `after` differs from `before`, in the order of the findings."""
    first = {_finding_key(finding): finding for finding in before.findings}
    second = {_finding_key(finding): finding for finding in after.findings}
    return VerdictDifference(
        new=tuple(finding for place, finding in second.items() if place not in first),
        gone=tuple(finding for place, finding in first.items() if place not in second),
        changed=tuple(
            ChangedFinding(first[place], finding)
            for place, finding in second.items()
            if place in first and _finding_content(first[place]) != _finding_content(finding)
        ),
    )


def _finding_key(finding: Finding) -> tuple[str, str]:
    return finding.rule, finding.severity


def _finding_content(finding: Finding) -> tuple[Any, ...]:
    """Return the content of a finding that matters for comparison.

    Stored findings have lists where fresh ones have tuples.
    """
    whole = finding.to_json()
    return tuple(
        str(whole[part]) for part in ("code", "cards", "lines", "limit", "found", "facts", "overlay")
    )


def _names_more_cards(pair: ChangedFinding) -> bool:
    return bool(set(pair.after.cards) - set(pair.before.cards)) or not pair.after.cards


@dataclass(frozen=True, slots=True)
class DayVerdict(Published):
    """The verdict of one day.

    `note` says so where the rules themselves were not yet in force on it.
    """

    PUBLISHED = {"on": "day", "outcome": "outcome", "note": "stated_note", "verdict": "verdict"}

    day: date
    outcome: Outcome
    verdict: Verdict
    note_reason: Reason | None = None

    @property
    def note(self) -> str:
        """The note in words; empty without one."""
        return format_reason("reason", self.note_reason) if self.note_reason else ""

    @property
    def stated_note(self) -> StatedReason | None:
        """The note for programs and people."""
        return state_reason(self.note_reason) if self.note_reason else None

    @property
    def words(self) -> str:
        """The outcome for people."""
        return format_outcome(self.outcome)

    @property
    def editions(self) -> tuple[str, ...]:
        """The lists that were in force on the day, named for people."""
        return self.verdict.edition_words


@dataclass(frozen=True, slots=True)
class DayComparison(Published):
    """One list on two days.

    `change` is how the second verdict differs from the first.
    """

    first: DayVerdict
    second: DayVerdict
    change: VerdictDifference

    @property
    def same_lists(self) -> bool:
        """Whether the same lists were in force on both days."""
        return self.first.editions == self.second.editions

    @classmethod
    def of(cls, one: DayVerdict, other: DayVerdict) -> DayComparison:
        """Return the two in the order of their days."""
        first, second = sorted((one, other), key=lambda each: each.day)
        return cls(first, second, compare_verdicts(first.verdict, second.verdict))


def day_verdict(checked_list: CheckedList, day: date) -> DayVerdict:
    """Return the verdict of a list that was checked for the day."""
    return DayVerdict(day, checked_list.outcome, checked_list.verdict, rules_note(checked_list.verdict, day))


def rules_note(verdict: Verdict, day: date) -> Reason | None:
    """Return a note if a verdict's rules were not yet in force on a day, else None."""
    game = next(each for each in rules.games() if each.key == verdict.game)
    version = game.version(verdict.version)
    if version is None or version.in_force is None or version.in_force <= day:
        return None
    return reason("rules_later", since=version.in_force.isoformat())
