"""From tournament.selectors.screen."""

from __future__ import annotations

from unicodedata import east_asian_width

LONGISH, LONG, LONGER, LONGEST = 15, 20, 30, 56


WIDE = frozenset("WF")


def length_class(name: str) -> str:
    """How small a name must be set to stand in a row: characters of East Asia count double."""
    width = sum(2 if east_asian_width(sign) in WIDE else 1 for sign in name)
    steps = ((LONGEST, "is-longest"), (LONGER, "is-longer"), (LONG, "is-long"), (LONGISH, "is-longish"))
    return next((look for limit, look in steps if width > limit), "")
