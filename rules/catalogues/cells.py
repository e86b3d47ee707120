"""A cell of a table, or a property of an OCTGN card, as the kind of value that the fact has."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

NUMBERS = frozenset(
    {"dots", "set_size", "vitality", "hand_size", "restriction", "hand_icons", "lowers_minimum", "bp", "sp"}
)
TRUTHS = frozenset({"unique", "infinity", "off_hand", "must_pair", "standalone", "is_deck_card"})
LISTS = frozenset(
    {
        "keywords", "split", "symbols", "character_only", "titles", "groups", "admits", "forbids_titles",
        "aliases",
    }
)  # fmt: skip
TEXT = frozenset(
    {
        "name", "title", "printed_name", "key", "id", "text", "rules", "set", "set_name", "note", "number",
        "number_as_printed", "variant", "type", "ability", "ability_name", "illustrator",
    }
)  # fmt: skip
OBJECTS = frozenset({"gems", "external_ids", "backups"})
_NAMELESS_LISTS = frozenset({"symbols", "keywords", "groups"})
"""Lists of words without commas of their own, so that a comma parts them as well."""

_YES, _NO = {"true", "yes", "1", "y"}, {"false", "no", "0", "n"}
_WHOLE = re.compile(r"\d{1,6}", re.ASCII)
_PARTS = re.compile(r"[;|]")
_PARTS_OF_SPLIT = re.compile(r"[;|/]")
_PARTS_OF_WORDS = re.compile(r"[;|,]")


def reader_of(name: str) -> Callable[[str], Any] | None:
    """What makes the value of a cell that is not empty, or None where it is no value of the fact `name`.

    No reader at all: the fact is text, and every cell stays as it is.
    """
    if name in NUMBERS:
        return _number
    if name in TRUTHS:
        return _truth
    if name in TEXT:
        return None
    if name in LISTS:
        return partial(_list, name)
    return partial(_any, name)


def _number(cell: str) -> int | None:
    return int(cell) if _WHOLE.fullmatch(cell) else None


def _truth(cell: str) -> bool | None:
    word = cell.casefold()
    return True if word in _YES else False if word in _NO else None


def _list(name: str, cell: str) -> Any:
    if cell[0] in "[{":
        return _json(name, cell)
    return [part.strip() for part in _separator(name, cell).split(cell) if part.strip()]


def _any(name: str, cell: str) -> Any:
    if cell[0] in "[{":
        return _json(name, cell)
    return int(cell) if cell.isdecimal() and _WHOLE.fullmatch(cell) else cell


def _separator(name: str, cell: str) -> re.Pattern[str]:
    if name == "split":
        return _PARTS_OF_SPLIT
    return _PARTS_OF_WORDS if name in _NAMELESS_LISTS and not _PARTS.search(cell) else _PARTS


def _json(name: str, cell: str) -> Any:
    """JSON where the cell holds it; a text that merely begins like it stays text where text may stand."""
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return None if name in OBJECTS | LISTS else cell
