"""Break rows into pages of preformatted columns, and fit names to the line width.

A table cell costs a renderer most of a millisecond; a line of a block costs a tenth of it. The price: nothing
wraps by itself. Rows are cut into pages here, and names are measured, set smaller or broken here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from tournament.shared.page_fills import (
    FILL_PLACEHOLDER,
    FULL_SIZE,
    Fill,
    FillMark,
    Marks,
    SizedText,
    make_single_lines,
)
from tournament.shared.text import (
    find_readable_step,
    shorten_text,
    wrap_name,
)


@dataclass(frozen=True, slots=True)
class ListColumn:
    """One column of a list: its class, its heading and the room for names.

    The class sets the type of the column. `mm` None: the texts are short and set as they are. `head_mm` is
    the room of the heading, if it is not that of the texts. `left` and `width` place the column in its strip;
    one without `width` is placed by the style sheet.
    """

    css: str
    head: str | Promise
    mm: float | None = None
    head_mm: float | None = None
    left: float = 0
    width: float | None = None

    def fit_head(self, points: float) -> SizedText:
        """Return the heading in the reader's language, set smaller before it is cut."""
        head, mm = str(self.head), self.head_mm or self.mm
        return fit_line(head, mm, points) if mm else SizedText(head)


@dataclass(frozen=True, slots=True)
class ListLayout:
    """A kind of list: its columns, its type and its layout.

    The layout is how many columns are side by side, and lines to a column by paper. `row_mm` is the height of
    a line and `strip_mm` the width of a strip, where lines are marked by stripes; `box_mm` the side of a box
    to tick at the beginning of each row, if there is one.
    """

    css: str
    columns: tuple[ListColumn, ...]
    points: float
    rows: dict[str, int]
    abreast: int = 1
    head_points: float = 8.5
    row_mm: float = 0
    strip_mm: float = 182
    box_mm: float = 0

    @property
    def step(self) -> str:
        """The height of a line as the renderer reads it."""
        return f"{self.row_mm:.2f}"


@dataclass(frozen=True, slots=True)
class ColumnBlock:
    """A column on a page: class, heading and lines (none if no line has a word)."""

    css: str
    head: SizedText
    lines: tuple[SizedText, ...]
    place: str = ""

    @property
    def text(self) -> SafeString:
        """The lines as one text."""
        return SafeString("\n".join(line.__html__() for line in self.lines))


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a row as a browser shows it: its class and its lines."""

    css: str
    lines: tuple[SizedText, ...]

    def __html__(self) -> SafeString:
        return SafeString("<br>".join(line.__html__() for line in self.lines if line.text))

    def __str__(self) -> str:
        return self.__html__()


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A row as a browser shows it."""

    cells: list[TableCell]
    is_heading: bool


