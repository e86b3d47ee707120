"""Players as a table of text: any separator, encoding and spelling of the header in; one that spreadsheets
open without running anything out.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from decks.shared.refusals import Refused
from tournament.shared.name_folding import fold

LARGEST = 1_000_000
MOST_LINES = 5_000
SEPARATORS = ";,\t|"
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
YES = frozenset({"yes", "y", "1", "true", "x", "ja", "oui", "si", "paid"})
HEADERS: dict[str, tuple[str, ...]] = {
    "number": ("number", "no", "nr", "id"),
    "name": ("name", "player", "playername", "fullname", "team", "teamname", "spieler", "nom", "nombre"),
    "first": ("firstname", "givenname", "vorname", "prenom"),
    "last": ("lastname", "surname", "familyname", "nachname"),
    "email": ("email", "mail", "emailaddress", "address"),
    "character": ("character", "declaredcharacter", "char", "persona"),
    "members": ("members", "players", "teammembers"),
    "club": ("club", "household", "verein", "association"),
    "seed": ("seed", "seeding"),
    "rating": ("rating", "elo"),
    "fixed_table": ("fixedtable", "table", "fixedseat"),
    "first_byes": ("firstbyes", "byes", "firstroundbyes"),
    "has_paid": ("paid", "haspaid", "fee", "entryfee"),
    "namesake": ("namesake", "somebodyelse"),
    "state": ("state", "status"),
}
WITHOUT_HEADER = ("name", "email", "character")


@dataclass(frozen=True, slots=True)
class Line:
    """One player of the file, as written; `at` is the line in the file, from 1."""

    at: int
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """What a file holds, and what of it is not read."""

    lines: Sequence[Line]
    notes: Sequence[str] = field(default=())


def decode(data: bytes) -> tuple[str, str]:
    """The text of a file, and a note where its encoding was not said. Raises Refused for what is no text."""
    if len(data) > LARGEST:
        raise Refused(
            "file_too_large", "The file is larger than 1 MB.", fix="Send it in parts.", field="file"
        )
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _clean(data.decode("utf-16", "replace")), ""
    try:
        return _clean(data.decode("utf-8-sig")), ""
    except UnicodeDecodeError:
        return _clean(data.decode("cp1252", "replace")), "The file is not UTF-8; it was read as Windows-1252."


def _clean(text: str) -> str:
    text = text.removeprefix("\ufeff")
    if "\0" in text:
        raise Refused(
            "file_not_text", "The file is no text.", fix="Save it as CSV in your spreadsheet.", field="file"
        )
    return text


def read(text: str) -> Table:
    """The players of a table. Raises Refused where there is none, or no column of names."""
    text = _clean(text)
    rows = _rows(text)
    if not rows:
        raise Refused("file_empty", "There is no line of a player.", field="text")
    if len(rows) > MOST_LINES:
        raise Refused("file_too_long", f"The file has more than {MOST_LINES} lines.", field="text")
    header = [_column(cell) for cell in rows[0][1]]
    if not {"name", "first", "last"} & set(header):
        return _headless(rows)
    notes = [
        f"The column “{cell.strip()[:40]}” is not read."
        for cell, column in zip(rows[0][1], header, strict=True)
        if cell.strip() and not column
    ]
    return Table([_line(at, header, cells, notes) for at, cells in rows[1:]], notes)


def _headless(rows: list[tuple[int, list[str]]]) -> Table:
    """A file without a header: name, e-mail, character, as long as it looks like that."""
    widest = max(len(cells) for _, cells in rows)
    if widest > len(WITHOUT_HEADER) or any("@" in cells[0] for _, cells in rows):
        raise Refused(
            "no_name_column",
            "The first line names no column of names.",
            fix="Write a first line such as: Name;E-mail;Character",
            field="text",
        )
    notes = ["The file has no first line with headings; it was read as name, e-mail, character."]
    return Table([_line(at, WITHOUT_HEADER, cells, notes) for at, cells in rows], notes)


def _rows(text: str) -> list[tuple[int, list[str]]]:
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    separator = max(SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=False)
    try:
        return [(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    except csv.Error as error:
        raise Refused("file_unreadable", f"Line {reader.line_num} cannot be read: {error}.") from error


def _column(cell: str) -> str:
    key = fold(cell)
    return next((column for column, names in HEADERS.items() if key in names), "")


def _line(at: int, header: Sequence[str], cells: Sequence[str], notes: list[str]) -> Line:
    if any(cell.strip() for cell in cells[len(header) :]):
        notes.append(f"Line {at} has more cells than there are columns; the last ones are not read.")
    told = [cell for column, cell in zip(header, cells, strict=False) if column]
    if breaks := sum(cell.strip().count("\n") for cell in told):
        raise Refused(
            "quote_open",
            f"A cell in line {at - breaks} goes on to line {at}, as if a quotation mark were not closed.",
            fix="Close it or take it away there.",
            field="text",
        )
    values = {
        column: " ".join(unguarded(cell).split())
        for column, cell in zip(header, cells, strict=False)
        if column
    }
    if "name" not in values:
        values["name"] = f"{values.pop('first', '')} {values.pop('last', '')}".strip()
    return Line(at, values)


def guarded(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    bare = cell.lstrip("'")
    return f"'{cell}" if bare.startswith(FORMULA) else cell


def unguarded(cell: str) -> str:
    """What `guarded` had."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(FORMULA) else cell


def write(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table for spreadsheets: a byte order mark, semicolons, guarded cells."""
    made = io.StringIO(newline="")
    writer = csv.writer(made, delimiter=";", lineterminator="\r\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([guarded("" if value is None else str(value)) for value in row])
    return "\ufeff" + made.getvalue()
