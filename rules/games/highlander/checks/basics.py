"""The nine basic attacks and six basic blocks, with what Crystals put in their place (HL-L11, L12)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.checks import check
from rules.deck import Deck
from rules.finding import Change, Finding, Fix
from rules.rule import Rule
from rules.words import listed

from ..swaps import swaps
from ..table import table
from ..view import SLOT_WORDS


def _in_words(*, slots: tuple[str, ...], noun: str) -> str:
    return f"The deck holds at least one of each: {listed(SLOT_WORDS[slot] for slot in slots)}."


@check("highlander.basics", says=_in_words)
def basics(deck: Deck, rule: Rule, *, slots: tuple[str, ...], noun: str) -> Iterator[Finding]:
    """At least one card for each slot; a slot given away to a Crystal is filled by the card it names."""
    laid = table(deck, rule.lists)
    filled = laid.tally.slots
    if filled.issuperset(slots):
        return
    given_away = swaps(laid)
    filled = filled | {swap.slot for swap in given_away if swap.fills}
    lacking = [slot for slot in slots if slot not in filled]
    if not lacking:
        return
    names = listed(SLOT_WORDS[slot] for slot in lacking)
    message = f"The deck has no {names}; each of the {len(slots)} {noun} is needed."
    steps = tuple(Change("add", "main", 1, None, {"basic": slot}) for slot in lacking)
    fix = Fix(f"Add {names}.", steps)
    yield rule.fault("basic-missing", message, limit=len(slots), found=len(slots) - len(lacking), fix=fix)
