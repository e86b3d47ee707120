"""Break rows into pages of preformatted columns; fit names to the width of a line.

A table cell costs a renderer most of a millisecond; a line of a block costs a tenth of it. The price: nothing
wraps by itself. Rows are cut into pages here, and names are measured, set smaller or broken here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from tournament.shared.page_fills import (
    FILL_PLACEHOLDER,
    FULL_SIZE,
    Fill,
    SizedLine,
    SizedText,
    make_single_lines,
)
from tournament.shared.text import SIZE_STEPS, find_size_step, shorten_text, wrap_text


@dataclass(frozen=True, slots=True)
class ListColumn:
    """One column of a list: the class that places it, its heading, and how much room names have.

    `mm` None: the texts are short and set as they are. `is_cut`: one line is enough, and what does not fit
    is left out with “…”; else long texts take more lines. `head_mm` is the room of the heading, where it is
    not that of the texts.
    """

    css: str
    head: str | Promise
    mm: float | None = None
    is_cut: bool = False
    head_mm: float | None = None

    def fit_head(self, points: float) -> SizedText:
        """The heading in the reader's language, set smaller before anything is left out."""
        head, mm = str(self.head), self.head_mm or self.mm
        return fit_line(head, mm, points) if mm else SizedText(head)


@dataclass(frozen=True, slots=True)
class ListLayout:
    """A kind of list: its columns, type sizes, how many stand side by side, and rows to a column by paper."""

    css: str
    columns: tuple[ListColumn, ...]
    points: float
    rows: dict[str, int]
    abreast: int = 1
    head_points: float = 8.5


