"""Text helpers: joined lists, display names, truncation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rules.reason import Reason, reason

if TYPE_CHECKING:
    from rules.deck import CardFacts, Entry

HEAD_LENGTH, TAIL_LENGTH = 20, 19


def truncate(value: object) -> str:
    """Return the text of a value, at most 40 characters long.

    A longer text is returned without its middle.

    >>> truncate(1234), truncate("7" * 300)
    ('1234', '77777777777777777777…7777777777777777777')
    """
    text = str(value)
    if len(text) <= HEAD_LENGTH + 1 + TAIL_LENGTH:
        return text
    return f"{text[:HEAD_LENGTH]}…{text[-TAIL_LENGTH:]}"


def join_list(names: Iterable[str], word: str = "and") -> str:
    """Join names as "A", "A and B" or "A, B and C"; say a name that comes twice once."""
    distinct = list(dict.fromkeys(names))
    if len(distinct) < 2:
        return distinct[0] if distinct else ""
    return f"{', '.join(distinct[:-1])} {word} {distinct[-1]}"


def display_name(card: CardFacts) -> str:
    """Return a card as people call it.

    It is its name, with its dots if it has any ("Ken ●●").
    """
    return mark_rank(card.name, card.attributes.get("dots"))


def mark_rank(name: str, dots: object) -> str:
    """Return a name with as many round marks as `dots` says.

    The plain name is returned if it gives no number.
    """
    return f"{name} {'●' * dots}" if type(dots) is int and dots > 0 else name


def display_names(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Return the cards of entries as people call them."""
    return tuple([display_name(entry.card) for entry in entries])


def card_names(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Return the names of the cards of entries."""
    return tuple([entry.card.name for entry in entries])


def zone_reasons(zones: Iterable[str]) -> tuple[Reason, ...]:
    """Return parts of a list, for a message that names several."""
    return tuple(reason("zone", zone=zone) for zone in zones)
