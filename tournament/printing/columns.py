"""Long lists as pages of columns: a column is one block of preformatted text, so that long ones are fast.

A table cell costs a renderer most of a millisecond; a line of a block costs a tenth of it. The price: nothing
wraps by itself. Rows are cut into pages here, and names are measured, set smaller or broken here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from tournament.printing.measure import STEPS, shortened, step_for, wrapped


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a list: the class that places it, its heading, and how much room names have.

    `mm` None: the texts are short and set as they are. `is_cut`: one line is enough, and what does not fit
    is left out with “…”; else long texts take more lines.
    """

    css: str
    head: str
    mm: float | None = None
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """A kind of list: its columns, type size, how many stand side by side, and rows to a column by paper."""

    css: str
    columns: tuple[Column, ...]
    points: float
    rows: dict[str, int]
    abreast: int = 1


@dataclass(frozen=True, slots=True)
class Block:
    """A column on a page: its class, heading, and its lines as one text."""

    css: str
    head: str
    text: SafeString


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a list: its strips side by side, each made of blocks."""

    strips: list[list[Block]]
    rows: int


Line = tuple[SafeString, ...]


def pages(layout: Layout, rows: Sequence[Sequence[str]], paper: str) -> list[Page]:
    """The rows on pages; down the first strip, then down the next. At least one page."""
    a_strip = layout.rows[paper]
    strips = [list(strip) for strip in _strips(layout, rows, a_strip)] or [[]]
    return [
        Page([_blocks(layout, strip) for strip in strips[at : at + layout.abreast]], len(strips[at]))
        for at in range(0, len(strips), layout.abreast)
    ]


def _strips(layout: Layout, rows: Sequence[Sequence[str]], a_strip: int) -> Iterator[list[Line]]:
    """Lines in strips; the lines of one row stay together."""
    strip: list[Line] = []
    for row in rows:
        lines = set_row(layout, row)
        if strip and len(strip) + len(lines) > a_strip:
            yield strip
            strip = []
        strip += lines
    if strip:
        yield strip


def set_row(layout: Layout, row: Sequence[str]) -> list[Line]:
    """The lines that one row takes: one, or as many as its longest name needs."""
    cells = [_cell(text, column, layout.points) for text, column in zip(row, layout.columns, strict=True)]
    depth = max(map(len, cells))
    if depth == 1:
        return [tuple(cell[0] for cell in cells)]
    return [tuple(cell[at] if at < len(cell) else SafeString("") for cell in cells) for at in range(depth)]


def _cell(text: str, column: Column, points: float) -> list[SafeString]:
    mm = column.mm
    if mm is None:
        return [conditional_escape(text)]
    text = " ".join(text.split())
    step = step_for(text, mm, points)
    if step == STEPS[0]:
        return [conditional_escape(text)]
    if step is not None:
        return [_smaller(text, step)]
    if column.is_cut:
        return [_smaller(shortened(text, mm, points * STEPS[-1] / 100), STEPS[-1])]
    return [_smaller(line, STEPS[-1]) for line in wrapped(text, mm, points * STEPS[-1] / 100)]


def _smaller(text: str, step: int) -> SafeString:
    return SafeString(f'<i class="t{step}">{conditional_escape(text)}</i>')


def _blocks(layout: Layout, lines: list[Line]) -> list[Block]:
    texts = zip(*lines, strict=True) if lines else ((),) * len(layout.columns)
    return [
        Block(column.css, column.head, SafeString("\n".join(text) if any(text) else ""))
        for column, text in zip(layout.columns, texts, strict=True)
    ]


def numbers(rows: Sequence[Sequence[str]], heads: Sequence[str]) -> tuple[str, list[str]]:
    """Columns of numbers merged into one, for a font in which all signs are equally wide: heading, rows."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    return _padded(heads, widths), [_padded(row, widths) for row in rows]


def _padded(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
