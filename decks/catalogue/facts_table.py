"""The facts of a set's cards as a grid and as a table.

They are to be filled in here or in a spreadsheet.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from django.db.models import QuerySet

import rules
from decks.catalogue.models import CardSet, Printing
from rules.cards import Fact
from rules.catalogue_files.table import get_cell_reader
from rules.rendering import translate_text

PLACE = ("key", "name", "set", "number", "variant")
"""The columns that tell which printing a row is about."""


NO_SET = "-"
"""Takes the place of a set in the address of the cards that belong to none."""

SHOWN = "shown"
"""The field with the facts that were stored when the page was opened."""

MOST_CELLS = 800
"""Cells of one page; a browser may send 1,000 fields at once."""


@dataclass(frozen=True, slots=True)
class FactCell:
    """One fact of one card; `is_wrong` where what was entered is not accepted.

    That is no value of the fact, or, with `is_overtaken`, cleared while someone else changed it.
    """

    field: str
    fact: Fact
    label: str
    stored_text: str
    value: str
    is_wrong: bool = False
    is_overtaken: bool = False

    @property
    def is_cleared(self) -> bool:
        """Whether the stored fact is to be removed."""
        return bool(self.stored_text) and not self.value


@dataclass(frozen=True, slots=True)
class FactRow:
    """One printing with its cells.

    `place` holds the cells that tell which printing it is.
    """

    place: tuple[str, ...]
    cells: tuple[FactCell, ...]

    @property
    def name(self) -> str:
        """The name of the card."""
        return self.place[PLACE.index("name")]

    @property
    def number(self) -> str:
        """The number in the set."""
        return self.place[PLACE.index("number")]


def list_columns(game: str) -> list[Fact]:
    """Return the facts that the game expects, a column each."""
    return [fact for fact in rules.get_game(game).cards.facts.values() if fact.is_expected]


def count_rows_per_page(game: str) -> int:
    """Return how many cards one page of the grid has."""
    return max(1, MOST_CELLS // max(1, len(list_columns(game))))


def build_rows(card_set: CardSet, printings: Iterable[Printing]) -> list[FactRow]:
    """Return the printings as rows of the grid."""
    facts = list_columns(card_set.game)
    label = rules.get_game(card_set.game).cards.label
    rows = []
    for printing in printings:
        written_cells = _write_row(card_set, printing, [fact.key for fact in facts])
        cells = (
            FactCell(f"{printing.pk}:{fact.key}", fact, translate_text(label(fact.key)), value, value)
            for fact, value in zip(facts, written_cells[len(PLACE) :], strict=True)
        )
        rows.append(FactRow(written_cells[: len(PLACE)], tuple(cells)))
    return rows


def enter_cells(rows: Iterable[FactRow], cell_values: Mapping[str, str]) -> list[FactRow]:
    """Return the rows with what was entered; cells that cannot be read are marked.

    A cell that is as the page showed it was not edited, whatever is stored by now.
    """
    shown_values = _read_shown_values(cell_values.get(SHOWN, ""))
    return [
        replace(row, cells=tuple(_enter_cell(cell, cell_values, shown_values) for cell in row.cells))
        for row in rows
    ]


def _enter_cell(
    cell: FactCell, cell_values: Mapping[str, str], shown_values: Mapping[str, object]
) -> FactCell:
    value, before = _join_words(cell_values.get(cell.field, "")), shown_values.get(cell.field, "")
    if cell.field not in cell_values or value == _join_words(str(before)):
        return cell
    if not value and cell.stored_text and cell.stored_text != before:
        return replace(cell, is_wrong=True, is_overtaken=True)
    reader = get_cell_reader(cell.fact)
    is_unreadable = bool(value) and reader is not None and reader(value) is None
    return replace(cell, value=value, is_wrong=is_unreadable)


def _join_words(text: str) -> str:
    return " ".join(text.split())


def write_shown_values(rows: Iterable[FactRow]) -> str:
    """Return the stored facts that the page shows, by field.

    They are sent back with what is entered.
    """
    return json.dumps(
        {cell.field: cell.stored_text for row in rows for cell in row.cells if cell.stored_text}
    )


def _read_shown_values(text: str) -> dict[str, object]:
    try:
        shown_values = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return shown_values if isinstance(shown_values, dict) else {}


def list_cleared_facts(rows: Iterable[FactRow]) -> dict[str, list[str]]:
    """Return the facts that are to be removed, by the key of their printing."""
    cleared_facts = {row.place[0]: [cell.fact.key for cell in row.cells if cell.is_cleared] for row in rows}
    return {key: facts for key, facts in cleared_facts.items() if facts}


def write_entered_cells(rows: Iterable[FactRow]) -> str:
    """Return the changed rows as a catalogue table with the changed cells only.

    Empty if there are no changed rows.
    """
    changed_rows = [row for row in rows if any(cell.value != cell.stored_text for cell in row.cells)]
    if not changed_rows:
        return ""
    header = (*PLACE, *(cell.fact.key for cell in changed_rows[0].cells))
    lines = (
        (*row.place, *(cell.value if cell.value != cell.stored_text else "" for cell in row.cells))
        for row in changed_rows
    )
    return "".join(f"{line}\n" for line in _join_cells([header, *lines]))


def list_printings(card_set: CardSet) -> QuerySet[Printing]:
    """Return the cards of a set, or those without one, in the order of their numbers."""
    of_set = {"card_set": card_set} if card_set.pk else {"card_set": None}
    printings = Printing.objects.filter(game=card_set.game, is_deck_card=True, **of_set)
    return printings.select_related("card").order_by("number", "key")


def write_facts_table(card_set: CardSet) -> str:
    """Return the cards of a set, one per line below a heading line.

    Cells are separated by tabs.
    """
    cards = rules.get_game(card_set.game).cards
    expected_facts = [fact.key for fact in cards.facts.values() if fact.is_expected]
    rows = [_write_row(card_set, each, expected_facts) for each in list_printings(card_set)]
    return "".join(f"{line}\n" for line in _join_cells([(*PLACE, *expected_facts), *rows]))


def _write_row(card_set: CardSet, printing: Printing, expected_facts: Iterable[str]) -> tuple[str, ...]:
    facts = {**printing.card.attributes, **printing.attributes}
    number = printing.number_as_printed or ("" if printing.number is None else str(printing.number))
    place = (
        printing.key,
        printing.printed_name or printing.card.name,
        card_set.code,
        number,
        printing.variant,
    )
    return (*place, *(format_cell(facts.get(fact)) for fact in expected_facts))


def format_cell(value: object) -> str:
    """Return a fact as the importer reads it from a cell; empty while it is unknown."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(each, str) and ";" not in each for each in value) and value:
        return "; ".join(value)
    if isinstance(value, Mapping) and value and all(map(_is_named_number, value.items())):
        return ", ".join(f"{name} {number}" for name, number in value.items())
    if isinstance(value, list | Mapping):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _is_named_number(item: tuple[object, object]) -> bool:
    """Return whether a name and its number are read back from `A 1`."""
    name, number = item
    is_plain = isinstance(name, str) and name[:1].isalpha() and not set(name) & set("0123456789,;|:=")
    return is_plain and type(number) is int and 0 <= number <= 9999


def _join_cells(rows: Iterable[Iterable[str]]) -> Iterator[str]:
    return ("\t".join(_join_words(cell) for cell in row) for row in rows)
