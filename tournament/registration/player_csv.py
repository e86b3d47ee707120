"""Read players from CSV of any separator and encoding, write spreadsheets' CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.conf import settings
from django.utils.translation import gettext

import rules
from decks.shared.csv_cells import unguard, write_rows
from decks.shared.json_shapes import Published
from decks.shared.refusals import Refused
from rules import RegistrationField
from rules.reason import Reason, reason
from tournament.access.player_details import list_fields
from tournament.events.models.event import Event
from tournament.languages.choice import speak
from tournament.registration.detail_cells import write_cells
from tournament.shared.text import fold_name

MAX_BYTES = 1_000_000

MAX_LINES = 5_000

CSV_SEPARATORS = ";,\t|"

COLUMN_NAMES: dict[str, tuple[str, ...]] = {
    "number": ("number", "no", "nr", "id"),
    "name": (
        "name",
        "player",
        "playername",
        "fullname",
        "team",
        "teamname",
        "spieler",
        "mannschaft",
        "nom",
        "nombre",
    ),
    "first": ("firstname", "givenname", "vorname", "prenom"),
    "last": ("lastname", "surname", "familyname", "nachname"),
    "email": ("email", "mail", "emailaddress", "address"),
    "character": ("character", "declaredcharacter", "char", "charakter"),
    "members": ("members", "players", "teammembers", "mitglieder"),
    "club": ("club", "household", "verein", "association"),
    "seed": ("seed", "seeding", "setzplatz"),
    "rating": ("rating", "elo", "wertungszahl"),
    "fixed_table": ("fixedtable", "table", "fixedseat"),
    "first_byes": ("firstbyes", "byes", "firstroundbyes"),
    "has_paid": ("paid", "haspaid", "fee", "entryfee", "bezahlt"),
    "namesake": ("namesake", "somebodyelse"),
    "state": ("state", "status"),
}

DEFAULT_COLUMNS = ("name", "email", "character")
NAME_COLUMNS = frozenset({"name", "first", "last"})
# So many values of a column are shown to who chooses what it is.
SAMPLES = 3


# Names that forms have for something else.
FORM_NAMES = frozenset({"character_reason", "details", "is_namesake", "line", "missed"})


def list_taken_names() -> list[str]:
    """Return keys and headings of declared fields that are already taken.

    They are taken by a form, a column or another field of the game.
    """
    problems = []
    columns = {name for column, names in COLUMN_NAMES.items() for name in (column, *names)}
    for game in rules.games():
        seen_names = columns | FORM_NAMES
        for declared_field in list_fields(game.key):
            names = {declared_field.key, fold_name(declared_field.key), fold_name(declared_field.label)}
            if names & seen_names or declared_field.key.startswith("member_"):
                problems.append(f"{game.key}: {declared_field.key}")
            seen_names |= names
    return problems


@dataclass(frozen=True, slots=True)
class CsvPlayer:
    """One player of the file, as written; `at` is the line in the file, from 1."""

    line_number: int
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CsvColumn(Published):
    """A column of the file: its heading, first values and what it is read as.

    The last is empty for nothing.
    """

    PUBLISHED = {
        "column": "place_from_one",
        "heading": "heading",
        "samples": "samples",
        "read_as": "read_as",
        "is_known": "is_known",
    }
    place: int
    heading: str
    samples: Sequence[str]
    read_as: str
    is_known: bool

    @property
    def place_from_one(self) -> int:
        """The place as people count it."""
        return self.place + 1


@dataclass(frozen=True, slots=True)
class ChosenColumns:
    """Manual choices by position: column to read and the heading it was chosen for.

    `has_header` says whether the first line has headings; None leaves it to the file.
    """

    by_place: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    has_header: bool | None = None


@dataclass(frozen=True, slots=True)
class PlayerCsv:
    """The content of a file, and the parts that are not read."""

    lines: Sequence[CsvPlayer]
    notes: Sequence[Reason] = field(default=())
    columns: Sequence[CsvColumn] = field(default=())
    has_header: bool = True

    @property
    def asks_for_columns(self) -> bool:
        """Whether a column was not read by its heading."""
        return not self.has_header or any(column.heading and not column.is_known for column in self.columns)


def decode_csv(data: bytes) -> tuple[str, str]:
    """Return the text of a file, and a note where its encoding was not said.

    Raises Refused for what is not a text.
    """
    if len(data) > MAX_BYTES:
        raise Refused("file_too_large.players", field="file")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _clean_text(data.decode("utf-16", "replace")), ""
    try:
        return _clean_text(data.decode("utf-8-sig")), ""
    except UnicodeDecodeError:
        text = _clean_text(data.decode("cp1252", "replace"))
        return text, gettext("The file is not UTF-8, so it was read as Windows-1252.")


def _clean_text(text: str) -> str:
    text = text.removeprefix("\ufeff")
    if "\0" in text:
        raise Refused("file_not_text", field="file")
    return text


def read_player_csv(text: str, event: Event, chosen_columns: ChosenColumns | None = None) -> PlayerCsv:
    """Return the players of a table, with the event's registration fields.

    Raises Refused if there is none, no column of names, or two columns are read as one.
    """
    rows = _read_rows(text)
    table = _read_columns(rows, event, chosen_columns or ChosenColumns())
    header = [column.read_as for column in table.columns]
    if not NAME_COLUMNS & set(header):
        raise Refused("no_name_column", field="text")
    repeated_head = next((name for name in header if name and header.count(name) > 1), "")
    if repeated_head and chosen_columns is not None and chosen_columns.by_place:
        headings = tuple(column.heading for column in table.columns if column.read_as == repeated_head)
        raise Refused("column_twice", field="text", headings=headings)
    notes = list(_column_notes(table))
    lines = [
        _read_player(number, header, cells, notes) for number, cells in rows[1 if table.has_header else 0 :]
    ]
    return replace(table, lines=lines, notes=notes)


def read_columns(text: str, event: Event, chosen_columns: ChosenColumns) -> PlayerCsv:
    """Return the columns of a table alone, also if none of them has names.

    Raises Refused for no table.
    """
    return _read_columns(_read_rows(text), event, chosen_columns)


def _read_rows(text: str) -> list[tuple[int, list[str]]]:
    rows = _split_rows(_clean_text(text))
    if not rows:
        raise Refused("file_empty.players", field="text")
    if len(rows) > MAX_LINES:
        raise Refused("file_too_long", field="text", max_lines=MAX_LINES)
    return rows


def _read_columns(
    rows: list[tuple[int, list[str]]], event: Event, chosen_columns: ChosenColumns
) -> PlayerCsv:
    """Return the columns, by their headings or as they were chosen; `lines` is empty."""
    first, fields = rows[0][1], list_fields(event.game)
    known_columns = [_column_of(cell, fields) for cell in first]
    is_read = bool(NAME_COLUMNS & set(known_columns))
    has_header = (
        chosen_columns.has_header if chosen_columns.has_header is not None else is_read or not _is_plain(rows)
    )
    if not has_header:
        width = max(len(cells) for _, cells in rows)
        known_columns = [*DEFAULT_COLUMNS, *[""] * width][:width] if _is_plain(rows) else [""] * width
    names = {*COLUMN_NAMES, *(field.key for field in fields)}
    columns = []
    for place, read_as in enumerate(known_columns):
        heading = " ".join(first[place].split()) if has_header else ""
        choice, chosen_for = chosen_columns.by_place.get(place, (read_as, heading))
        is_chosen = chosen_for == heading and (choice in names or choice == "")
        values = [cells[place].strip() for _, cells in rows[has_header:] if place < len(cells)]
        samples = [value[:40] for value in values if value][:SAMPLES]
        chosen_as = choice if is_chosen else read_as
        is_known = has_header and bool(read_as) and chosen_as == read_as
        columns.append(CsvColumn(place, heading, samples, chosen_as, is_known))
    return PlayerCsv([], columns=columns, has_header=has_header)


def _is_plain(rows: list[tuple[int, list[str]]]) -> bool:
    """Return whether a file without headings looks like name, email, character."""
    widest = max(len(cells) for _, cells in rows)
    return widest <= len(DEFAULT_COLUMNS) and not any("@" in cells[0] for _, cells in rows)


def _column_notes(table: PlayerCsv) -> Iterator[Reason]:
    """List what a reader should know of the columns."""
    if not table.has_header:
        yield reason("no_headings")
    for column in table.columns:
        if column.heading and not column.read_as:
            yield reason("column_not_read", column=column.heading[:40])


def _split_rows(text: str) -> list[tuple[int, list[str]]]:
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    separator = max(CSV_SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=False)
    try:
        return [(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    except csv.Error as error:
        raise Refused("file_unreadable", line=reader.line_num, error=str(error)) from error


def _column_of(cell: str, fields: Iterable[RegistrationField]) -> str:
    key = fold_name(cell)
    field_names_of = {field.key: (fold_name(field.key), fold_name(field.label)) for field in fields}
    return next((column for column, names in {**COLUMN_NAMES, **field_names_of}.items() if key in names), "")


def _read_player(
    line_number: int, header: Sequence[str], cells: Sequence[str], notes: list[Reason]
) -> CsvPlayer:
    if any(cell.strip() for cell in cells[len(header) :]):
        notes.append(reason("cells_not_read", line=line_number))
    named_cells = [cell for column, cell in zip(header, cells, strict=False) if column]
    if breaks := sum(cell.strip().count("\n") for cell in named_cells):
        raise Refused("quote_open", field="text", first_line=line_number - breaks, last_line=line_number)
    values = {
        column: " ".join(unguard(cell).split()) for column, cell in zip(header, cells, strict=False) if column
    }
    if "name" not in values:
        values["name"] = f"{values.pop('first', '')} {values.pop('last', '')}".strip()
    return CsvPlayer(line_number, values)


def write_player_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table for spreadsheets: a byte order mark, semicolons, guarded cells."""
    buffer = io.StringIO(newline="")
    write_rows(buffer, [header, *rows], separator=";")
    return "\ufeff" + buffer.getvalue()


