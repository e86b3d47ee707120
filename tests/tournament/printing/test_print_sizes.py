"""Lists that fill their pages.

Pages are as few as there can be, with the largest type on them and columns by content.
"""

from __future__ import annotations

import pytest

from tests.everyday import each_case
from tournament.printing.columns import HeadingRow, ListPage
from tournament.printing.list_fit import PrintedListKind, fit_list
from tournament.printing.sheets.lists import BY_NAME, BY_TABLE, CHECK_IN, SEATING
from tournament.printing.sheets.standings import build_figure_pages
from tournament.shared.page_fills import FillMark
from tournament.shared.text import MM_PER_POINT, measure_width

LONG = "Pablo Echeverría-Santos de la Torre y Álvarez del Castillo Montenegro"
WORD = "Friedrich-Wilhelm von Hohenhausenbergerdorff"
PAPERS = ("A4", "Letter")


def people(count: int) -> list[tuple[str, str, str]]:
    """Return rows by name, one in fifty a name of several lines."""
    return [(LONG if n % 50 == 0 else f"Player Number {n}", str(n), f"Opponent {n}") for n in range(count)]


def tables(count: int) -> list[tuple[str, ...]]:
    """Return rows by table."""
    return [(str(n), f"Player {n}", "0", LONG if n % 50 == 0 else "Another", "0", "") for n in range(count)]


def pages_of(kind: PrintedListKind, rows: list[tuple[str, ...]], paper: str) -> list[ListPage]:
    """Return the pages that a list takes."""
    return list(fit_list(kind, rows, paper)["pages"])


def standings_pages(count: int, paper: str, notes: int = 9) -> list[ListPage]:
    """Return the pages of standings with a legend."""
    rows = [(str(n), f"Player {n}", ["12", "4-0-0", "66.7", "58.3"]) for n in range(1, count + 1)]
    words = ["A sentence about one of the tiebreakers that takes most of a line on paper."] * notes
    return list(build_figure_pages(rows, ["PTS", "W-L-D", "OMW", "GW"], words, paper)["pages"])


@pytest.mark.parametrize("paper", PAPERS)
def test_lists_of_two_hundred_players_take_two_pages_of_either_paper(paper: str) -> None:
    seats = [(name, table) for name, table, _ in people(200)]
    found_pages = [
        pages_of(BY_NAME, people(200), paper),
        pages_of(BY_TABLE, tables(100), paper),
        pages_of(SEATING, seats, paper),
    ]
    assert [len(pages) for pages in found_pages] == [2, 2, 2]


@pytest.mark.parametrize("paper", PAPERS)
def test_standings_of_two_hundred_players_take_four_pages_of_either_paper(paper: str) -> None:
    assert len(standings_pages(200, paper)) == 4


@each_case("paper", PAPERS)
@each_case("count", [34, 48, 56, 60, 110, 224])
def test_no_page_has_only_a_legend(count: int, paper: str) -> None:
    assert min(page.rows for page in standings_pages(count, paper)) >= 5


@each_case(("players", "points"), [(8, 16), (32, 13), (50, 9.5), (200, 9.5), (2000, 9.5)])
def test_a_list_is_as_large_as_its_pages_allow(players: int, points: float) -> None:
    rows = [(f"Ann Abe {n}", str(n), f"Ben Ito {n}") for n in range(players)]
    layout = fit_list(BY_NAME, rows, "A4")["layout"]
    assert layout.points >= points


def test_thirty_two_players_fill_the_page_and_its_width() -> None:
    layout = fit_list(BY_NAME, people(32), "A4")["layout"]
    last = layout.columns[-1]
    assert (layout.abreast, round(last.left + (last.width or 0))) == (1, 182)
    assert 32 * layout.row_mm > 200


def test_the_last_page_of_two_strips_is_balanced() -> None:
    rows = [(f"P {n}", str(n), "Q") for n in range(130)]
    *_, last = pages_of(BY_NAME, rows, "A4")
    lines = [sum(strip.depths) for strip in last.strips]
    assert max(lines) - min(lines) <= 1


