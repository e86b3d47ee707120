"""Places, names and figures on pages: of standings, and of a league. All figures of a row are one column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tournament.printing.layout.columns import Column, Heading, Layout, Page, numbered, numbers, pages
from tournament.shared.text_width import MM_A_POINT, MONO

ROWS = {"A4": 45, "Letter": 41}
POINTS = 10.5
NUMBER_SIZES = (9.5, 8.5, 7.5, 6.5, 5.5)
ROOM = 168.0
# Denser, where that saves a page of a few.
DENSE_ROWS, DENSE_POINTS, DENSE_UP_TO = {"A4": 53, "Letter": 50}, 9.5, 5
# A line of words below the last row is at most so much of a row high.
WORDS_HEIGHT = 0.81

Row = tuple[str, str, Sequence[str]]


def set_figures(
    rows: Sequence[Row | Heading], heads: Sequence[str], words: list[str], paper: str
) -> dict[str, Any]:
    """Rows on pages, the figures as wide as the widest of them; the words stand below the last.

    A row without figures is one of somebody who has none. What a template for columns shows comes out.
    """
    told = [row[2] or [""] * len(heads) if heads else [] for row in rows if not isinstance(row, Heading)]
    head, merged = numbers(told, heads)
    size, room = _number_size(len(head))
    columns = (Column("l-place", "Place"), Column("l-name", "Player", room), Column("l-figures", head))
    figures = iter(merged)
    lines = [row if isinstance(row, Heading) else (row[0], row[1], next(figures)) for row in rows]
    usual = Layout(f"standings n{int(size * 10)}", columns, POINTS, ROWS)
    tried = [(usual, _pages(usual, lines, words, paper))]
    if 1 < len(tried[0][1]) <= DENSE_UP_TO:
        dense = replace(usual, css=f"{usual.css} is-dense", points=DENSE_POINTS, rows=DENSE_ROWS)
        tried.append((dense, _pages(dense, lines, words, paper)))
    layout, made = min(tried, key=lambda each: len(each[1]))
    return {"layout": layout, "pages": made, "words": words}


def _pages(layout: Layout, lines: Sequence[Sequence[str]], words: list[str], paper: str) -> list[Page]:
    """The rows on pages, and one more for the words where they do not fit below the last row."""
    made = pages(layout, lines, paper)
    if made[-1].rows + len(words) * WORDS_HEIGHT + 1 > layout.rows[paper]:
        made = numbered([*made, Page([], 0)])
    return made


def _number_size(signs: int) -> tuple[float, float]:
    """The type size of the figures, and the millimetres left for names beside them."""
    for size in NUMBER_SIZES:
        taken = signs * MONO / 1000 * size * MM_A_POINT
        if ROOM - taken >= 55:
            break
    return size, max(ROOM - taken - 2, 30)
