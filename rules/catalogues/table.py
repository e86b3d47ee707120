"""Catalogues as tables: CSV with commas or semicolons, and the tab-separated card data of LackeyCCG."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .cells import reader_of
from .model import MOST_RECORDS, Content, Problem, Record, UnreadableCatalogue, too_many_records

OTHER_NAMES = {
    "card_name": "name",
    "cardname": "name",
    "card_title": "title",
    "collector_number": "number",
    "collectornumber": "number",
    "card_number": "number",
    "set_code": "set",
    "setcode": "set",
    "card_type": "type",
}
LONGEST_HEADER = 20_000
MOST_LINES_OF_A_ROW = 40
"""Lines over which a quoted cell may run; a mark left open must not swallow the rest of the file."""


def read(text: str) -> Content:
    """Records of a table with a header row. Raises UnreadableCatalogue without a column of names."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) > MOST_RECORDS and sum(1 for line in lines if line and not line.isspace()) > MOST_RECORDS:
        raise too_many_records()
    first = next((place for place, line in enumerate(lines) if line.strip()), 0)
    if len(lines[first]) > LONGEST_HEADER:
        raise UnreadableCatalogue("The first line is too long to name columns.", fix="Name the columns.")
    delimiter = max("\t;,", key=lines[first].count)
    header = header_of(lines[first], delimiter)
    if not {"name", "title"} & set(header):
        raise UnreadableCatalogue("The table has no column “name”.", fix="Name the columns.")
    content = Content("LackeyCCG card data" if delimiter == "\t" else "table")
    columns = [(name, reader_of(name)) for name in header]
    for number, row in _rows(lines, first + 1, delimiter):
        if row is None:
            content.tell(_open_quotation(number))
        else:
            _take(content, f"line {number}", columns, row)
    return content


def header_of(line: str, delimiter: str) -> list[str]:
    """The names of the columns, as the facts are called."""
    cells = (_tab_cells(line) if delimiter == "\t" else _cells(line, delimiter)) or []
    return [column_name(cell) for cell in cells]


def column_name(cell: str) -> str:
    """A column's heading, or an OCTGN property, as the fact is called: "Card Type" is `type`."""
    name = re.sub(r"\W+", "_", cell.strip().casefold()).strip("_")
    return OTHER_NAMES.get(name, name)


def _rows(lines: list[str], first: int, delimiter: str) -> Iterator[tuple[int, list[str] | None]]:
    """Each row with the number of its first line; None for one whose quotation marks do not close."""
    place = first
    while place < len(lines):
        number, length = place + 1, 1
        if not lines[place]:
            place += 1
            continue
        if delimiter == "\t":
            yield number, _tab_cells(lines[place])
        elif '"' not in lines[place]:
            yield number, lines[place].split(delimiter)
        else:
            row, length = _quoted_row(lines, place, delimiter)
            yield number, row
        place += length


def _quoted_row(lines: list[str], place: int, delimiter: str) -> tuple[list[str] | None, int]:
    """A row that may run over several lines, and how many it takes; None where it never ends."""
    marks, length = lines[place].count('"'), 1
    while marks % 2 and length < MOST_LINES_OF_A_ROW and place + length < len(lines):
        marks += lines[place + length].count('"')
        length += 1
    row = None if marks % 2 else _cells("\n".join(lines[place : place + length]), delimiter)
    return (row, length) if row is not None else (None, 1)


def _cells(text: str, delimiter: str) -> list[str] | None:
    try:
        return next(csv.reader([text], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return None


def _tab_cells(line: str) -> list[str]:
    """LackeyCCG does not quote; a spreadsheet does, and then both ends of a cell have a mark."""
    return [_unquoted(cell) for cell in line.split("\t")]


def _unquoted(cell: str) -> str:
    inner = cell[1:-1]
    is_quoted = len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in inner.replace('""', "")
    return inner.replace('""', '"') if is_quoted else cell


def _open_quotation(number: int) -> Problem:
    sentence = "A quotation mark is opened and not closed, so the line was not read."
    return Problem(f"line {number}", "quotation_open", sentence)


Column = tuple[str, Callable[[str], Any] | None]
"""The fact that a column tells of, and what reads its cells; None where they stay as they are."""


def _take(content: Content, place: str, columns: Sequence[Column], row: list[str]) -> None:
    if len(row) > len(columns) and any(map(str.strip, row[len(columns) :])):
        sentence = f"The row has {len(row)} cells, the header {len(columns)}."
        content.tell(Problem(place, "row_too_long", sentence))
        return
    facts: dict[str, Any] = {}
    for (name, read), cell in zip(columns, map(str.strip, row), strict=False):
        if cell and name and name not in facts:
            value = cell if read is None else read(cell)
            if value is None:
                sentence = f"“{cell[:40]}” cannot be read as {name}; the fact stays unknown."
                content.tell(Problem(place, "value_not_understood", sentence))
            else:
                facts[name] = value
    if facts or any(map(str.strip, row)):
        key = facts.pop("key", None)
        content.records.append(Record(place, None if key is None else str(key), facts))
