"""One plan for a whole list.

It has the fewest changes that make the list legal, and is judged again before it is shown.

    from rules.plan import CardSupply, make_plan

    plan = make_plan(written, format, CardSupply.of(cards))
    plan.sentences       # "Remove 2 Kubi Ori from the main deck.", …
    apply_plan(deck, plan)

Which cards let others in and what a list may declare instead is in the table `plan` of a game's data.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.deck import Deck
from rules.formats import Format
from rules.judge import WrittenList
from rules.legality import check_deck
from rules.plan.bounds import Move
from rules.plan.model import Plan, PlanStep, apply_plan, take_from
from rules.plan.remedies import RemedyFinder
from rules.plan.search import PlanSearch
from rules.plan.supply import CardSupply

__all__ = ["CardSupply", "Plan", "PlanStep", "apply_plan", "make_plan", "plan_deck"]

MOST_CHANGES = 24
# So that a plan takes some fifty milliseconds at most, found or not.
MOST_JUDGED = 250

_ORDER = ("set", "move", "remove", "add")


def make_plan(written_list: WrittenList, format: Format, supply: CardSupply | None = None) -> Plan:
    """Return the plan for a list as it was written.

    `supply` has the cards that may be added.
    """
    if written_list.is_open or written_list.open_parts or written_list.missing_counts:
        return Plan("open")
    if any(entry.other_qty is not None for entry in written_list.entries):
        return Plan("open")
    return plan_deck(written_list.deck(format.lists), format, supply)


def plan_deck(
    deck: Deck,
    format: Format,
    supply: CardSupply | None = None,
    *,
    most: int = MOST_CHANGES,
    most_judged: int = MOST_JUDGED,
) -> Plan:
    """Return the plan for a deck that is not legal.

    A deck that is legal gets one without steps.
    """
    verdict = check_deck(deck, format)
    if any(finding.severity == "unknown" for finding in verdict.findings):
        return Plan("open")
    finder = RemedyFinder(format, supply or CardSupply())
    moves = PlanSearch(deck, format, finder, most=most, most_judged=most_judged).run()
    if moves is not None:
        plan = Plan("found", _to_steps(deck, moves), any(move.is_choice for move in moves), most)
        if check_deck(apply_plan(deck, plan), format).outcome == "legal":
            return plan
    return Plan("none", most=most)


def _to_steps(deck: Deck, moves: Iterable[Move]) -> tuple[PlanStep, ...]:
    """Return the moves in order, those of one card and kind together."""
    together: dict[tuple[str, str, str, str], list[Move]] = {}
    for move in sorted(moves, key=lambda each: _ORDER.index(each.action)):
        key = move.card.key if move.card else repr(move.options)
        together.setdefault((move.action, move.zone, move.target, key), []).append(move)
    return tuple(_to_step(deck, alike) for alike in together.values())


def _to_step(deck: Deck, alike: list[Move]) -> PlanStep:
    move = alike[0]
    if move.card is None:
        return PlanStep("set", options=move.options, says=move.says)
    entries = deck.zone(move.zone)
    taken_counts = take_from(entries, move.card.key, len(alike)) if move.action != "add" else {}
    lines = sorted(line for place in taken_counts if (line := entries[place].line) is not None)
    return PlanStep(move.action, move.zone, len(alike), move.card, move.target, tuple(lines))
