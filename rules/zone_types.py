"""The types of cards that each part of a list may have, by the data of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rules.names import normalize_name

_PARTS = re.compile(r"[:,(/]")


class ZoneTypes:
    """The zones of each type of card.

    A type line is known by its first part: "Situation: Watcher" is a situation. A part of several words is
    known as a whole, else by its longest beginning, else by its longest end: "Pre-Game Watcher" begins with
    "pre-game", a "Ranged Attack" ends with "attack".
    """

    def __init__(self, types: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self.types = dict(types or {})
        self._zones: dict[str, frozenset[str]] = {}
        self._zones_by_type: dict[str, frozenset[str] | None] = {}
        for zone, names in self.types.items():
            for name in map(normalize_name, names):
                self._zones[name] = self._zones.get(name, frozenset()) | {zone}

    def find_zones(self, type_line: object) -> frozenset[str] | None:
        """Return the zones in which cards of a type may be.

        None if the type is not known.
        """
        if not isinstance(type_line, str):
            return None
        if type_line not in self._zones_by_type:
            names = _names(normalize_name(_PARTS.split(type_line)[0]))
            self._zones_by_type[type_line] = next(
                (self._zones[name] for name in names if name in self._zones), None
            )
        return self._zones_by_type[type_line]


def _names(part: str) -> Iterator[str]:
    words = part.split()
    yield from (" ".join(words[:end]) for end in range(len(words), 0, -1))
    yield from (" ".join(words[start:]) for start in range(1, len(words)))
