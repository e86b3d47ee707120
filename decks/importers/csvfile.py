"""Read lists as tables: commas, semicolons or tabs, with or without a header."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from decks.importers.audit import add_notice, audit_parts, check_marks
from decks.importers.entry import EntryFields, make_card_line, read_zone
from decks.importers.headings import names_another_zone, read_heading
from decks.importers.model import DeckBuilder, DeckLine, ParsedDeck, ParseProblem
from decks.importers.names import clean, fold
from decks.shared.csv_cells import unguard
from rules.reason import reason
from rules.text import truncate

_COLUMNS: dict[str, tuple[str, ...]] = {
    "name": ("name", "card", "card name", "cardname", "title", "printed name", "card title"),
    "qty": ("qty", "quantity", "count", "copies", "amount", "number of copies", "card count"),
    "set_code": ("set", "set code", "edition", "edition code", "expansion", "set id", "setcode"),
    "collector_number": (
        "collector number",
        "card number",
        "set number",
        "collector no",
        "number",
        "no",
        "nr",
    ),
    "dots": ("dots", "rank", "rank dots"),
    "variant": ("variant", "foil", "finish", "printing"),
    "card_id": ("id", "card id", "guid", "uuid", "key", "catid", "cat id", "scryfall id", "identifier"),
    "zone": ("zone", "section", "board", "location", "sideboard", "deck section", "pile"),
}
_BY_WORD = {fold(word): column for column, words in _COLUMNS.items() for word in words}
_QUANTITY_FIRST = re.compile(r'^"?[+-]?\d{1,9}"?\s*([,;])(?!\d{3}\b)\s*\S')
_QUANTITY_LAST = re.compile(r'^\D.*?([,;])\s*"?[+-]?\d{1,9}"?\s*$')
_REMARK = re.compile(r"^\s*(?:#|//|[\s|:+-]+$)")
_LONGEST = 20_000
"""Characters of a line that stands in no table of cards; taking it apart would only cost time."""

_DECIDING = {"name", "set_code", "collector_number", "dots", "card_id"}
_NO = {"", "no", "false", "0", "none", "normal", "nonfoil", "n", "-"}
_YES = {"yes", "true", "1", "x", "y"}


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The layout of a table.

    Holds its separator, the meaning of each column, and the line of its header. `repeated_columns` names what
    a column says that another one before it says as well.
    """

    separator: str
    columns: tuple[str | None, ...]
    header: int | None
    repeated_columns: tuple[str | None, ...] = ()


def detect_layout(text: str) -> TableLayout | None:
    """Return the layout of a text that is a table, or None if it is not."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines or any(len(line) > _LONGEST for _, line in lines):
        return None
    return _with_header(lines[0][0], lines[0][1]) or _headless([line for _, line in lines])


def _with_header(number: int, line: str) -> TableLayout | None:
    for separator in ",;\t|":
        header = [
            _BY_WORD.get(fold(cell)) if cell.strip() else None for cell in split_cells(line, separator) or []
        ]
        columns = tuple(each if each not in header[:at] else None for at, each in enumerate(header))
        if len([column for column in columns if column]) >= 2 and {"name", "card_id"} & set(columns):
            repeated_heads = tuple(each if each in header[:at] else None for at, each in enumerate(header))
            return TableLayout(separator, columns, number, repeated_heads)
    return None


def _headless(lines: Sequence[str]) -> TableLayout | None:
    """Find a table without headings.

    Each line is a number, a comma and a name, or the other way round.
    """
    lines = [line for line in lines if not read_heading(clean(line))]
    for pattern, columns in ((_QUANTITY_FIRST, ("qty", "name")), (_QUANTITY_LAST, ("name", "qty"))):
        matches = [pattern.match(line.strip()) for line in lines]
        separators = {match[1] for match in matches if match}
        if lines and all(matches) and len(separators) == 1 and _is_even(lines, separator := separators.pop()):
            return TableLayout(separator, columns, None)
    return None


def _is_even(lines: Sequence[str], separator: str) -> bool:
    return all(len(split_cells(line, separator) or ()) == 2 for line in lines)


def split_cells(line: str, separator: str) -> list[str] | None:
    """Return the cells of one line, or None if a quotation mark is left open."""
    try:
        cells = next(csv.reader([line], delimiter=separator, strict=True, skipinitialspace=True), [])
    except csv.Error:
        return None
    return [unguard(cell) for cell in cells]


def read_table(text: str, layout: TableLayout, builder: DeckBuilder) -> ParsedDeck:
    """Read a table: one entry a row; every row comes back."""
    builder.format = "csv"
    unclear = _unclear(layout)
    if unclear:
        builder.add_problem(unclear)
    zone = "main"
    for number, raw in enumerate(text.splitlines(), start=1):
        line = _row(number, raw, layout, unclear, zone)
        zone = line.zone if line.kind == "section" else zone
        builder.lines.append(check_marks(line))
    builder.lines = audit_parts(builder.lines)
    _tell_unused(text, layout, builder)
    return builder.finish()


def _unclear(layout: TableLayout) -> ParseProblem | None:
    """Ask whether a column Number counts copies or is the card's number.

    This is unclear if there is no column for the quantity.
    """
    if "qty" in layout.columns or "collector_number" not in layout.columns:
        return None
    return ParseProblem(reason("column_unclear"), layout.header)


def _row(number: int, raw: str, layout: TableLayout, unclear: ParseProblem | None, below: str) -> DeckLine:
    """Return one row; `below` is the zone that a heading row above it opened."""
    if not raw.strip():
        return DeckLine(number, raw, "blank", zone=below)
    if number == layout.header or _REMARK.match(raw):
        return DeckLine(number, raw, "comment", zone=below, written_text=clean(raw))
    cells = split_cells(raw, layout.separator)
    if heading := _read_heading(number, raw, cells or [], below):
        return heading
    if problem := _find_broken_row(cells, layout, number) or (unclear and _unclear_row(number)):
        return DeckLine(number, raw, "problem", zone=below, problem=problem)
    row_cells = dict(zip(layout.columns, cells or [], strict=False))
    if problem := _said_twice(row_cells, zip(layout.repeated_columns, cells or [], strict=False), number):
        return DeckLine(number, raw, "problem", zone=below, problem=problem)
    line = _entry(number, raw, row_cells, below)
    unused_cells = [cell for cell, column in zip(cells or [], layout.columns, strict=False) if column is None]
    return _check_unused(line, unused_cells)


def _check_unused(line: DeckLine, cells: Sequence[str]) -> DeckLine:
    """Ask about a cell of an unread column that may name the card's part of the list."""
    words = next((clean(cell) for cell in cells if names_another_zone(cell, line.zone)), None)
    if words is None or line.kind != "card":
        return line
    return add_notice(line, reason("zone_unread.cell", words=words[:60]))


