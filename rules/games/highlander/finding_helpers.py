"""Helpers to build findings and fixes from entries."""

from __future__ import annotations

from collections.abc import Iterable

from rules.deck import Deck, Entry
from rules.finding import Fix, MissingFact
from rules.fixes import Removal, remove_cards
from rules.games.highlander.deck_view import ViewedEntry
from rules.reason import Reason, reason
from rules.rule import Rule, missing_fact


def get_names(viewed_entries: Iterable[ViewedEntry]) -> tuple[str, ...]:
    """Return the names of the cards."""
    return tuple([entry.card.name for entry, _ in viewed_entries])


def get_entries(viewed_entries: Iterable[ViewedEntry]) -> list[Entry]:
    """Return the entries alone."""
    return [entry for entry, _ in viewed_entries]


def count_copies(viewed_entries: Iterable[ViewedEntry]) -> int:
    """Return how many cards these are."""
    return sum([entry.qty for entry, _ in viewed_entries])


def quantity_of(viewed_entries: list[ViewedEntry]) -> Reason:
    """Return how many cards these are, and of which names.

    It is for a message that names several.
    """
    return reason("quantity-of", qty=count_copies(viewed_entries), cards=get_names(viewed_entries))


def missing_facts(viewed_entries: Iterable[ViewedEntry], fact: str) -> list[MissingFact]:
    """Return the same fact, not known of several cards."""
    return [missing_fact(entry, fact) for entry, _ in viewed_entries]


def pick_removals(zone: str, viewed_entries: Iterable[ViewedEntry], qty: int | None = None) -> list[Removal]:
    """Return the last of these cards in a zone, so many of them (None: all)."""
    removals: list[Removal] = []
    open_count = qty
    for entry, _ in reversed(list(viewed_entries)):
        if open_count is not None and open_count <= 0:
            break
        number = entry.qty if open_count is None else min(open_count, entry.qty)
        open_count = None if open_count is None else open_count - number
        removals.append((zone, entry, number))
    return removals


def remove_entries(
    rule: Rule, deck: Deck, zone: str, viewed_entries: Iterable[ViewedEntry], qty: int | None = None
) -> Fix:
    """Take the last of these cards out of a zone."""
    return remove_cards(rule, deck, pick_removals(zone, viewed_entries, qty))
