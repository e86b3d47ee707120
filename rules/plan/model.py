"""A plan: the fewest changes that make a whole list legal.

They are steps to be put into words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from rules.deck import ZONES, CardFacts, Deck, Entry
from rules.reason import Reason, reason
from rules.rendering import render, say
from rules.text import display_name

Action = Literal["set", "move", "remove", "add"]

Status = Literal["found", "open", "none"]


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One kind of change.

    `qty` copies of a card are removed from, added to or moved out of `zone`. `target` is where moved cards
    go. `lines` are the lines that they are taken from. A step with the action "set" declares `options`
    instead, and `says` tells so.
    """

    action: Action
    zone: str = ""
    qty: int = 0
    card: CardFacts | None = None
    target: str = ""
    lines: tuple[int, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    says: Reason | None = None

    @property
    def cost(self) -> int:
        """How many changes the step counts for: one per copy, one a declaration."""
        return self.qty or 1

    @property
    def sentence(self) -> str:
        """The step alone, in words."""
        return render("fix", *_join_steps((self,)))

    def to_json(self) -> dict[str, object]:
        """Return the step for programs."""
        if self.action == "set":
            return {"action": "set", "options": dict(self.options)}
        target_field = {"target": self.target} if self.action == "move" else {}
        card = self.card.key if self.card else None
        name = display_name(self.card) if self.card else None
        step = {"action": self.action, "zone": self.zone, **target_field, "qty": self.qty, "card": card}
        return {**step, "name": name, "lines": list(self.lines)}


@dataclass(frozen=True, slots=True)
class Plan:
    """The result of the search for the fewest changes.

    `status` is "found", "open" (facts or answers are missing, so no list can be called legal) or "none":
    within `most` changes, or within the time of the search, there is no plan. With `is_choice`, other cards
    would have done as well in some step.
    """

    status: Status
    steps: tuple[PlanStep, ...] = ()
    is_choice: bool = False
    most: int = 0

    @property
    def cost(self) -> int:
        """How many changes the plan has."""
        return sum(step.cost for step in self.steps)

    @property
    def options(self) -> dict[str, object]:
        """All that the plan declares."""
        return {name: value for step in self.steps for name, value in step.options.items()}

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return the steps in words, or why there is no plan.

        Steps of one kind and zone are together.
        """
        return tuple(render(self.section, each) for each in self.reasons)

    @property
    def section(self) -> str:
        """The section of the messages in which `reasons` are."""
        return "fix" if self.status == "found" else "plan"

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The steps, those of one kind and zone together; or why there is no plan."""
        if self.status == "found":
            return tuple(_join_steps(self.steps))
        return (Reason("no-plan.open" if self.status == "open" else "no-plan", {"most": self.most}),)

    @property
    def headline(self) -> str:
        """How many changes there are, in words; empty without a plan."""
        return say("plan", "headline", changes=self.cost) if self.status == "found" else ""

    @property
    def note(self) -> str:
        """Return what to know about the plan, in words.

        Empty if there was nothing to choose.
        """
        return render("plan", self.note_reason) if self.note_reason else ""

    @property
    def note_reason(self) -> Reason | None:
        """What to know of the plan; None if there was nothing to choose."""
        return Reason("is-choice") if self.is_choice else None

    @property
    def lines(self) -> tuple[str, ...]:
        """The plan as lines of a text, the steps below its headline."""
        indent = "  " if self.headline else ""
        steps = (f"{indent}{each}" for each in (*self.sentences, self.note) if each)
        return (*((self.headline,) if self.headline else ()), *steps)

    def to_json(self) -> dict[str, object]:
        """Return the plan for programs, with its words."""
        return {
            "status": self.status,
            "changes": self.cost,
            "steps": [step.to_json() for step in self.steps],
            "sentences": list(self.sentences),
            "note": self.note,
        }


_CODES: Mapping[str, str] = {"move": "move", "remove": "remove", "add": "add-to-zone"}


def _join_steps(steps: Iterable[PlanStep]) -> Iterator[Reason]:
    together: dict[tuple[str, str, str], list[PlanStep]] = {}
    for step in steps:
        if step.says:
            yield step.says
        else:
            together.setdefault((step.action, step.zone, step.target), []).append(step)
    for (action, zone, target), alike in together.items():
        cards = tuple(
            reason("quantity", qty=each.qty, card=display_name(each.card)) for each in alike if each.card
        )
        yield Reason(_CODES[action], {"cards": cards, "zone": zone, "target": target})


def apply_plan(deck: Deck, plan: Plan) -> Deck:
    """Return the deck after all steps of a plan."""
    zones = {zone: list(getattr(deck, zone)) for zone in ZONES}
    options = dict(deck.options)
    for step in plan.steps:
        if step.card is None:
            options |= dict(step.options)
            continue
        if step.action in ("remove", "move"):
            zones[step.zone] = _without(zones[step.zone], step.card.key, step.qty)
        if step.action in ("add", "move"):
            place = step.target or step.zone
            zones[place] = _with(zones[place], step.card, step.qty)
    return replace(deck.with_zones(zones), options=options)


def take_from(entries: Iterable[Entry], card: str, qty: int) -> dict[int, int]:
    """Return how many copies of a card are taken from which entries, by place.

    The last entries are used first.
    """
    taken_counts: dict[int, int] = {}
    for place, entry in reversed(list(enumerate(entries))):
        number = min(qty, entry.qty) if entry.card.key == card else 0
        if number > 0:
            taken_counts[place] = number
            qty -= number
    return taken_counts


def _without(entries: list[Entry], card: str, qty: int) -> list[Entry]:
    taken_counts = take_from(entries, card, qty)
    entries_left = [
        replace(entry, qty=entry.qty - taken_counts.get(place, 0)) for place, entry in enumerate(entries)
    ]
    return [entry for place, entry in enumerate(entries_left) if entry.qty or place not in taken_counts]


def _with(entries: list[Entry], card: CardFacts, qty: int) -> list[Entry]:
    for place, entry in enumerate(entries):
        if entry.card.key == card.key:
            return [*entries[:place], replace(entry, qty=entry.qty + qty), *entries[place + 1 :]]
    return [*entries, Entry(card, qty)]
