"""Long lists as pages of columns: a column is one block of preformatted text, so that long ones are fast.

A table cell costs a renderer most of a millisecond; a line of a block costs a tenth of it. The price: nothing
wraps by itself. Rows are cut into pages here, and names are measured, set smaller or broken here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from tournament.shared.print_words import PLACE, Fill, Word, one_each
from tournament.shared.text_width import STEPS, shortened, step_for, wrapped


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
    """A column on a page: its class, heading, and its lines; none where no line has a word."""

    css: str
    head: str
    lines: tuple[Word, ...]

    @property
    def text(self) -> SafeString:
        """The lines as one text."""
        return SafeString("\n".join(map(conditional_escape, self.lines)))


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a list: its strips side by side, each made of blocks; `number` of the `total` pages."""

    strips: list[list[Block]]
    rows: int
    number: int = 1
    total: int = 1
    foot: Word = PLACE

    @property
    def blocks(self) -> list[Block]:
        """The columns of all strips."""
        return [block for strip in self.strips for block in strip]

    @property
    def shape(self) -> Hashable:
        """How many lines stand where, and whether words may follow on the page."""
        return self.number == self.total, tuple(len(block.lines) for block in self.blocks)

    def blank(self) -> Page:
        """The same page with a figure on each of its lines."""
        strips = [
            [replace(block, lines=(PLACE,) * len(block.lines)) for block in strip] for strip in self.strips
        ]
        return replace(self, strips=strips, foot=PLACE)

    def fills(self) -> list[Fill]:
        """The lines of each column that has any, and the foot."""
        return [*(one_each(block.lines) for block in self.blocks if block.lines), one_each([self.foot])]


Line = tuple[Word, ...]


class Heading(tuple[str, ...]):
    """A row that stays on the page of the row below it."""

    __slots__ = ()


def pages(layout: Layout, rows: Sequence[Sequence[str]], paper: str) -> list[Page]:
    """The rows on pages; down the first strip, then down the next. At least one page."""
    a_strip = layout.rows[paper]
    strips = [list(strip) for strip in _strips(layout, rows, a_strip)] or [[]]
    return numbered(
        Page([_blocks(layout, strip) for strip in strips[at : at + layout.abreast]], len(strips[at]))
        for at in range(0, len(strips), layout.abreast)
    )


def numbered(made: Iterable[Page]) -> list[Page]:
    """The pages with their numbers, which stand at the foot too."""
    every = list(made)
    return [
        replace(page, number=at, total=len(every), foot=Word(f"Page {at} of {len(every)}"))
        for at, page in enumerate(every, 1)
    ]


def _strips(layout: Layout, rows: Sequence[Sequence[str]], a_strip: int) -> Iterator[list[Line]]:
    """Lines in strips; the lines of one row stay together, and headings with the row below them."""
    strip: list[Line] = []
    heads: list[Line] = []
    for row in rows:
        lines = [*heads, *set_row(layout, row)]
        heads = lines if isinstance(row, Heading) else []
        if heads:
            continue
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
    return [tuple(cell[at] if at < len(cell) else Word("") for cell in cells) for at in range(depth)]


def _cell(text: str, column: Column, points: float) -> list[Word]:
    mm = column.mm
    if mm is None:
        return [Word(text)]
    text = " ".join(text.split())
    step = step_for(text, mm, points)
    if step is not None:
        return [Word(text, step)]
    least = STEPS[-1]
    if column.is_cut:
        return [Word(shortened(text, mm, points * least / 100), least)]
    return [Word(line, least) for line in wrapped(text, mm, points * least / 100)]


def _blocks(layout: Layout, lines: list[Line]) -> list[Block]:
    texts = zip(*lines, strict=True) if lines else ((),) * len(layout.columns)
    return [
        Block(column.css, column.head, text if any(word.text for word in text) else ())
        for column, text in zip(layout.columns, texts, strict=True)
    ]


def numbers(rows: Sequence[Sequence[str]], heads: Sequence[str]) -> tuple[str, list[str]]:
    """Columns of numbers merged into one, for a font in which all signs are equally wide: heading, rows."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    return _padded(heads, widths), [_padded(row, widths) for row in rows]


def _padded(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
