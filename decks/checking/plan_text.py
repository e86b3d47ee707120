"""Writes a plan into the text of a typed list.

Counts are changed, lines removed and lines added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from decks.importers.answers import ZONE_HEADINGS, apply_edits, find_questions
from decks.importers.decoding import decode
from decks.importers.model import ParsedDeck
from decks.importers.parsing import parse
from decks.matching.catalogue import KnownCards
from decks.matching.model import SearchBudget
from decks.matching.reading import CheckedLine
from rules.deck import CardFacts
from rules.plan import Plan, PlanStep

# Lists that people type; a plan for a table or the file of a program is shown, and not written.
TYPED_FORMATS = frozenset({"text", "arena", "forum"})

# A count is announced in so many places at most.
_MOST_COUNTS = 20


class CannotWrite(Exception):
    """The plan cannot be written into the text."""


@dataclass(slots=True)
class _TextDraft:
    """The rows of the text, and the changes to them.

    The changes are other counts, and new rows after a row.
    """

    rows: list[str]
    lines: Sequence[CheckedLine]
    known_cards: KnownCards
    counts: dict[int, int] = field(default_factory=dict)
    behind: dict[int, list[str]] = field(default_factory=dict)
    parts: dict[str, list[str]] = field(default_factory=dict)

    def count(self, line: CheckedLine) -> int:
        """Return how many copies the line has by now."""
        return self.counts.get(line.number, line.qty or 0)

    def find(self, zone: str, card: str | None = None) -> list[CheckedLine]:
        """Return the card lines of a zone, or those of one card in it."""
        cards = (line for line in self.lines if line.kind == "card" and line.zone == zone)
        return [line for line in cards if card in (None, line.printing_key, line.card_key)]

    def text(self) -> str:
        """Return the text as it becomes, with headings for parts that are new."""
        rows = [new for number, row in enumerate(self.rows, 1) for new in self._rewrite(number, row)]
        for zone, cards in self.parts.items():
            rows += ["", ZONE_HEADINGS[zone], *cards]
        return "\n".join(rows)

    def _rewrite(self, number: int, row: str) -> Iterator[str]:
        written_line = next(
            (line for line in self.lines if line.number == number and line.kind == "card"), None
        )
        if written_line is None or number not in self.counts:
            yield row
        elif self.counts[number]:
            yield write_count(row, written_line.qty or 0, self.counts[number])
        yield from self.behind.get(number, ())


def write_plan(
    text: str, parsed_deck: ParsedDeck, lines: Sequence[CheckedLine], catalogue: KnownCards, plan: Plan
) -> str:
    """Return the text after a plan, without what it declares.

    Raises CannotWrite for a text of another kind.
    """
    numbers = [line.number for line in lines if line.kind == "card"]
    if parsed_deck.format not in TYPED_FORMATS or len(set(numbers)) < len(numbers):
        raise CannotWrite
    draft = _TextDraft(text.removeprefix("\ufeff").splitlines(), lines, catalogue)
    for step in plan.steps:
        if step.card is None:
            continue
        if step.action in ("remove", "move"):
            _take(draft, step, step.card)
        if step.action in ("add", "move"):
            _put_card(draft, step, step.card)
    return _settle_counts(draft.text())


def _take(draft: _TextDraft, step: PlanStep, card: CardFacts) -> None:
    open_count = step.qty
    for line in reversed(draft.find(step.zone, card.key)):
        taken_count = min(open_count, draft.count(line))
        if taken_count:
            draft.counts[line.number] = draft.count(line) - taken_count
            open_count -= taken_count
    if open_count:
        raise CannotWrite


def _put_card(draft: _TextDraft, step: PlanStep, card: CardFacts) -> None:
    zone = step.target or step.zone
    there = [line for line in draft.find(zone, card.key) if draft.count(line)]
    if there:
        draft.counts[there[-1].number] = draft.count(there[-1]) + step.qty
        return
    row = f"{step.qty} {_label(draft, step, card)}"
    last = draft.find(zone)[-1:]
    if last:
        draft.behind.setdefault(last[0].number, []).append(row)
    else:
        draft.parts.setdefault(zone, []).append(row)


def _label(draft: _TextDraft, step: PlanStep, card: CardFacts) -> str:
    """Return what to write to get exactly this card: its name, else with its place."""
    known_label = next(
        (each for each in draft.known_cards.cards.values() if card.key in (each.key, *each.printings)), None
    )
    if known_label is None:
        raise CannotWrite
    places = (
        f"{known_label.label} ({place})" for key in known_label.printings if (place := known_label.place(key))
    )
    for label in (known_label.label, *places):
        if _names(draft.known_cards, label, known_label.key):
            return label
    raise CannotWrite


def _names(catalogue: KnownCards, label: str, card: str) -> bool:
    lines = parse(f"1 {label}").cards
    return len(lines) == 1 and catalogue.index.resolve(lines[0], SearchBudget(0)).card_key == card


def write_count(row: str, was: int, now: int) -> str:
    """Return the row with another number of copies.

    A row without a number gets it in front.
    """
    number = re.compile(rf"(?:(?<![\w.])|(?<=\b[xX])){was}(?=[xX×*]?(?:\W|$))")
    if number.search(row):
        return number.sub(str(now), row, count=1)
    return f"{now} {row.lstrip()}"


def _settle_counts(text: str) -> str:
    """Let headings and totals announce the number of cards that is there by now."""
    for _ in range(_MOST_COUNTS):
        answers = [
            answer
            for question in find_questions(parse(text), decode(text).text)
            for answer in question.answers
            if answer.code == "count"
        ]
        if not answers:
            break
        text = apply_edits(text, answers[0].edits)
    return text
