"""Small pieces of sentences: counts, lists of names, a card as people call it."""

from __future__ import annotations

from collections.abc import Iterable

from .deck import CardFacts


def count(number: int, noun: str = "card") -> str:
    """Such as "1 card" or "2 cards"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(names: Iterable[str]) -> str:
    """Such as "A", "A and B" or "A, B and C"; a name that comes twice is said once."""
    said = list(dict.fromkeys(names))
    if len(said) < 2:
        return said[0] if said else ""
    return f"{', '.join(said[:-1])} and {said[-1]}"


def verb(names: Iterable[str], one: str, many: str) -> str:
    """The form of a verb that goes with so many different names: "is" or "are"."""
    return one if len(set(names)) == 1 else many


def called(card: CardFacts) -> str:
    """A card as people call it: its name, with its dots where it has any ("Ken ●●")."""
    dots = card.attributes.get("dots")
    return f"{card.name} {'●' * dots}" if type(dots) is int and dots > 0 else card.name