@dataclass(frozen=True, slots=True)
class ColumnBlock:
    """A column on a page: its class, heading, and its lines; none where no line has a word."""

    css: str
    head: SizedText
    lines: tuple[SizedText, ...]

    @property
    def text(self) -> SafeString:
        """The lines as one text."""
        return SafeString("\n".join(line.__html__() for line in self.lines))


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of a list: its strips side by side, each made of blocks; `number` of the `total` pages."""

    strips: list[list[ColumnBlock]]
    rows: int
    number: int = 1
    total: int = 1
    foot: SizedText = FILL_PLACEHOLDER

    @property
    def blocks(self) -> list[ColumnBlock]:
        """The columns of all strips."""
        return [block for strip in self.strips for block in strip]

    @property
    def shape(self) -> Hashable:
        """How many lines stand where, and whether words may follow on the page."""
        return self.number == self.total, tuple(len(block.lines) for block in self.blocks)

    def blank(self) -> ListPage:
        """The same page with a figure on each of its lines."""
        strips = [
            [replace(block, lines=(FILL_PLACEHOLDER,) * len(block.lines)) for block in strip]
            for strip in self.strips
        ]
        return replace(self, strips=strips, foot=FILL_PLACEHOLDER)

    def fills(self) -> list[Fill]:
        """The lines of each column that has any, and the foot."""
        return [
            *(make_single_lines(block.lines) for block in self.blocks if block.lines),
            make_single_lines([self.foot]),
        ]


CellLine = tuple[SizedText, ...]


def format_page(number: int, total: int) -> str:
    """The number of a page, as it stands at its foot."""
    return gettext("Page %(number)s of %(total)s") % {"number": number, "total": total}


def fit_line(words: str, mm: float, points: float) -> SizedText:
    """Words on one line, set smaller before anything is left out."""
    step = find_size_step(words, mm, points) or SIZE_STEPS[-1]
    return SizedText(shorten_text(words, mm, points * step / FULL_SIZE), step)


class HeadingRow(tuple[str, ...]):
    """A row that stays on the page of the row below it."""

    __slots__ = ()


def paginate(layout: ListLayout, rows: Sequence[Sequence[str]], paper: str) -> list[ListPage]:
    """The rows on pages; down the first strip, then down the next. At least one page."""
    a_strip = layout.rows[paper]
    strips = [list(strip) for strip in _fill_strips(layout, rows, a_strip)] or [[]]
    return number_pages(
        ListPage(
            [_build_blocks(layout, strip) for strip in strips[at : at + layout.abreast]], len(strips[at])
        )
        for at in range(0, len(strips), layout.abreast)
    )


def number_pages(pages: Iterable[ListPage]) -> list[ListPage]:
    """The pages with their numbers, which stand at the foot too."""
    every = list(pages)
    return [
        replace(page, number=at, total=len(every), foot=SizedText(format_page(at, len(every))))
        for at, page in enumerate(every, 1)
    ]


def _fill_strips(layout: ListLayout, rows: Sequence[Sequence[str]], a_strip: int) -> Iterator[list[CellLine]]:
    """Lines in strips; the lines of one row stay together, and headings with the row below them."""
    strip: list[CellLine] = []
    heads: list[CellLine] = []
    for row in rows:
        lines = [*heads, *break_row(layout, row)]
        heads = lines if isinstance(row, HeadingRow) else []
        if heads:
            continue
        if strip and len(strip) + len(lines) > a_strip:
            yield strip
            strip = []
        strip += lines
    if strip:
        yield strip


def break_row(layout: ListLayout, row: Sequence[str]) -> list[CellLine]:
    """The lines that one row takes: one, or as many as its longest name needs."""
    cells = [_fit_cell(text, column, layout.points) for text, column in zip(row, layout.columns, strict=True)]
    depth = max(map(len, cells))
    if depth == 1:
        return [tuple(cell[0] for cell in cells)]
    return [tuple(cell[at] if at < len(cell) else SizedText("") for cell in cells) for at in range(depth)]


def _fit_cell(text: str, column: ListColumn, points: float) -> list[SizedText]:
    mm = column.mm
    if mm is None:
        return [SizedText(text)]
    text = " ".join(text.split())
    step = find_size_step(text, mm, points)
    if step is not None:
        return [SizedText(text, step)]
    least = SIZE_STEPS[-1]
    if column.is_cut:
        return [SizedText(shorten_text(text, mm, points * least / 100), least)]
    return [SizedText(line, least) for line in wrap_text(text, mm, points * least / 100)]


def _build_blocks(layout: ListLayout, lines: list[CellLine]) -> list[ColumnBlock]:
    texts = zip(*lines, strict=True) if lines else ((),) * len(layout.columns)
    return [
        ColumnBlock(
            column.css, column.fit_head(layout.head_points), text if any(word.text for word in text) else ()
        )
        for column, text in zip(layout.columns, texts, strict=True)
    ]


def merge_number_columns(rows: Sequence[Sequence[str]], heads: Sequence[str]) -> tuple[str, list[str]]:
    """Columns of numbers merged into one, for a font in which all signs are equally wide: heading, rows."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    return _pad_cells(heads, widths), [_pad_cells(row, widths) for row in rows]


def _pad_cells(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))


# A name that is too long for its line stands on two small ones: their size, their distance, and how far the
# second hangs below, as the style sheet has it for the browser. A third moves all down by half a line.
SMALL_POINTS = 7.0

SMALL_LINE, SMALL_RISE = 2.8, -0.6


def fit_name(name: str, mm: float, points: float) -> SizedLine:
    """The words of a name for a line of so many millimetres, in a type of so many points."""
    step = find_size_step(name, mm, points)
    if step is not None:
        return (SizedText(name, step),)
    lines = wrap_text(name, mm, SMALL_POINTS)
    small = SMALL_POINTS * FULL_SIZE / points
    last = SMALL_RISE - SMALL_LINE / 2 * max(len(lines) - 2, 0)
    return [SizedText(text, small, last + SMALL_LINE * (len(lines) - at)) for at, text in enumerate(lines, 1)]


def render_line_html(line: SizedLine) -> SafeString:
    """The same line for a browser."""
    if len(line) == 1:
        return line[0].__html__()
    return SafeString(f'<i class="two">{"<br>".join(conditional_escape(word.text) for word in line)}</i>')
