"""Changes of a list that a person can press.

They are cards to use, fixes of findings, and steps of a plan.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext, ngettext

from decks.checking.plan_text import TYPED_FORMATS, CannotWrite, write_plan
from decks.importers.answers import LineEdit, apply_edits, find_edits
from decks.importers.model import ParsedDeck
from decks.importers.parsing import parse
from decks.importers.pools import pool_offset
from decks.matching.catalogue import KnownCards
from decks.matching.model import SearchBudget
from decks.matching.reading import CheckedLine, LineSuggestion
from rules.deck import CardFacts, Deck
from rules.finding import Finding, Fix, Verdict
from rules.plan import Plan, PlanStep

LONGEST_EDITS = 4_000
MOST_AT_A_LINE = 6


@dataclass(frozen=True, slots=True)
class TextChange:
    """A change to press.

    Holds its key for the server, its words, and what it does in the field `text` or `pool`. `label` says all
    of it, and `values` are what it writes into other fields. A change that `is_certain` is the only right
    one; of others, the player chooses. One that `is_whole` has no parts to press: it sets the count of a
    heading too.
    """

    key: str
    words: str
    edits: tuple[LineEdit, ...]
    field: str = "text"
    label: str = ""
    is_certain: bool = False
    values: Mapping[str, str] = dataclasses.field(default_factory=dict)
    is_whole: bool = False

    @property
    def parts(self) -> tuple[TextChange, ...]:
        """The change line by line, where each of its lines says enough alone."""
        is_whole = self.is_whole or bool(self.values) or len(self.edits) < 2
        if is_whole or any("\n" in (edit.now or "") for edit in self.edits):
            return (self,)
        return tuple(
            replace(self, key=f"{self.key}:{edit.line}", words=_words_of((edit,)), edits=(edit,), label="")
            for edit in self.edits
        )

    @property
    def edits_json(self) -> str:
        """Return the change for the page's script.

        Empty if it is so large that the server makes it.
        """
        edits = json.dumps([{"line": edit.line, "was": edit.was, "now": edit.now} for edit in self.edits])
        return edits if len(edits) <= LONGEST_EDITS else ""


@dataclass(frozen=True, slots=True)
class ListChanges:
    """The changes that a list offers.

    Cards are held by the number of their line, fixes by the rule of their finding. A list that came as a file
    is changed in `typed_text`, its copy; `numbers` has the lines of the copy for each line of the file.
    """

    cards: Mapping[int, tuple[TextChange, ...]] = field(default_factory=dict)
    fixes: Mapping[str, TextChange] = field(default_factory=dict)
    typed_text: str | None = None
    numbers: Mapping[int, frozenset[int]] = field(default_factory=dict)

    def apply(self, change: TextChange, text: str) -> str:
        """Return the text with a change in it: the list as it came, or its typed copy."""
        return apply_edits(text if self.typed_text is None else self.typed_text, change.edits)

    def get_lines(self, number: int) -> frozenset[int]:
        """Return the lines that changes write for a line of the list as it came."""
        return frozenset({number}) if self.typed_text is None else self.numbers.get(number, frozenset())

    def get_cards(self, number: int) -> tuple[TextChange, ...]:
        """Return the cards that a line of the list as it came may name."""
        return tuple(each for line in sorted(self.get_lines(number)) for each in self.cards.get(line, ()))

    def find(self, key: str) -> TextChange | None:
        """Return the change of that key."""
        every = [change for changes in self.cards.values() for change in changes]
        parts = [part for fix in self.fixes.values() for part in fix.parts]
        return next((each for each in (*every, *self.fixes.values(), *parts) if each.key == key), None)


WriteOptions = Callable[[Mapping[str, object]], Mapping[str, str] | None]
"""What writes declared options into fields of a form; None where it has no field for them."""


@dataclass(frozen=True, slots=True)
class ChangeWriter:
    """Writes changes into one list as it was read: `text` and `pool` are its source."""

    text: str
    pool: str
    parsed_deck: ParsedDeck
    lines: Sequence[CheckedLine]
    known_cards: KnownCards
    deck: Deck
    write_options: WriteOptions | None = None

    def list_changes(self, verdict: Verdict) -> ListChanges:
        """Return the cards that each unclear line may name.

        The fixes of the findings are returned too.
        """
        unclear = [line for line in self.lines if line.suggestions and not line.is_question]
        cards = {line.number: tuple(self._cards(line)) for line in unclear if self._is_typed}
        fixes = (
            (finding.rule, self._fix(finding, is_alternative=finding.rule in verdict.alternatives))
            for finding in verdict.findings
            if finding.fix
        )
        return ListChanges(cards, {rule: change for rule, change in fixes if change})

    def write_step(self, number: int, step: PlanStep) -> TextChange | None:
        """Return one step of a plan, where the text can say it."""
        edits = self._edits((step,)) if step.card else ()
        values = self._values(step.options)
        if not (edits or values):
            return None
        words = step_words(step)
        return TextChange(f"plan:{number}", words, edits, label=step.sentence, is_certain=True, values=values)

    def _cards(self, line: CheckedLine) -> Iterator[TextChange]:
        offset = 0 if line.number <= len(self._rows("text")) else self._pool_offset()
        where = "pool" if offset else "text"
        rows = self._rows(where)
        if not 0 < line.number - offset <= len(rows):
            return
        row = rows[line.number - offset - 1]
        suggestions_by_label = {each.label: each for each in line.suggestions}
        is_certain = len(suggestions_by_label) == 1 and line.status != "ambiguous"
        for place, suggestion in enumerate(list(suggestions_by_label.values())[:MOST_AT_A_LINE]):
            label, now = _use_card(row, line, suggestion, self.known_cards)
            if now != row:
                edit = LineEdit(line.number - offset, row, now)
                words = gettext("Line %(line)s: %(text)s") % {"line": line.number, "text": now.strip()}
                key = f"card:{line.number}:{place}"
                yield TextChange(key, label, (edit,), where, words, is_certain)

    def _fix(self, finding: Finding, *, is_alternative: bool) -> TextChange | None:
        fix = finding.fix
        if fix is None:
            return None
        edits = self._edits(tuple(_to_steps(fix, self.deck)))
        set_options = [each.wanted_facts or {} for each in fix.changes if each.action == "set"]
        options = {name: value for each in set_options for name, value in each.items()}
        values = self._values(options)
        if not (edits or values) or (options and not values):
            return None
        key, is_certain = f"fix:{finding.rule}", bool(finding.cards or values) and not is_alternative
        words = _words_of(edits) if edits else declare_words(options)
        card_lines = {line.number for line in self.lines if line.kind == "card"}
        is_whole = any(edit.line not in card_lines for edit in edits)
        return TextChange(key, words, edits, "text", fix.sentence, is_certain, values, is_whole)

    def _values(self, options: Mapping[str, object]) -> Mapping[str, str]:
        """Return the options as values of fields; none if there are no fields for them."""
        if not options or None in options.values() or self.write_options is None:
            return {}
        return self.write_options(options) or {}

    @property
    def _is_typed(self) -> bool:
        return self.parsed_deck.format in TYPED_FORMATS

    def _edits(self, steps: tuple[PlanStep, ...]) -> tuple[LineEdit, ...]:
        if not steps:
            return ()
        try:
            after = write_plan(
                self.text, self.parsed_deck, self.lines, self.known_cards, Plan("found", steps)
            )
        except CannotWrite:
            return ()
        return find_edits(self.text, after)

    def _rows(self, where: str) -> list[str]:
        return (self.pool if where == "pool" else self.text).removeprefix("\ufeff").splitlines()

    def _pool_offset(self) -> int:
        return pool_offset(parse(self.text)) if self.pool.strip() else 0


def step_words(step: PlanStep) -> str:
    """Return a step as a button says it; its card is beside it."""
    if step.action == "set":
        return declare_words(step.options)
    if step.action == "remove":
        return ngettext("Remove %(number)s", "Remove %(number)s", step.qty) % {"number": step.qty}
    if step.action == "add":
        return ngettext("Add %(number)s", "Add %(number)s", step.qty) % {"number": step.qty}
    return ngettext("Move %(number)s", "Move %(number)s", step.qty) % {"number": step.qty}


def declare_words(options: Mapping[str, object]) -> str:
    """Return the words of a button that declares something."""
    values = [value for value in options.values() if isinstance(value, str)]
    if len(values) == len(options) == 1:
        return gettext("Declare %(value)s") % {"value": values[0]}
    return gettext("Apply fix")


def _words_of(edits: Sequence[LineEdit]) -> str:
    if len(edits) > 1:
        return gettext("Apply fix")
    now = edits[0].now if edits else None
    return gettext("Remove line") if now is None else now.strip() if "\n" not in now else gettext("Apply fix")


def _use_card(
    row: str, line: CheckedLine, suggestion: LineSuggestion, catalogue: KnownCards
) -> tuple[str, str]:
    """Return what to call the suggested card, and the row with it.

    As it is where it is not read as that card.
    """
    card = catalogue.cards.get(suggestion.card_key)
    for label in dict.fromkeys((card.label if card else suggestion.label, suggestion.label)):
        now = next(
            (each for each in _rows_with(label, row, line) if _is_read_as(each, line, suggestion, catalogue)),
            row,
        )
        if now != row:
            return label, now
    return suggestion.label, row


def _rows_with(label: str, row: str, line: CheckedLine) -> Iterator[str]:
    """Yield the row with another card in it.

    The first has its own signs around the name.
    """
    for name in filter(None, (line.name, line.name.rstrip("● "))):
        if name in row:
            yield row.replace(name, label, 1)
    quantities = {line.qty, line.other_qty} if line.qty else {1}
    yield from (f"{qty} {label}" for qty in sorted(filter(None, quantities)))


def _is_read_as(row: str, line: CheckedLine, suggestion: LineSuggestion, catalogue: KnownCards) -> bool:
    cards = parse(row).cards
    if len(cards) != 1 or (line.qty and cards[0].qty not in (line.qty, line.other_qty)):
        return False
    return catalogue.index.resolve(cards[0], SearchBudget(0)).card_key == suggestion.card_key


def _to_steps(fix: Fix, deck: Deck) -> Iterator[PlanStep]:
    """Yield what a fix says of certain cards, as steps.

    A change that leaves the card open is for the player.
    """
    cards: dict[str, CardFacts] = {entry.card.key: entry.card for _, entry in deck.entries()}
    for change in fix.changes:
        if change.card in cards and change.action != "set":
            yield PlanStep(change.action, change.zone, change.qty, cards[change.card])