@dataclass(frozen=True, slots=True)
class ListStrip:
    """A strip of a page: columns, rows, their lines, marks and headings."""

    blocks: tuple[ColumnBlock, ...]
    depths: tuple[int, ...]
    marks: Marks
    place: str = ""
    rows_mm: float = 0
    headings: frozenset[int] = frozenset()

    @property
    def height(self) -> str:
        """The height of its rows, for the renderer."""
        return f"height:{self.rows_mm:.2f}mm"

    @property
    def table_rows(self) -> Iterator[PrintedRow]:
        """The rows as a browser sets them."""
        start = 0
        for number, depth in enumerate(self.depths):
            cells = [TableCell(block.css, block.lines[start : start + depth]) for block in self.blocks]
            yield PrintedRow(cells, number in self.headings)
            start += depth

    def blank(self) -> ListStrip:
        """Return the strip with a figure per column; its height gives the other lines."""
        blocks = [replace(block, lines=block.lines and (FILL_PLACEHOLDER,)) for block in self.blocks]
        return replace(self, blocks=tuple(blocks))

    def fills(self) -> list[Fill]:
        """Return the marks, and the lines of each column that has any."""
        return [self.marks, *(make_single_lines(block.lines) for block in self.blocks if block.lines)]


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of a list: its strips side by side; `number` of the `total` pages."""

    strips: list[ListStrip]
    number: int = 1
    total: int = 1
    foot: SizedText = FILL_PLACEHOLDER

    @property
    def blocks(self) -> list[ColumnBlock]:
        """The columns of all strips."""
        return [block for strip in self.strips for block in strip.blocks]

    @property
    def rows(self) -> int:
        """The number of lines of its longest strip."""
        return max((sum(strip.depths) for strip in self.strips), default=0)

    @property
    def height(self) -> str:
        """The height of the longest strip with its heads, for the renderer."""
        return f"height:{HEADS_MM + max((strip.rows_mm for strip in self.strips), default=0):.2f}mm"

    @property
    def shape(self) -> Hashable:
        """Return the heights of strips, the columns with words, and whether it is last."""
        heights = tuple(strip.rows_mm for strip in self.strips)
        return self.number == self.total, heights, tuple(bool(block.lines) for block in self.blocks)

    def blank(self) -> ListPage:
        """Return the same page with a figure in each column."""
        return replace(self, strips=[strip.blank() for strip in self.strips], foot=FILL_PLACEHOLDER)

    def fills(self) -> list[Fill]:
        """Return what is in its strips, and the foot."""
        return [*(fill for strip in self.strips for fill in strip.fills()), make_single_lines([self.foot])]


# The headings above a strip, with their line.
HEADS_MM = 6.0

CellLine = tuple[SizedText, ...]


def format_page(number: int, total: int) -> str:
    """Return the number of a page, as it is at its foot."""
    return gettext("Page %(number)s of %(total)s") % {"number": number, "total": total}


def fit_line(words: str, mm: float, points: float) -> SizedText:
    """Fit words on one line; set them smaller before anything is left out."""
    step = find_readable_step(words, mm, points)
    return SizedText(shorten_text(words, mm, points * step / FULL_SIZE), step)


class HeadingRow(tuple[str, ...]):
    """A row that names those below it, and stays on the page of the first of them."""

    __slots__ = ()


def paginate(
    layout: ListLayout, rows: Sequence[Sequence[str]], paper: str, tail: float = 0
) -> list[ListPage]:
    """Return the rows on one or more pages, down each strip in turn.

    `tail` is how many lines the words below the last row take: rows move to their page, so that it is never
    a page of words alone.
    """
    a_strip = layout.rows[paper]
    groups = [[break_row(layout, row) for row in group] for group in _join_headings(rows)]
    strips = list(_fill_strips(groups, a_strip))
    pages = [strips[at : at + layout.abreast] for at in range(0, len(strips), layout.abreast)] or [[[]]]
    pages[-1:] = _arrange_last_page(pages[-1], a_strip, tail, layout.abreast)
    return number_pages(
        ListPage([_build_strip(layout, strip, at) for at, strip in enumerate(page)]) for page in pages
    )


def number_pages(pages: Iterable[ListPage]) -> list[ListPage]:
    """Return the pages with their numbers, which are at the foot too."""
    every = list(pages)
    return [
        replace(page, number=at, total=len(every), foot=SizedText(format_page(at, len(every))))
        for at, page in enumerate(every, 1)
    ]


BrokenRow = list[CellLine]


class BrokenHeading(BrokenRow):
    """The lines of a heading."""


# So many rows are at least above the words on a page that was begun for them.
ROWS_ABOVE_WORDS = 5


def _join_headings(rows: Sequence[Sequence[str]]) -> Iterator[Sequence[Sequence[str]]]:
    """Yield each row with the headings above it, which stay on its page."""
    heads: list[Sequence[str]] = []
    for row in rows:
        heads.append(row)
        if not isinstance(row, HeadingRow):
            yield heads
            heads = []


def _fill_strips(groups: Sequence[list[BrokenRow]], a_strip: float) -> Iterator[list[BrokenRow]]:
    """Yield rows in strips; the lines of one group stay together."""
    strip: list[BrokenRow] = []
    row_count = 0
    for group in groups:
        lines = sum(map(len, group))
        if strip and row_count + lines > a_strip:
            yield strip
            strip, row_count = [], 0
        strip += group
        row_count += lines
    if strip:
        yield strip


def _arrange_last_page(
    strips: list[list[BrokenRow]], a_strip: int, tail: float, abreast: int
) -> list[list[list[BrokenRow]]]:
    """Return the last page in equal strips, with room for the words below them."""
    if abreast > 1:
        return [_balance([[row] for strip in strips for row in strip], a_strip, abreast)]
    (rows,) = strips
    above = a_strip - tail
    if sum(map(len, rows)) <= above or len(rows) <= ROWS_ABOVE_WORDS:
        return [strips]
    first = next(_fill_strips([[row] for row in rows], above))
    split_index = min(len(first), len(rows) - ROWS_ABOVE_WORDS)
    return [[rows[:split_index]], [rows[split_index:]]]


def _balance(groups: list[list[BrokenRow]], a_strip: int, abreast: int) -> list[list[BrokenRow]]:
    lines = sum(len(row) for group in groups for row in group)
    for height in range(-(-lines // abreast), a_strip + 1):
        strips = list(_fill_strips(groups, height))
        if len(strips) <= abreast:
            return strips
    return list(_fill_strips(groups, a_strip))


def break_row(layout: ListLayout, row: Sequence[str]) -> BrokenRow:
    """Return the lines that one row takes: one, or as many as its longest name needs."""
    cells = [_fit_cell(text, column, layout.points) for text, column in zip(row, layout.columns, strict=True)]
    lines = list(zip_longest(*cells, fillvalue=SizedText("")))
    return BrokenHeading(lines) if isinstance(row, HeadingRow) else lines


def _fit_cell(text: str, column: ListColumn, points: float) -> list[SizedText]:
    if column.mm is None:
        return [SizedText(text)]
    step, lines = wrap_name(" ".join(text.split()), column.mm, points)
    return [SizedText(line, step) for line in lines]


def _build_strip(layout: ListLayout, rows: Sequence[BrokenRow], at: int) -> ListStrip:
    lines = [line for row in rows for line in row]
    texts = zip(*lines, strict=True) if lines else ((),) * len(layout.columns)
    blocks = [
        ColumnBlock(
            column.css,
            column.fit_head(layout.head_points),
            text if any(word.text for word in text) else (),
            f"left:{column.left:.2f}mm;width:{column.width:.2f}mm" if column.width else "",
        )
        for column, text in zip(layout.columns, texts, strict=True)
    ]
    return ListStrip(
        tuple(blocks),
        tuple(map(len, rows)),
        Marks(tuple(_mark_rows(layout, rows))),
        f"left:{at * (layout.strip_mm + STRIP_GAP):.2f}mm;width:{layout.strip_mm:.2f}mm",
        len(lines) * layout.row_mm,
        frozenset(number for number, row in enumerate(rows) if isinstance(row, BrokenHeading)),
    )


# Millimetres between two strips.
STRIP_GAP = 6.0


def _mark_rows(layout: ListLayout, rows: Sequence[BrokenRow]) -> Iterator[FillMark]:
    """Yield lines of headings, stripes of every other row below, boxes to tick."""
    row_mm, box = layout.row_mm, layout.box_mm
    left_edge = ((layout.columns[0].width or 0) - box) / 2
    top, has_stripe = 0.0, False
    for row in rows:
        height = len(row) * row_mm
        if isinstance(row, BrokenHeading):
            yield FillMark(0, top + height, layout.strip_mm, 0, is_filled=False)
        elif has_stripe:
            yield FillMark(0, top, layout.strip_mm, height)
        if box:
            yield FillMark(left_edge, top + (row_mm - box) / 2, box, box, is_filled=False)
        has_stripe = not has_stripe and not isinstance(row, BrokenHeading)
        top += height


def merge_number_columns(rows: Sequence[Sequence[str]], heads: Sequence[str]) -> tuple[str, list[str]]:
    """Return heading and rows of numbers as one column, for a monospaced font."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    return _pad_cells(heads, widths), [_pad_cells(row, widths) for row in rows]


def _pad_cells(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
