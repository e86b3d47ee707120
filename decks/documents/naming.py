"""Cards as documents name them: name, rank dots, set, number and size of the set."""

from __future__ import annotations

import re

from decks.documents.model import Named
from rules.names import without_rank

# "● Taki ● SC01 073/143": the name is short, then set and number follow. Dots may stray in between.
_CARD = re.compile(
    r"(?P<name>\S(?:.{0,70}?\S)??)\s+(?P<set>[A-Z][A-Z0-9]{1,5}|\d{4})"
    r"\s+(?P<stray>[●•·]*)\s*(?P<number>\d{1,4})\s?/\s?(?P<size>\d{1,4})"
)
_AND = re.compile(r"^\s*(?:,|,?\s+and|&|;)\s+", re.IGNORECASE)
_BULLET = re.compile(r"^(?:[-–—*]|\d+[.)])\s+")
MOST_WORDS = 9


def cards_at_start(text: str) -> tuple[tuple[Named, ...], str]:
    """The cards that a text begins with, joined by "and" or commas, and what stands behind them."""
    found: list[Named] = []
    rest = text
    while match := _CARD.match(rest):
        card = _named(match)
        if card is None:
            break
        found.append(card)
        behind = rest[match.end() :]
        joint = _AND.match(behind)
        if joint is None or not _CARD.match(behind[joint.end() :]):
            return tuple(found), behind.strip()
        rest = behind[joint.end() :]
    return tuple(found), rest.strip() if not found else ""


def card_of_line(line: str) -> Named | None:
    """The one card that a line of a list names, whole; None for any other line."""
    text = without_bullet(line)
    match = _CARD.fullmatch(text)
    return _named(match) if match else None


def names_a_card(text: str) -> bool:
    """Whether a card with set and number stands anywhere in a text."""
    return _CARD.search(text) is not None


def without_bullet(line: str) -> str:
    """A line of a list without the sign before it; rank dots are none."""
    return _BULLET.sub("", line.strip())


def _named(match: re.Match[str]) -> Named | None:
    written = match["name"]
    if len(written.split()) > MOST_WORDS:
        return None
    name, dots = without_rank(written)
    # A full stop at the end belongs to names such as "E.S.P."; only round marks are dots here.
    if not any(mark in written for mark in "●•·"):
        name, dots = written, None
    return Named(name, match["set"], int(match["number"]), int(match["size"]), dots, len(match["stray"]))
