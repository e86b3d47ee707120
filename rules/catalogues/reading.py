"""Which kind of catalogue a file is: its content decides, never its name."""

from __future__ import annotations

from collections.abc import Callable

from . import json_file, octgn_set, package, table
from .model import Content

_CARDS_WITHIN = 4_000


def read(data: bytes | str, decode: Callable[[bytes | str], str]) -> Content:
    """The records of a catalogue file: JSON, table, OCTGN set, or a package of these.

    `decode` turns the bytes of one file into text; what it raises is passed on. Raises UnreadableCatalogue
    when no card can be taken from the file.
    """
    if isinstance(data, bytes) and package.is_package(data):
        return package.read(data, lambda member: _member(decode(member)))
    return read_text(decode(data))


def read_text(text: str) -> Content:
    """The records of a single file that is no package."""
    start = text.lstrip()[:1]
    if start and start in "{[":
        return json_file.read(text)
    return octgn_set.read(text) if start == "<" else table.read(text)


def _member(text: str) -> Content | None:
    """The content of one file of a package; None where it is none that holds cards."""
    start = text.lstrip()[:1]
    if start == "<":
        try:
            return octgn_set.read(text)
        except octgn_set.NotASet:
            return None
    if start == "{":
        return json_file.read(text) if '"cards"' in text[:_CARDS_WITHIN] else None
    return table.read(text) if _is_card_table(text) else None


def _is_card_table(text: str) -> bool:
    """Whether the first line names columns: a name, and something that only cards have."""
    first = text.lstrip("\r\n ").splitlines()[:1]
    if not first or len(first[0]) > _CARDS_WITHIN:
        return False
    delimiter = max("\t;,", key=first[0].count)
    columns = set(table.header_of(first[0], delimiter))
    return bool({"name", "title"} & columns and {"set", "type", "number", "imagefile"} & columns)
