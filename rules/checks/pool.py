"""Limited play: a list holds what its player opened or drafted."""

from __future__ import annotations

from collections.abc import Iterator

from ..deck import Deck, Entry
from ..finding import Finding
from ..fixes import Take, remove
from ..rule import Rule
from ..words import called, listed
from . import check


def _in_words(*, zones: tuple[str, ...] = ("main", "sideboard")) -> str:
    return "No card comes more often than in the player's own pool."


def _place(rule: Rule, entry: Entry) -> object:
    known = rule.lists.identity(entry.card)
    return (known.family, entry.card.key) if known.exact is None else known.exact


@check("within_pool", says=_in_words)
def within_pool(
    deck: Deck, rule: Rule, *, zones: tuple[str, ...] = ("main", "sideboard")
) -> Iterator[Finding]:
    """No card lies in the zones more often than in the recorded pool; a pool not recorded is pointed out."""
    if deck.pool is None:
        yield rule.warning(
            "pool-not-recorded", "The pool was not recorded, so the list is not held against it."
        )
        return
    opened: dict[object, int] = {}
    for entry in deck.zone("pool"):
        opened[_place(rule, entry)] = opened.get(_place(rule, entry), 0) + entry.qty
    beyond = _beyond(deck, rule, zones, opened)
    if beyond:
        entries = [entry for _, entry, _ in beyond]
        named = listed(f"{qty} {called(entry.card)}" for _, entry, qty in beyond)
        message = f"The list uses more than the pool holds: {named} too many."
        found = sum(qty for _, _, qty in beyond)
        fix = remove(rule, deck, beyond)
        yield rule.fault("not-in-pool", message, entries=entries, limit=0, found=found, fix=fix)


def _beyond(deck: Deck, rule: Rule, zones: tuple[str, ...], opened: dict[object, int]) -> list[Take]:
    """What the list holds beyond the pool; copies are granted to the main deck first."""
    left = dict(opened)
    beyond: list[Take] = []
    for zone, entry in deck.entries(zones):
        place = _place(rule, entry)
        extra = entry.qty - max(0, left.get(place, 0))
        left[place] = left.get(place, 0) - entry.qty
        if extra > 0:
            beyond.append((zone, entry, extra))
    return beyond
