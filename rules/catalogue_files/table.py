"""Parse catalogues in tables: CSV and LackeyCCG card data."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import lru_cache, partial

from rules.cards import Fact
from rules.catalogue_files.heading_words import FACTS_BY_HEADING, fold_heading
from rules.catalogue_files.known_facts import KnownFacts
from rules.catalogue_files.records import (
    MOST_RECORDS,
    CatalogueContent,
    CatalogueProblem,
    CatalogueRecord,
    UnreadableCatalogue,
    too_many_records,
)
from rules.reason import Reason, reason

_YES, _NO = {"true", "yes", "1", "y"}, {"false", "no", "0", "n"}

_WHOLE = re.compile(r"\d{1,6}", re.ASCII)

_PARTS = re.compile(r"[;|]")

_NAME_AND_NUMBER = re.compile(r"(?P<name>[^\d;|,]+)(?P<number>\d{1,4})(?!\d)", re.ASCII)

_NUMBER_AND_NAME = re.compile(r"(?<!\d)(?P<number>\d{1,4})(?P<name>[^\d;|,]+)", re.ASCII)

_AROUND_NAMES = " :=;|,"

_NOTHING = frozenset({"none", "-", "no"})


CellReader = Callable[[str], object]


def get_cell_reader(fact: Fact) -> CellReader | None:
    """Return the function that reads the value of a cell that is not empty.

    The function returns None if the cell does not hold a value of the fact. No reader at all: the fact is
    text, and every cell stays as it is.
    """
    if fact.kind == "text":
        return None
    if fact.kind == "table":
        return partial(_table, frozenset(name.casefold() for name in fact.names))
    reader: CellReader = _READERS.get(fact.kind, _any)
    return partial(_list, fact.separator) if fact.kind == "words" else reader


def _number(cell: str) -> int | None:
    return int(cell) if _WHOLE.fullmatch(cell) else None


def _truth(cell: str) -> bool | None:
    word = cell.casefold()
    return True if word in _YES else False if word in _NO else None


def _list(separator: str, cell: str) -> object:
    """Return the words of a cell, separated by semicolons.

    Without semicolons, the fact's own separator is used.
    """
    if cell[0] in "[{":
        return _json(cell)
    parts = _PARTS.split(cell) if _PARTS.search(cell) or not separator else cell.split(separator)
    return [part.strip() for part in parts if part.strip()]


def _table(names: Container[str], cell: str) -> object:
    """Read JSON, or names with numbers: `A 1, S 2`.

    If the fact has `names`, read no others.
    """
    if cell.casefold() in _NOTHING:
        return cell
    value = _json(cell) if cell[0] in "[{" else _named_numbers(cell)
    is_known = not names or (isinstance(value, dict) and all(name.casefold() in names for name in value))
    return value if is_known else None


def _named_numbers(cell: str) -> dict[str, int] | None:
    """Return names with numbers: `A 1, S 2`, `A1 S2` or `1 A, 2 S`.

    None for anything else.
    """
    pattern = _NUMBER_AND_NAME if cell[0].isdecimal() else _NAME_AND_NUMBER
    pairs = [(each["name"].strip(_AROUND_NAMES), each["number"]) for each in pattern.finditer(cell)]
    is_whole = not pattern.sub("", cell).strip(_AROUND_NAMES)
    names = [name for name, _ in pairs]
    if not is_whole or len(set(names)) < len(names) or not all(name[:1].isalpha() for name in names):
        return None
    return {name: int(number) for name, number in pairs} or None


def _any(cell: str) -> object:
    """Read JSON where the cell holds it; keep a text that merely begins like it."""
    if cell[0] in "[{":
        value = _json(cell)
        return cell if value is None else value
    return int(cell) if cell.isdecimal() and _WHOLE.fullmatch(cell) else cell


def _json(cell: str) -> object:
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return None


_READERS: Mapping[str, CellReader] = {"whole": _number, "yes_no": _truth}

# Every table of LackeyCCG names the picture of each card.
_LACKEY_COLUMN = "imagefile"

COLUMN_ALIASES = {
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

_DECLARED_DELIMITER = re.compile(r'\s*"?sep=([\t;,|])"?\s*', re.IGNORECASE)
"""The first line by which a spreadsheet says how cells are separated."""

MAX_HEADER_LENGTH = 20_000

MAX_LINES_PER_ROW = 40

"""Lines over which a quoted cell may run; a mark left open must not swallow the rest of the file."""


def read(text: str, known_facts: KnownFacts) -> CatalogueContent:
    """Return records of a table with a header row.

    Raises UnreadableCatalogue without a column of names.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) > MOST_RECORDS and sum(1 for line in lines if line and not line.isspace()) > MOST_RECORDS:
        raise too_many_records()
    first = next((place for place, line in enumerate(lines) if line.strip()), 0)
    delimiter_line = _DECLARED_DELIMITER.fullmatch(lines[first])
    if delimiter_line:
        first = next((place for place in range(first + 1, len(lines)) if lines[place].strip()), first)
    if len(lines[first]) > MAX_HEADER_LENGTH:
        raise UnreadableCatalogue(reason("catalogue_unreadable.long_header"))
    delimiter = delimiter_line[1] if delimiter_line else max("\t;,", key=lines[first].count)
    header = [_translate(name, known_facts) for name in parse_header(lines[first], delimiter)]
    if not {"name", "title"} & set(header):
        raise UnreadableCatalogue(reason("catalogue_unreadable.no_name_column"))
    content = CatalogueContent("lackey" if delimiter == "\t" and _LACKEY_COLUMN in header else "table")
    for name in {each for each in header if each and header.count(each) > 1}:
        content.tell(CatalogueProblem(_place(first + 1), reason("column_doubled", column=name)))
    columns = [(name, get_cell_reader(known_facts.facts.get(name) or Fact(name))) for name in header]
    for number, row in _rows(lines, first + 1, delimiter):
        if row is None:
            content.tell(_open_quotation(number))
        else:
            _take(content, _place(number), columns, row)
    return content


