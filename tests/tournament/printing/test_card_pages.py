"""Lists of cards on paper.

They flow down two strips, and every page has the same lines.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.printing.card_pages import (
    EMPTY_ROW,
    REGISTRATION_LAYOUT,
    CardRow,
    ListOwner,
    PrintedCardPage,
    build_card_pages,
)

CARDS = st.builds(
    lambda qty, name: CardRow(qty=str(qty), card=name), st.integers(1, 4), st.text("aW ", max_size=70)
)
ROWS = st.lists(st.one_of(CARDS, st.integers(1, 99).map(lambda n: CardRow(f"Zone {n}"))), max_size=120)
DEPTH = REGISTRATION_LAYOUT.rows["A4"]


def make_card_pages(rows: list[CardRow], note: str = "") -> list[PrintedCardPage]:
    return build_card_pages(
        REGISTRATION_LAYOUT, "A4", [(ListOwner("Alice", "1", "Ken"), rows, note)], asks_character=True
    )


def strips(pages: list[PrintedCardPage]) -> list[list[tuple[str, ...]]]:
    """Return the lines of every strip, each as heading, number, card and boxes."""
    strips = [strip for page in pages for strip in page.strips]
    return [
        [tuple(word.text for word in line) for line in zip(*(b.lines for b in strip), strict=True)]
        for strip in strips
    ]


@given(ROWS)
def test_no_card_is_lost_and_every_strip_has_all_its_lines(rows: list[CardRow]) -> None:
    lines = [line for strip in strips(make_card_pages(rows)) for line in strip]
    text = "".join(line[2] for line in lines).replace(" ", "")
    assert text == "".join(row.card for row in rows).replace(" ", "")
    assert [line[1] for line in lines if line[1]] == [row.qty for row in rows if row.qty]
    assert {len(strip) for strip in strips(make_card_pages(rows))} == {DEPTH}


@given(ROWS)
def test_a_heading_is_never_the_last_line_of_a_strip(rows: list[CardRow]) -> None:
    assert [strip[-1][0] for strip in strips(make_card_pages(rows))] == [""] * len(
        strips(make_card_pages(rows))
    )


def test_a_long_list_goes_on_on_a_page_that_says_whose_it_is() -> None:
    pages = make_card_pages([CardRow(qty="1", card=f"Card {n}") for n in range(100)], "Version 1")
    assert [(page.owner_html[0], page.note.text, page.foot.text) for page in pages] == [
        ("Alice", "Version 1", "Page 1 of 2"),
        ("Alice", "Version 1", "Page 2 of 2"),
    ]


@pytest.mark.parametrize(("rows", "pages"), [([], 1), ([EMPTY_ROW] * 80, 1), ([EMPTY_ROW] * 81, 2)])
def test_two_strips_make_a_page(rows: list[CardRow], pages: int) -> None:
    assert len(make_card_pages(rows)) == pages
