"""The cards that a plan may add.

They are those of a catalogue that have the facts requested.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import islice

from rules.card_match import match_card
from rules.deck import UNKNOWN, CardFacts
from rules.names import normalize_name

Wanted = Mapping[str, object]

# If more cards fit, only the first ones are considered.
MOST_FOUND = 64

# Wanted of a fact: whatever it is, as long as it says something.
ANYTHING = "*"

_WORD = re.compile(r"[\w'-]+")


class CardSupply:
    """The cards of a catalogue, found by facts; what was found once is remembered."""

    def __init__(self, cards: Callable[[], Iterable[CardFacts]] | None = None) -> None:
        # Called by each search. Most searches end early, and a catalogue may have thousands of cards.
        self._load = cards or tuple
        self._matches: dict[tuple[tuple[str, str], ...], tuple[CardFacts, ...]] = {}

    @classmethod
    def of(cls, cards: Iterable[CardFacts]) -> CardSupply:
        """Return a supply of these cards."""
        all_cards = tuple(cards)
        return cls(lambda: all_cards)

    def find(self, wanted_card: Wanted) -> tuple[CardFacts, ...]:
        """Return the first cards that have all facts wanted."""
        place = tuple((fact, repr(value)) for fact, value in wanted_card.items())
        stored_cards = self._matches.get(place)
        if stored_cards is None:
            fitting = (card for card in self._load() if fits(card, wanted_card))
            stored_cards = self._matches[place] = tuple(islice(fitting, MOST_FOUND))
        return stored_cards


def fits(card: CardFacts, wanted_card: Wanted) -> bool:
    """Return whether a card is known to have all facts wanted.

    A type is wanted by words of the type line; where a card has several values of a fact, one is enough.
    """
    return all(_fits_fact(card, fact, value) for fact, value in wanted_card.items())


def _fits_fact(card: CardFacts, fact: str, value: object) -> bool:
    card_value = card.name if fact == "name" else card.get(fact)
    if card_value is UNKNOWN:
        return fact == "title" and _is_same(card.name, value)
    if value == ANYTHING:
        return bool(card_value)
    if fact == "type":
        return f" {_words(str(value))} " in f" {_words(str(card_value))} "
    if isinstance(card_value, list | tuple):
        return any(_is_same(each, value) for each in card_value)
    return match_card(card, {fact: value}) == "yes"


def _is_same(one: object, other: object) -> bool:
    return normalize_name(str(one)) == normalize_name(str(other))


@lru_cache(maxsize=1024)
def _words(line: str) -> str:
    return " ".join(_WORD.findall(line.casefold()))
