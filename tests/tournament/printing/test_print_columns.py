"""Long lists cut into pages of columns: nothing is lost, nothing runs into its neighbour."""

from __future__ import annotations

import re

import pytest
from django.utils.html import conditional_escape
from hypothesis import given
from hypothesis import strategies as st

from tournament.printing.layout.columns import Heading, numbers, pages, set_row
from tournament.printing.layout.list_sizes import BY_NAME, BY_TABLE
from tournament.printing.sheets.badges import fitted
from tournament.shared.text_width import fits, shortened, step_for, thousandths, wrapped

NAMES = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=80)


def test_two_hundred_players_by_name_fit_two_pages_of_either_paper() -> None:
    rows = [(f"Player Number {n}", str(n), f"Opponent {n}") for n in range(200)]
    assert [len(pages(BY_NAME, rows, paper)) for paper in ("A4", "Letter")] == [2, 2]


def test_the_alphabet_runs_down_the_columns() -> None:
    rows = [(f"{n:03}", "", "") for n in range(120)]
    first, second = pages(BY_NAME, rows, "A4")
    starts = [str(strip[0].text).split("\n")[0] for page in (first, second) for strip in page.strips]
    assert starts == ["000", "053", "106"]


def test_wide_scripts_count_a_whole_size_a_sign() -> None:
    assert [thousandths(text) for text in ("佐藤", "ii", "é", "e\N{COMBINING ACUTE ACCENT}")] == [
        2000,
        700,
        650,
        650,
    ]


def test_a_name_is_set_smaller_before_it_takes_a_second_line() -> None:
    name = "Maximiliane Oberhuber-Stein"
    assert [step_for(name, room, 10.5) for room in (70, 57, 49, 30)] == [100, 88, 76, None]


def test_a_column_without_a_word_costs_no_line() -> None:
    (page,) = pages(BY_TABLE, [("1", "Alice", "0", "Bob", "0", "")], "A4")
    assert (page.strips[0][5].lines, page.strips[0][5].text) == ((), "")


def test_numbers_are_merged_into_one_column_in_line() -> None:
    merged = numbers([["12", "4-0-0", "66.67"], ["3", "1-3-0", "5.00"]], ["PTS", "W-L-D", "OMW"])
    assert merged == ("PTS  W-L-D    OMW", [" 12  4-0-0  66.67", "  3  1-3-0   5.00"])


def test_a_heading_stays_with_the_row_below_it() -> None:
    rows = [*((f"{n}", "", "") for n in range(52)), Heading(("Group B", "", "")), ("B1", "", "")]
    (page,) = pages(BY_NAME, rows, "A4")
    assert [str(strip[0].text).split("\n")[0] for strip in page.strips] == ["0", "Group B"]


def test_markup_in_names_is_text() -> None:
    (line,) = set_row(BY_TABLE, ("1", "<b>Bo</b>", "0", "Eve & Co", "0", ""))
    assert conditional_escape(line[1]) == "&lt;b&gt;Bo&lt;/b&gt;"


@pytest.mark.parametrize("name", ["Ann", "W" * 80, "Pablo Echeverría-Santos de la Torre y Álvarez"])
def test_a_name_on_a_badge_fits_its_lines(name: str) -> None:
    size, lines = fitted(name)
    assert [fits(line, 58, size) for line in lines] == [True] * len(lines)


@given(NAMES)
def test_a_wrapped_name_loses_no_letter_and_fits(name: str) -> None:
    lines = wrapped(name, 42, 9.5)
    assert "".join(lines).replace(" ", "") == name.replace(" ", "")
    assert [fits(line, 42, 9.5) for line in lines] == [True] * len(lines)


@given(NAMES)
def test_a_shortened_name_fits_and_shows_that_it_is_shortened(name: str) -> None:
    short = shortened(name, 30, 9.5)
    assert fits(short, 30, 9.5)
    assert short == name or short.endswith("…")


@given(st.lists(NAMES, max_size=150))
def test_every_row_stands_on_some_page_once(names: list[str]) -> None:
    rows = [(name, f"#{n}", "") for n, name in enumerate(names)]
    made = pages(BY_NAME, rows, "Letter")
    shown = [found for page in made for strip in page.strips for found in re.findall(r"#\d+", strip[1].text)]
    assert shown == [f"#{n}" for n in range(len(names))]
    assert max(page.rows for page in made) <= 50
