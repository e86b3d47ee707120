"""Long lists cut into pages of columns: nothing is lost, nothing runs into its neighbour."""

from __future__ import annotations

import re

import pytest
from django.utils.html import conditional_escape
from hypothesis import given
from hypothesis import strategies as st

from tournament.printing.columns import HeadingRow, ListColumn, break_row, merge_number_columns, paginate
from tournament.printing.sheets.badges import fit_badge_name
from tournament.printing.sheets.lists import (
    BY_NAME_LAYOUT,
    BY_NAME_SIZES,
    BY_TABLE_LAYOUT,
    BY_TABLE_SIZES,
    SEATING_SIZES,
)
from tournament.shared.text import find_size_step, fits_width, measure_width, shorten_text, wrap_text

NAMES = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=80)


def test_two_hundred_players_by_name_fit_two_pages_of_either_paper() -> None:
    rows = [(f"Player Number {n}", str(n), f"Opponent {n}") for n in range(200)]
    assert [len(paginate(BY_NAME_LAYOUT, rows, paper)) for paper in ("A4", "Letter")] == [2, 2]


def test_the_alphabet_runs_down_the_columns() -> None:
    rows = [(f"{n:03}", "", "") for n in range(120)]
    first, second = paginate(BY_NAME_LAYOUT, rows, "A4")
    starts = [str(strip[0].text).split("\n")[0] for page in (first, second) for strip in page.strips]
    assert starts == ["000", "053", "106"]


def test_wide_scripts_count_a_whole_size_a_sign() -> None:
    assert [measure_width(text) for text in ("佐藤", "ii", "é", "e\N{COMBINING ACUTE ACCENT}")] == [
        2000,
        700,
        650,
        650,
    ]


def test_a_name_is_set_smaller_before_it_takes_a_second_line() -> None:
    name = "Maximiliane Oberhuber-Stein"
    assert [find_size_step(name, room, 10.5) for room in (70, 57, 49, 30)] == [100, 88, 76, None]


def test_a_column_without_a_word_costs_no_line() -> None:
    (page,) = paginate(BY_TABLE_LAYOUT, [("1", "Alice", "0", "Bob", "0", "")], "A4")
    assert (page.strips[0][5].lines, page.strips[0][5].text) == ((), "")


def test_numbers_are_merged_into_one_column_in_line() -> None:
    merged = merge_number_columns([["12", "4-0-0", "66.67"], ["3", "1-3-0", "5.00"]], ["PTS", "W-L-D", "OMW"])
    assert merged == ("PTS  W-L-D    OMW", [" 12  4-0-0  66.67", "  3  1-3-0   5.00"])


def test_a_heading_stays_with_the_row_below_it() -> None:
    rows = [*((f"{n}", "", "") for n in range(52)), HeadingRow(("Group B", "", "")), ("B1", "", "")]
    (page,) = paginate(BY_NAME_LAYOUT, rows, "A4")
    assert [str(strip[0].text).split("\n")[0] for strip in page.strips] == ["0", "Group B"]


def test_markup_in_names_is_text() -> None:
    (line,) = break_row(BY_TABLE_LAYOUT, ("1", "<b>Bo</b>", "0", "Eve & Co", "0", ""))
    assert conditional_escape(line[1]) == "&lt;b&gt;Bo&lt;/b&gt;"


@pytest.mark.parametrize("name", ["Ann", "W" * 80, "Pablo Echeverría-Santos de la Torre y Álvarez"])
def test_a_name_on_a_badge_fits_its_lines(name: str) -> None:
    size, lines = fit_badge_name(name)
    assert [fits_width(line, 58, size) for line in lines] == [True] * len(lines)


@given(NAMES)
def test_a_wrapped_name_loses_no_letter_and_fits(name: str) -> None:
    lines = wrap_text(name, 42, 9.5)
    assert "".join(lines).replace(" ", "") == name.replace(" ", "")
    assert [fits_width(line, 42, 9.5) for line in lines] == [True] * len(lines)


@given(NAMES)
def test_a_shortened_name_fits_and_shows_that_it_is_shortened(name: str) -> None:
    short = shorten_text(name, 30, 9.5)
    assert fits_width(short, 30, 9.5)
    assert short == name or short.endswith("…")


@given(st.lists(NAMES, max_size=150))
def test_every_row_stands_on_some_page_once(names: list[str]) -> None:
    rows = [(name, f"#{n}", "") for n, name in enumerate(names)]
    made = paginate(BY_NAME_LAYOUT, rows, "Letter")
    shown = [found for page in made for strip in page.strips for found in re.findall(r"#\d+", strip[1].text)]
    assert shown == [f"#{n}" for n in range(len(names))]
    assert max(page.rows for page in made) <= 50


def test_a_heading_too_long_for_its_column_is_set_smaller_and_then_cut() -> None:
    heads = [
        ListColumn("l-result", head, head_mm=14).fit_head(8.5) for head in ("Result", "Ergebnis", "Resultaat")
    ]
    assert [(head.text, head.step) for head in heads] == [
        ("Result", 100),
        ("Ergebnis", 100),
        ("Resultaat", 88),
    ]
    assert ListColumn("l-result", "Tulosluettelo", head_mm=14).fit_head(8.5).text.endswith("…")


def test_headings_of_lists_are_whole_in_english() -> None:
    for sizes in (BY_TABLE_SIZES, BY_NAME_SIZES, SEATING_SIZES):
        for layout in (sizes.large, sizes.usual, sizes.dense):
            heads = [column.fit_head(layout.head_points) for column in layout.columns]
            assert {head.step for head in heads} == {100}