# A file has the same headings and states in all languages.
_EXPORT_COLUMNS = (
    "Number|Name|Email|Character|Members|Club|Seed|Rating|Fixed table|Byes|"
    "Paid|Namesake|State|Checked in|Dropped after"
)
EXPORT_HEADER = tuple(_EXPORT_COLUMNS.split("|"))
# A name in one column, or in two.
_NAME_COLUMNS_TEXT = "Name|First name|Last name"
NAME_HEADINGS = tuple(_NAME_COLUMNS_TEXT.split("|"))
# Those that an import reads beside the name.
READ_COLUMNS = EXPORT_HEADER[EXPORT_HEADER.index("Email") : EXPORT_HEADER.index("Namesake")]


def export_player_csv(event: Event) -> str:
    """Export everyone who is or was registered, by number. One query."""
    fields = list_fields(event.game)
    header = (*EXPORT_HEADER, *(field.label for field in fields))
    with speak(settings.LANGUAGE_CODE):
        return write_player_csv(header, _export_rows(event, fields))


def _export_rows(event: Event, fields: Sequence[RegistrationField]) -> Iterator[tuple[object, ...]]:
    for player in event.players.order_by("number"):
        checked_in_at = player.checked_in_at
        yield (
            player.number,
            player.name,
            player.email,
            player.character,
            " + ".join(player.members),
            player.club,
            player.seed,
            player.rating,
            player.fixed_table,
            player.first_byes or None,
            "yes" if player.has_paid else "",
            "yes" if player.namesake else "",
            player.get_status_display(),
            f"{checked_in_at.astimezone(event.zone):%Y-%m-%d %H:%M}" if checked_in_at else "",
            player.dropped_after,
            *write_cells(player.details, fields),
        )
