"""Long lists in the size that fits them: large for a few people, denser where that saves a page."""

from __future__ import annotations

import pytest

from tournament.printing.sheets.lists import BY_NAME_SIZES, BY_TABLE_SIZES, SEATING_SIZES, ListSizes

LONG = "Pablo Echeverría-Santos de la Torre y Álvarez del Castillo Montenegro"


def people(count: int) -> list[tuple[str, str, str]]:
    """Rows by name, one in fifty a name of several lines."""
    return [(LONG if n % 50 == 0 else f"Player Number {n}", str(n), f"Opponent {n}") for n in range(count)]


def tables(count: int) -> list[tuple[str, ...]]:
    """Rows by table."""
    return [(str(n), f"Player {n}", "0", LONG if n % 50 == 0 else "Another", "0", "") for n in range(count)]


def made(sizes: ListSizes, rows: list[tuple[str, ...]], paper: str) -> tuple[str, int]:
    """The words of the layout that was taken, and how many pages it filled."""
    found = sizes.fit(rows, paper)
    return found["layout"].css, len(found["pages"])


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_two_hundred_players_fit_two_pages_however_the_list_is_ordered(paper: str) -> None:
    seats = [(name, table) for name, table, _ in people(200)]
    found = [
        made(BY_NAME_SIZES, people(200), paper),
        made(BY_TABLE_SIZES, tables(100), paper),
        made(SEATING_SIZES, seats, paper),
    ]
    assert [pages for _, pages in found] == [2, 2, 2]


@pytest.mark.parametrize(
    ("players", "css", "pages"),
    [
        (8, "by-name is-large", 1),
        (34, "by-name", 1),
        (90, "by-name", 1),
        (112, "by-name is-dense", 1),
        (130, "by-name", 2),
        (2000, "by-name", 20),
    ],
)
def test_a_list_is_as_large_as_its_pages_allow(players: int, css: str, pages: int) -> None:
    assert made(BY_NAME_SIZES, people(players), "A4") == (css, pages)


def test_an_opponent_of_many_names_is_named_whole_on_a_large_list() -> None:
    (page,) = BY_NAME_SIZES.fit([("Ada", "1", LONG)], "A4")["pages"]
    (_, _, opponent) = page.strips[0]
    assert " ".join(word.text for word in opponent.lines) == LONG


def test_nobody_makes_one_empty_page() -> None:
    assert made(BY_NAME_SIZES, [], "Letter") == ("by-name is-large", 1)
