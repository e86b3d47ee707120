"""Long lists cut into pages of columns.

Nothing is lost, and nothing runs into its neighbor.
"""

from __future__ import annotations

import pytest
from django.utils.html import conditional_escape
from hypothesis import given
from hypothesis import strategies as st

from tests.everyday import each_case
from tournament.printing.columns import ListColumn, break_row, merge_number_columns
from tournament.printing.list_fit import fit_list
from tournament.printing.sheets.badges import NAME_MM, fit_badge_name
from tournament.printing.sheets.lists import BY_NAME, BY_TABLE, SEATING
from tournament.shared.text import (
    find_size_step,
    fits_width,
    measure_width,
    shorten_text,
    wrap_name,
    wrap_text,
)

NAMES = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=80)


def test_the_alphabet_runs_down_the_columns() -> None:
    rows = [(f"{n:03}", "", "") for n in range(120)]
    (page,) = fit_list(BY_NAME, rows, "A4")["pages"]
    starts = [strip.blocks[0].lines[0].text for strip in page.strips]
    assert starts == ["000", "060"]


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


def test_numbers_are_merged_into_one_column_in_line() -> None:
    merged_rows = merge_number_columns(
        [["12", "4-0-0", "66.67"], ["3", "1-3-0", "5.00"]], ["PTS", "W-L-D", "OMW"]
    )
    assert merged_rows == ("PTS  W-L-D    OMW", [" 12  4-0-0  66.67", "  3  1-3-0   5.00"])


def test_markup_in_names_is_text() -> None:
    layout = fit_list(BY_TABLE, [("1", "Ann", "0", "Ben", "0", "")], "A4")["layout"]
    (line,) = break_row(layout, ("1", "<b>Bo</b>", "0", "Eve & Co", "0", ""))
    assert conditional_escape(line[1]) == "&lt;b&gt;Bo&lt;/b&gt;"


@pytest.mark.parametrize("name", ["Ann", "W" * 80, "Pablo Echeverría-Santos de la Torre y Álvarez"])
def test_a_name_on_a_badge_fits_its_lines(name: str) -> None:
    size, lines = fit_badge_name(name)
    assert [fits_width(line, NAME_MM, size) for line in lines] == [True] * len(lines)


def test_word_of_42_letters_is_whole_on_a_badge() -> None:
    word = "Donaudampfschifffahrtsgesellschaftskapitän"
    assert fit_badge_name(f"{word} Müller")[1] == [word, "Müller"]


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
    fitted_list = fit_list(BY_NAME, rows, "Letter")
    strips = [strip for page in fitted_list["pages"] for strip in page.strips]
    texts = [line.text for strip in strips for line in strip.blocks[1].lines if line.text]
    assert texts == [f"#{n}" for n in range(len(names))]
    assert max((sum(strip.depths) for strip in strips), default=0) <= fitted_list["layout"].rows["Letter"]


def test_a_heading_too_long_for_its_column_is_set_smaller_and_then_cut() -> None:
    heads = [
        ListColumn("l-result", head, head_mm=14).fit_head(8.5)
        for head in ("Result", "Ergebnis", "Resultaat", "Tulosluettelo")
    ]
    assert [(head.text, head.step) for head in heads] == [
        ("Result", 100),
        ("Ergebnis", 100),
        ("Resultaat", 88),
        ("Tulosluettelo", 64),
    ]
    assert ListColumn("l-result", "Tulosluetteloiden", head_mm=14).fit_head(8.5).text.endswith("…")


def test_headings_of_lists_are_whole_in_english() -> None:
    for kind, row in ((BY_TABLE, ["A"] * 6), (BY_NAME, ["A"] * 3), (SEATING, ["A"] * 2)):
        for count in (8, 32, 200):
            layout = fit_list(kind, [row] * count, "A4")["layout"]
            assert {column.fit_head(layout.head_points).step for column in layout.columns} == {100}


@each_case(
    ("name", "room", "step", "lines"),
    [
        ("Ann Abe", 40, 100, ["Ann Abe"]),
        ("Łukasz Żółkiewski-Brzęczyszczykiewicz", 45, 100, ["Łukasz Żółkiewski-", "Brzęczyszczykiewicz"]),
        ("佐藤健太郎佐藤健太郎", 20, 100, ["佐藤健太郎", "佐藤健太郎"]),
        ("Wolfeschlegelsteinhausenbergerdorff", 40, 64, ["Wolfeschlegelsteinhausenbergerdorff"]),
    ],
)
def test_a_name_breaks_where_words_break(name: str, room: float, step: int, lines: list[str]) -> None:
    assert wrap_name(name, room, 9.5)[1] == lines
