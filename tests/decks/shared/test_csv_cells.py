"""Cells of tables for spreadsheets.

No cell is a formula, and every cell comes back as it was.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from decks.exporters.exporting import CannotExport, export
from decks.exporters.model import ExportEntry
from decks.importers.names import clean
from decks.importers.parsing import parse
from decks.shared.csv_cells import guard, unguard, write_rows
from tests.everyday import each_case

CLONE = Path(__file__).resolve().parents[3]
SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", " =", "\xa0@", "'=", "''-")
TEXTS = st.text(max_size=20) | st.builds(str.__add__, st.sampled_from(SIGNS), st.text(max_size=12))


def runs_as_formula(cell: str) -> bool:
    """Return whether a spreadsheet may interpret the cell as a formula.

    This is written separately from the code.
    """
    is_number = re.fullmatch(r"[-+]?[0-9]+([.,][0-9]+)?", cell)
    starts = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
    return not is_number and (cell.startswith(("\t", "\r", "\n")) or cell.strip().startswith(starts))


@each_case("sign", [sign for sign in SIGNS if not sign.startswith("'")])
def test_text_behind_sign_is_guarded(sign: str) -> None:
    assert guard(f"{sign}1+1") == f"'{sign}1+1"


@each_case("number", [-3, "-3", -1.5, "-1,5", "+49", 0, 12])
def test_number_stays_a_number(number: object) -> None:
    assert guard(number) == str(number)


@given(TEXTS)
def test_guarded_cell_is_no_formula_and_comes_back_as_it_was(cell: str) -> None:
    assert not runs_as_formula(guard(cell))
    assert unguard(guard(cell)) == cell


@each_case("cell", ["'Tis the Season", "'", "''", "Ken", ""])
def test_apostrophe_that_guards_nothing_stays(cell: str) -> None:
    assert (guard(cell), unguard(cell)) == (cell, cell)


@given(st.lists(st.lists(TEXTS, min_size=2, max_size=4), max_size=5), st.sampled_from(",;\t"))
def test_rows_come_back_as_they_were(rows: list[list[str]], separator: str) -> None:
    file = io.StringIO(newline="")
    write_rows(file, rows, separator=separator)
    csv_rows = csv.reader(io.StringIO(file.getvalue(), newline=""), delimiter=separator)
    assert [[unguard(cell) for cell in row] for row in csv_rows] == rows


NAMES = st.builds(
    str.__add__,
    st.sampled_from(("=", "+", "-", "@", "'", "'=", "＝")),
    st.text("abc XYZ=+-@'(),;\"12", min_size=1, max_size=14),
)


@given(st.lists(NAMES, min_size=1, max_size=4, unique=True))
def test_exported_list_holds_no_formula_and_is_read_as_it_was(names: list[str]) -> None:
    entries = [ExportEntry(2, name.strip()) for name in names]
    try:
        text = export(entries, "csv")
    except CannotExport:
        return
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert not any(map(runs_as_formula, cells))
    assert [(line.qty, line.name) for line in parse(text).cards] == [
        (entry.qty, clean(entry.name)) for entry in entries
    ]


@each_case("name", ["=Tin", "+Tin", "-Tin", "@Tin", "＝Tin", "'=Tin", "=SUM(A1;B2)", "'Tin"])
def test_card_whose_name_begins_with_sign_is_exported_and_read_again(name: str) -> None:
    text = export([ExportEntry(4, name)], "csv")
    assert [(line.qty, line.name) for line in parse(text).cards] == [(4, clean(name))]


def test_table_of_others_with_guarded_cells_is_read_without_the_guard() -> None:
    [line] = parse("Quantity,Name\n'+4,'=Tin\n").cards
    assert (line.qty, line.name) == (4, "=Tin")


def test_only_one_module_writes_tables() -> None:
    writers = [
        str(file.relative_to(CLONE))
        for package in ("rules", "decks", "tournament", "config")
        for file in (CLONE / package).rglob("*.py")
        if re.search(r"csv\.writer|DictWriter", file.read_text(encoding="utf-8"))
    ]
    assert writers == ["decks/shared/csv_cells.py"]
