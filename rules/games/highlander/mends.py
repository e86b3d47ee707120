"""Small helpers for findings: who is concerned, what is not known, what would mend it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.deck import Deck, Entry
from rules.finding import Change, Fix, MissingFact
from rules.fixes import Take, remove
from rules.rule import Rule, missing_fact
from rules.words import listed, verb

from .table import Seat


def names(seats: Iterable[Seat]) -> str:
    """The cards in words, each once."""
    return listed(entry.card.name for entry, _ in seats)


def entries(seats: Iterable[Seat]) -> list[Entry]:
    """The entries alone."""
    return [entry for entry, _ in seats]


def total(seats: Iterable[Seat]) -> int:
    """How many cards these are."""
    return sum([entry.qty for entry, _ in seats])


def missing(seats: Iterable[Seat], fact: str) -> list[MissingFact]:
    """The same fact, not known of several cards."""
    return [missing_fact(entry, fact) for entry, _ in seats]


def takes(zone: str, seats: Iterable[Seat], qty: int | None = None) -> list[Take]:
    """The last of these cards in a zone, so many of them (None: all)."""
    found: list[Take] = []
    left = qty
    for entry, _ in reversed(list(seats)):
        if left is not None and left <= 0:
            break
        number = entry.qty if left is None else min(left, entry.qty)
        left = None if left is None else left - number
        found.append((zone, entry, number))
    return found


def take_out(rule: Rule, deck: Deck, zone: str, seats: Iterable[Seat], qty: int | None = None) -> Fix:
    """Take the last of these cards out of a zone."""
    return remove(rule, deck, takes(zone, seats, qty))


def set_option(sentence: str, options: Mapping[str, object]) -> Fix:
    """Declare something else with the list."""
    return Fix(sentence, (Change("set", "main", 0, None, options),))


def is_or_are(seats: Iterable[Seat], one: str = "", many: str = "") -> str:
    """The verb that fits these cards, with what is said of one card or of many."""
    form = verb([entry.card.name for entry, _ in seats], f"is {one}", f"are {many}")
    return form.rstrip()
