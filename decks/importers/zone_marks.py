"""A zone that stands beside a card instead of above it: `1 Foo [Sideboard]`, `1 Foo [Maybe{noDeck}]`."""

from __future__ import annotations

import re
from typing import NamedTuple

from decks.importers.names import fold

_MARK = re.compile(r"\s[\[(]([A-Za-z][^\[\]()]{0,60})[\])]")
_ANY = re.compile(r"[\[(,]\s*(?:main|side|sb|maybe|considering)|\{nodeck", re.IGNORECASE)
_FLAGS = re.compile(r"\{[^{}]*\}")
_ZONES = {
    "main": "main",
    "mainboard": "main",
    "maindeck": "main",
    "side": "sideboard",
    "sideboard": "sideboard",
    "sidedeck": "sideboard",
    "sb": "sideboard",
    "maybe": "aside",
    "maybeboard": "aside",
    "considering": "aside",
}


class Marked(NamedTuple):
    """A line without its zone mark, the zone, and the mark as it was written."""

    text: str
    zone: str
    mark: str


def take_zone_mark(text: str) -> Marked | None:
    """The line without the mark that names its zone, or None where no mark does.

    Of several categories in one mark any may name the zone; `{noDeck}` sets the card aside.
    """
    if not _ANY.search(text):
        return None
    for found in _MARK.finditer(text, text.rfind('"') + 1):
        if zone := _zone(found[1]):
            rest = text[: found.start()] + text[found.end() :]
            return Marked(rest.strip(), zone, found[0].strip())
    return None


def _zone(words: str) -> str | None:
    if "{nodeck}" in words.lower():
        return "aside"
    parts = _FLAGS.sub("", words).split(",")
    return next(
        (zone for part in parts if (zone := _ZONES.get(fold(part.strip()) if part.strip() else ""))), None
    )