def _said_twice(
    row_cells: Mapping[str | None, str], again: Iterable[tuple[str | None, str]], number: int
) -> ParseProblem | None:
    """Ask which of two columns of one meaning is right where their cells differ."""
    for column, cell in again:
        first = row_cells.get(column, "")
        if column in _DECIDING and cell.strip() and first.strip() and fold(cell) != fold(first):
            why = reason("entry_not_understood.said_twice", first=clean(first), second=clean(cell))
            return ParseProblem(why, number)
    return None


def _read_heading(number: int, raw: str, cells: Sequence[str], below: str) -> DeckLine | None:
    """Read a row as a heading if its only filled cell is Sideboard or a card type."""
    filled_cells = [clean(cell) for cell in cells if cell.strip()]
    heading = read_heading(filled_cells[0]) if len(filled_cells) == 1 else None
    if not heading:
        return None
    zone = heading.zone or ("main" if below == "pregame" else below)
    return DeckLine(
        number,
        raw,
        "section",
        name=heading.words,
        zone=zone,
        section=heading.words,
        written_text=filled_cells[0],
    )


def _unclear_row(number: int) -> ParseProblem:
    return ParseProblem(reason("column_unclear.row"), number)


def _find_broken_row(cells: list[str] | None, layout: TableLayout, number: int) -> ParseProblem | None:
    if cells is None:
        return ParseProblem(reason("quotation_open"), number)
    if any(cell.strip() for cell in cells[len(layout.columns) :]):
        why = reason("too_many_cells", cells=len(cells), columns=len(layout.columns))
        return ParseProblem(why, number)
    return None


def _entry(number: int, raw: str, cells: dict[str | None, str], below: str) -> DeckLine:
    zone, notice = _zone(cells.get("zone", ""), number, below)
    line = make_card_line(
        EntryFields(
            number,
            raw,
            name=cells.get("name", ""),
            qty=cells.get("qty", ""),
            set_code=cells.get("set_code", ""),
            collector_number=cells.get("collector_number", ""),
            dots=cells.get("dots", ""),
            variant=_variant(cells.get("variant", "")),
            card_id=cells.get("card_id", ""),
            zone=zone,
            section=clean(cells.get("zone", "")) or None,
        )
    )
    return _with_notice(line, notice)


def _with_notice(line: DeckLine, notice: ParseProblem | None) -> DeckLine:
    return replace(line, notices=(notice, *line.notices)) if notice else line


def _zone(cell: str, number: int, below: str) -> tuple[str, ParseProblem | None]:
    word = cell.strip().lower()
    if word in _NO:
        return ("main" if word else below), None
    return ("sideboard", None) if word in _YES else read_zone(cell, number)


def _variant(cell: str) -> str:
    word = cell.strip().lower()
    return "" if word in _NO else "foil" if word in _YES else cell


def _tell_unused(text: str, layout: TableLayout, builder: DeckBuilder) -> None:
    if layout.header is None:
        return
    header = split_cells(text.splitlines()[layout.header - 1], layout.separator) or []
    pairs = zip(header, layout.columns, strict=True)
    unused_cells = [clean(cell) for cell, column in pairs if cell.strip() and not column]
    if unused_cells:
        why = reason("columns_unused", columns=tuple(map(truncate, unused_cells)))
        builder.add_problem(ParseProblem(why, layout.header, "notice"))
