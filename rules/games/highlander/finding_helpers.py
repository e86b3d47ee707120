"""Helpers to build findings and fixes from entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.deck import Deck, Entry
from rules.finding import Change, Fix, MissingFact
from rules.fixes import Removal, remove_cards
from rules.games.highlander.deck_view import ViewedEntry
from rules.rule import Rule, missing_fact
from rules.text import choose_plural, join_list


def join_names(viewed_entries: Iterable[ViewedEntry]) -> str:
    """The cards in words, each once."""
    return join_list(entry.card.name for entry, _ in viewed_entries)


def get_entries(viewed_entries: Iterable[ViewedEntry]) -> list[Entry]:
    """The entries alone."""
    return [entry for entry, _ in viewed_entries]


def count_copies(viewed_entries: Iterable[ViewedEntry]) -> int:
    """How many cards these are."""
    return sum([entry.qty for entry, _ in viewed_entries])


def missing_facts(viewed_entries: Iterable[ViewedEntry], fact: str) -> list[MissingFact]:
    """The same fact, not known of several cards."""
    return [missing_fact(entry, fact) for entry, _ in viewed_entries]


def pick_removals(zone: str, viewed_entries: Iterable[ViewedEntry], qty: int | None = None) -> list[Removal]:
    """The last of these cards in a zone, so many of them (None: all)."""
    removals: list[Removal] = []
    left = qty
    for entry, _ in reversed(list(viewed_entries)):
        if left is not None and left <= 0:
            break
        number = entry.qty if left is None else min(left, entry.qty)
        left = None if left is None else left - number
        removals.append((zone, entry, number))
    return removals


def remove_entries(
    rule: Rule, deck: Deck, zone: str, viewed_entries: Iterable[ViewedEntry], qty: int | None = None
) -> Fix:
    """Take the last of these cards out of a zone."""
    return remove_cards(rule, deck, pick_removals(zone, viewed_entries, qty))


def set_option(sentence: str, options: Mapping[str, object]) -> Fix:
    """Declare something else with the list."""
    return Fix(sentence, (Change("set", "main", 0, None, options),))


def choose_is_or_are(viewed_entries: Iterable[ViewedEntry], one: str = "", many: str = "") -> str:
    """The verb that fits these cards, with what is said of one card or of many."""
    form = choose_plural([entry.card.name for entry, _ in viewed_entries], f"is {one}", f"are {many}")
    return form.rstrip()
