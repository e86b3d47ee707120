"""Words in brackets after the names of cards, as the games declare them.

They are types of cards, and symbols.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from rules.library import Library, get_shipped_library


@dataclass(frozen=True, slots=True)
class ImporterMarks:
    """Marks after a name that are not part of it.

    Examples are `(Action)`, or `(fire, air)` with numbers.
    """

    types: re.Pattern[str]
    symbols: re.Pattern[str]


def get_name_marks() -> ImporterMarks:
    """Return the marks of all games that there are."""
    return _make(get_shipped_library())


@cache
def _make(library: Library) -> ImporterMarks:
    game_marks = [game.cards.name_marks for game in library.games]
    type_, symbol = _any(each.types for each in game_marks), _any(each.symbols for each in game_marks)
    return ImporterMarks(
        re.compile(rf"\s*[\[({{]\s*{type_}s?\s*[\])}}]$", re.IGNORECASE),
        re.compile(
            rf"\s*\(\s*{symbol}\b(?:\s*[,/]\s*{symbol}\b)*\s*\)(?:\s*[+-]?\d?[HML]?\s*-?\s.*)?$",
            re.IGNORECASE,
        ),
    )


def _any(words: Iterable[Iterable[str]]) -> str:
    """Return one of the words; nothing if there is none."""
    return f"(?:{'|'.join(sorted({re.escape(word) for each in words for word in each})) or '(?!)'})"