def test_a_name_is_broken_where_words_break_and_never_cut() -> None:
    for paper in PAPERS:
        for kind, row in ((BY_NAME, (WORD, "1", LONG)), (BY_TABLE, ("1", WORD, "0", LONG, "0", ""))):
            pages = pages_of(kind, [row] * 200, paper)
            cells = [cell for strip in pages[0].strips for cell in next(strip.table_rows).cells]
            texts = [" ".join(line.text for line in cell.lines if line.text) for cell in cells]
            assert {WORD, LONG} <= set(texts), texts


def test_short_columns_are_as_wide_as_their_texts() -> None:
    columns = {column.css: column for column in fit_list(BY_TABLE, tables(16), "A4")["layout"].columns}
    assert (columns["l-one-points"].width or 0) < 14
    assert (columns["l-one"].mm or 0) < (columns["l-two"].mm or 0)
    for column in columns.values():
        head = measure_width(str(column.head)) * 8.5 * MM_PER_POINT / 1000
        assert (column.width or 0) >= head


@each_case(
    ("names", "css", "lines"),
    [
        (["Ann Abe"] * 8, "standings z160 n140", 1),
        ([LONG] + ["Ann Abe"] * 7, "standings z160 n110", 2),
        (["Pablo Echeverría-Santos de la Torre"] + ["Ann Abe"] * 7, "standings z160 n110", 1),
    ],
)
def test_figures_of_standings_leave_their_room_to_long_names(names: list[str], css: str, lines: int) -> None:
    rows = [(str(at), name, ["12", "4-0-0", "66.7", "58.3", "100.0"]) for at, name in enumerate(names, 1)]
    context = build_figure_pages(rows, ["PTS", "W-L-D", "OMW", "GW", "OGW"], [], "A4")
    assert (context["layout"].css, context["pages"][0].strips[0].depths[0]) == (css, lines)


def test_a_stripe_is_as_high_as_its_row() -> None:
    layout = fit_list(BY_NAME, [("Ann", "1", "Ben"), (LONG, "2", LONG), ("Cem", "3", "Eva")], "A4")["layout"]
    (page,) = pages_of(BY_NAME, [("Ann", "1", "Ben"), (LONG, "2", LONG), ("Cem", "3", "Eva")], "A4")
    depth = page.strips[0].depths[1]
    assert page.strips[0].marks.marks == (FillMark(0, layout.row_mm, 182, depth * layout.row_mm),)
    assert depth > 1


def test_each_person_has_one_box_to_tick() -> None:
    rows = [(" ", str(n), LONG if n else "Ann", "–", "") for n in range(5)]
    (page,) = pages_of(CHECK_IN, rows, "A4")
    assert sum(not mark.is_filled for mark in page.strips[0].marks.marks) == 5


def test_a_heading_stays_with_the_row_below_it() -> None:
    rows = [
        *((str(n), f"Player {n}", ["1"]) for n in range(600)),
        HeadingRow(("", "Group B:", "")),
        ("1", "Z", ["1"]),
    ]
    *_, last = build_figure_pages(rows, ["PTS"], [], "A4")["pages"]
    names = [line.text for line in last.strips[0].blocks[1].lines]
    assert names[-2:] == ["Group B:", "Z"]


def test_heading_has_a_line_and_rows_below_it_begin_without_a_stripe() -> None:
    rows = [HeadingRow(("", "Group A", "")), *((str(n), f"Player {n}", ["1"]) for n in (1, 2, 3))]
    rows += [HeadingRow(("", "Group B", "")), *((str(n), f"Player {n}", ["1"]) for n in (1, 2))]
    (page,) = build_figure_pages(rows, ["PTS"], [], "A4")["pages"]
    (strip,) = page.strips
    row_mm = strip.rows_mm / len(rows)
    stripes = [round(mark.y / row_mm) for mark in strip.marks.marks if mark.is_filled]
    lines = [round(mark.y / row_mm) for mark in strip.marks.marks if not mark.is_filled]
    assert (stripes, lines) == ([2, 6], [1, 5])
    assert [row.is_heading for row in strip.table_rows] == [True, False, False, False, True, False, False]


def test_no_players_make_one_empty_page() -> None:
    assert [page.rows for page in pages_of(BY_NAME, [], "Letter")] == [0]
