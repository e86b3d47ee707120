"""The plan for a checked list, with the text that it makes of the list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from decks.checking.changes import ChangeWriter, ListChanges, TextChange, step_words
from decks.checking.plan_text import CannotWrite, write_plan
from decks.importers.pools import parse_list
from decks.matching.catalogue import KnownCards
from decks.matching.reading import ReadList, read_list, zone_label
from decks.shared.json_shapes import Published
from decks.shared.stated_reasons import StatedReason, state_reason
from rules import Deck, Format, judge_list
from rules.plan import Plan, PlanStep, apply_plan, make_plan
from rules.text import display_name

# The value that the buttons of a plan send as `plan`.
SHOW_PLAN = "show"
APPLY_PLAN = "apply"


@dataclass(frozen=True, slots=True)
class PlannedStep(Published):
    """One kind of change: copies of a card, or options that are declared otherwise."""

    action: str
    zone: str
    target: str
    qty: int
    card: str | None
    name: str
    lines: tuple[int, ...]
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class PlannedList(Published):
    """A plan, and the whole text after it.

    The text is None if the plan cannot be written into it. `step_changes` are its steps to press one by one,
    `sizes` the cards in each zone after all of them.
    """

    PUBLISHED = {
        "status": "status", "changes": "changes", "sentences": "stated_sentences", "note": "stated_note",
        "steps": "steps", "text": "text",
    }  # fmt: skip

    plan: Plan
    text: str | None = None
    step_changes: tuple[TextChange | None, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def status(self) -> str:
        return self.plan.status

    @property
    def changes(self) -> int:
        return self.plan.cost

    @property
    def sentences(self) -> tuple[str, ...]:
        return self.plan.sentences

    @property
    def headline(self) -> str:
        return self.plan.headline

    @property
    def note(self) -> str:
        return self.plan.note

    @property
    def stated_sentences(self) -> list[StatedReason]:
        """The steps, or why there is no plan, for programs and people."""
        return [state_reason(each, section=self.plan.section) for each in self.plan.reasons]

    @property
    def stated_note(self) -> StatedReason | None:
        """What to know of the plan, for programs and people."""
        note = self.plan.note_reason
        return state_reason(note, section="plan") if note else None

    @property
    def options(self) -> Mapping[str, object]:
        """Declarations that the plan sets besides changing the text."""
        return self.plan.options

    @property
    def steps_to_press(self) -> tuple[tuple[str, str, TextChange | None], ...]:
        """Each step in a sentence and as a button says it, with its change of the text."""
        changes = self.step_changes or (None,) * len(self.plan.steps)
        steps = zip(self.plan.steps, changes, strict=True)
        return tuple((step.sentence, step_words(step), change) for step, change in steps)

    @property
    def totals(self) -> tuple[str, ...]:
        """The cards in each zone after the plan: “60 main deck”."""
        return tuple(f"{cards} {zone_label(zone)}" for zone, cards in self.sizes.items() if cards)

    @property
    def steps(self) -> tuple[PlannedStep, ...]:
        return tuple(map(_to_planned_step, self.plan.steps))


def _to_planned_step(step: PlanStep) -> PlannedStep:
    card, name = (step.card.key, display_name(step.card)) if step.card else (None, "")
    return PlannedStep(step.action, step.zone, step.target, step.qty, card, name, step.lines, step.options)


def plan_list(
    read_lines: ReadList,
    catalogue: KnownCards,
    loaded_format: Format,
    *,
    writer: ChangeWriter | None,
    pool: str | bytes,
) -> PlannedList:
    """Return the plan for a list that was read.

    `writer` writes into its source where a plan may be written there. What is written is read and judged
    again: only a legal list of the planned cards is offered.
    """
    plan = make_plan(read_lines.written_list, loaded_format, catalogue.supply)
    if plan.status != "found":
        return PlannedList(plan)
    planned_deck = apply_plan(read_lines.written_list.deck(loaded_format.lists), plan)
    sizes = {zone: planned_deck.size(zone) for zone in loaded_format.game.zones}
    if writer is None:
        return PlannedList(plan, sizes=sizes)
    text = _write(plan, planned_deck, writer, loaded_format, pool)
    changes = [writer.write_step(number, step) for number, step in enumerate(plan.steps)]
    return PlannedList(plan, text, tuple(changes), sizes)


def _write(
    plan: Plan, planned_deck: Deck, writer: ChangeWriter, loaded_format: Format, pool: str | bytes
) -> str | None:
    """Return the text after the plan.

    None if it is not read as the planned list, or is not legal.
    """
    try:
        text = write_plan(writer.text, writer.parsed_deck, writer.lines, writer.known_cards, plan)
    except CannotWrite:
        return None
    again = read_list(parse_list(text, pool), writer.known_cards, options=planned_deck.options).written_list
    is_same = _count_cards(again.deck(loaded_format.lists)) == _count_cards(planned_deck)
    return text if is_same and judge_list(again, loaded_format).outcome == "legal" else None


class HasChanges(Protocol):
    """A checked list with what can be pressed."""

    @property
    def changes(self) -> ListChanges: ...
    @property
    def planned_list(self) -> PlannedList | None: ...


def find_change(checked_list: HasChanges, key: str) -> TextChange | None:
    """Return the change that was pressed: at a line, of a finding, or a plan step."""
    steps = checked_list.planned_list.step_changes if checked_list.planned_list else ()
    return next((each for each in steps if each and each.key == key), None) or checked_list.changes.find(key)


def _count_cards(deck: Deck) -> dict[tuple[str, str], int]:
    """Return how many cards of each name are in each zone."""
    counts: dict[tuple[str, str], int] = {}
    for zone, entry in deck.entries():
        place = (zone, display_name(entry.card))
        counts[place] = counts.get(place, 0) + entry.qty
    return counts
