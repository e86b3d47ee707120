"""Find the catalogue card for a written deck line, without guessing.

An identifier finds its card; where the rest of the line speaks of another, both are left open. A line that
names a printing ("SF03 15 Dark Hado") is met by that printing or by nothing. A name shared by several cards
gives a card of which only the common facts are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rules.deck import MAY_BE, CardFacts
from rules.lists import Lists
from rules.names import normalize_name, split_rank_marks


class WrittenCard(NamedTuple):
    """What a line says of its card; `line` is its number in the list."""

    name: str
    line: int
    card_id: str | None = None
    set_code: str | None = None
    number: str | None = None
    dots: int | None = None
    variant: str | None = None
    is_key_or_name: bool = False


class CardLookup:
    """The cards of a catalogue, to be found by identifier, printing or name."""

    def __init__(self, cards: Mapping[str, CardFacts], lists: Lists) -> None:
        self.cards = cards
        self.lists = lists
        self._by_name: dict[str, list[CardFacts]] = {}
        self._by_id = {key.casefold(): card for key, card in cards.items()}
        for card in cards.values():
            for name in {
                normalize_name(card.name),
                normalize_name(str(card.attributes.get("printed_name", card.name))),
            }:
                self._by_name.setdefault(name, []).append(card)

    def find(self, written: WrittenCard) -> CardFacts:
        """The card of a line; where the catalogue does not hold it, a missing one with the written name."""
        direct = self._by_id.get((written.card_id or "").casefold()) or self.cards.get(written.name)
        fitting = self._said_beside(written, direct) if direct else self._fitting(written)
        if not fitting:
            return CardFacts.missing(written.name)
        return _agreed(fitting) if self._is_one_card(fitting) else self._common(fitting, written)

    def _said_beside(self, written: WrittenCard, direct: CardFacts) -> list[CardFacts]:
        """The card of an identifier, with those that the rest of the line speaks of instead."""
        named = self._fitting(written._replace(card_id=None))
        is_one_word = written.is_key_or_name or not written.card_id
        if not named or (direct in named and not is_one_word):
            return [direct]
        return [direct, *(card for card in named if card is not direct)]

    def _fitting(self, written: WrittenCard) -> list[CardFacts]:
        """The cards with all that the line says; a name ending in a dot ("E.S.P.") is tried as it is."""
        if not written.name:
            placed = written.set_code is not None and written.number is not None
            return [card for card in self.cards.values() if placed and _fits(card, written, written.dots)]
        exact = [
            c for c in self._by_name.get(normalize_name(written.name), ()) if _fits(c, written, written.dots)
        ]
        if exact:
            return exact
        plain, marked = split_rank_marks(written.name)
        dots = marked if written.dots is None else written.dots
        return [card for card in self._by_name.get(normalize_name(plain), ()) if _fits(card, written, dots)]

    def _is_one_card(self, cards: Iterable[CardFacts]) -> bool:
        identities = self._identities(cards)
        return len(identities) == 1 or (None not in identities and len(set(identities)) == 1)

    def _identities(self, cards: Iterable[CardFacts]) -> list[object]:
        return [self.lists.identity(card).exact for card in cards]

    def _common(self, cards: list[CardFacts], written: WrittenCard) -> CardFacts:
        """What all these cards have in common, and how many different cards a line of it may hold."""
        first = cards[0].attributes
        shared = {
            fact: value
            for fact, value in first.items()
            if all(card.attributes.get(fact) == value for card in cards[1:])
        }
        identities = self._identities(cards)
        different = len({place for place in identities if place is not None}) + identities.count(None)
        shared[MAY_BE] = different
        return CardFacts(f"{written.name} (line {written.line})", cards[0].name, shared)


_OF_A_PRINTING = frozenset(
    ("set", "set_size", "number", "number_as_printed", "variant", "id", "rarity", "printed_name", "aliases")
)
"""Facts in which printings of one card may differ: a line that names none of them means any."""


def _agreed(cards: list[CardFacts]) -> CardFacts:
    """The first of several records of one card, without the facts that another of them contradicts."""
    first = cards[0]
    differing = {
        fact
        for fact, value in first.attributes.items()
        if fact not in _OF_A_PRINTING and any(card.attributes.get(fact, value) != value for card in cards)
    }
    if not differing:
        return first
    kept = {fact: value for fact, value in first.attributes.items() if fact not in differing}
    return CardFacts(first.key, first.name, kept)


def _fits(card: CardFacts, written: WrittenCard, dots: int | None) -> bool:
    """Whether the card has all that the line says of it; a fact the catalogue lacks does not fit."""
    wanted = {"set": written.set_code, "number": written.number, "variant": written.variant, "dots": dots}
    return all(
        _plain(card.attributes.get(fact)) == _plain(value)
        for fact, value in wanted.items()
        if value is not None
    )


def _plain(value: object) -> str:
    """Numbers are printed padded and with the size of the set in places: "073/143" is 73."""
    text = str(value).partition("/")[0].strip().casefold()
    return text.lstrip("0") or text