def _translate(name: str, known_facts: KnownFacts) -> str:
    """Translate a heading in another language to the fact that it means.

    The heading is one that no fact has.
    """
    return name if name in known_facts.facts else FACTS_BY_HEADING.get(fold_heading(name), name)


def parse_header(line: str, delimiter: str) -> list[str]:
    """Return the names of the columns, as the facts are called."""
    cells = (_tab_cells(line) if delimiter == "\t" else _cells(line, delimiter)) or []
    return [normalize_column_name(cell) for cell in cells]


@lru_cache(maxsize=4096)
def normalize_column_name(cell: str) -> str:
    """Return a column's heading, or an OCTGN property, as the name of its fact.

    "Card Type" becomes `type`.
    """
    name = re.sub(r"\W+", "_", cell.strip().casefold()).strip("_")
    return COLUMN_ALIASES.get(name, name)


def _rows(lines: list[str], first: int, delimiter: str) -> Iterator[tuple[int, list[str] | None]]:
    """Yield each row with the number of its first line.

    The row is None if its quotation marks are not closed.
    """
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
    """Return a row that may span several lines, and how many lines it takes.

    The row is None if it never ends.
    """
    marks, length = lines[place].count('"'), 1
    while marks % 2 and length < MAX_LINES_PER_ROW and place + length < len(lines):
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
    """Split a line at tabs.

    Unlike LackeyCCG, a spreadsheet quotes a cell: then both its ends have a mark.
    """
    return [_unquote(cell) for cell in line.split("\t")]


def _unquote(cell: str) -> str:
    inner = cell[1:-1]
    is_quoted = len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in inner.replace('""', "")
    return inner.replace('""', '"') if is_quoted else cell


def _place(line: int) -> Reason:
    return reason("catalogue_place.line", line=line)


def _open_quotation(number: int) -> CatalogueProblem:
    return CatalogueProblem(_place(number), reason("quotation_open.catalogue"))


CellColumn = tuple[str, CellReader | None]

"""The fact that a column tells of, and what reads its cells; None where they stay as they are."""


def _take(content: CatalogueContent, place: Reason, columns: Sequence[CellColumn], row: list[str]) -> None:
    if len(row) > len(columns) and any(map(str.strip, row[len(columns) :])):
        why = reason("row_too_long", cells=len(row), columns=len(columns))
        content.tell(CatalogueProblem(place, why))
        return
    facts: dict[str, object] = {}
    for (name, reader), cell in zip(columns, map(str.strip, row), strict=False):
        if cell and name and name not in facts:
            value = cell if reader is None else reader(cell)
            if value is None:
                why = reason("value_not_understood", value=cell[:40], fact=name)
                content.tell(CatalogueProblem(place, why))
            else:
                facts[name] = value
    if facts or any(map(str.strip, row)):
        key = facts.pop("key", None)
        content.records.append(CatalogueRecord(place, None if key is None else str(key), facts))
