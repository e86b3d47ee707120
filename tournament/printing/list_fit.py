"""Fit a list to its pages.

It takes as few pages as there can be, with the largest type on them and columns by content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise

from tournament.printing.columns import STRIP_GAP, ListColumn, ListLayout, ListPage, ListStrip, paginate
from tournament.printing.request import FilledContext
from tournament.shared.page_fills import FULL_SIZE
from tournament.shared.text import MM_PER_POINT, measure_width, wrap_text

# Sizes of type in points, and the height of a line in each.
ROW_HEIGHTS = {16: 8.8, 14.5: 8.0, 13: 7.2, 12: 6.6, 11: 6.0, 10.5: 5.5, 10: 5.1, 9.5: 4.7, 9: 4.2}
# The smallest type of long lists, and of short ones where it saves a page.
LEAST_POINTS, DENSE_POINTS, DENSE_UP_TO = 9.5, 9, 4
# Two strips side by side are narrow: their names are not set larger.
MOST_POINTS_ABREAST = 12
LARGE_POINTS, LARGE_HEAD, SMALL_HEAD = 12, 10, 8.5
# The height of a page for lines, and its width.
ROOM = {"A4": 252.5, "Letter": 235.2}
PAGE_WIDTH = 182.0
COLUMN_GAP, NARROW_GAP = 4.0, 2.5
# A column of numbers may be bold, which is wider.
BOLD = 1.1
# The words below a list, and how high a line of them is.
WORDS_POINTS, WORDS_LINE, WORDS_ABOVE = 8, 3.8, 4.0
# Loss of readability of a name for each line after the first.
BROKEN_NAME = 0.7


@dataclass(frozen=True, slots=True)
class FittedColumn:
    """A column before it is placed: its class and its heading.

    It also says whether it holds names. Columns of names share the room. `least_mm` is the room that it has
    at least; `mm` its whole width, where that follows from its type.
    """

    css: str
    head: str | Promise
    is_name: bool = False
    least_mm: float = 0
    mm: float | None = None


@dataclass(frozen=True, slots=True)
class PrintedListKind:
    """A kind of list: its class, its columns and how many fit side by side.

    The columns are in a type of a given size.
    """

    css: str
    columns: Callable[[float], Sequence[FittedColumn]]
    most_abreast: int = 1
    has_boxes: bool = False
    figures_css: Callable[[float], str] = lambda points: ""


@dataclass(frozen=True, slots=True)
class _Try:
    """A way to set a list: its type and the strips abreast."""

    points: float
    abreast: int

    def count_lines(self, paper: str) -> int:
        """Return how many lines a strip holds."""
        return int(ROOM[paper] // ROW_HEIGHTS[self.points])

    def count_least_pages(self, rows: int, paper: str) -> int:
        """Return how many pages the rows take if none takes a second line."""
        return max(-(-rows // (self.count_lines(paper) * self.abreast)), 1)


def fit_list(
    kind: PrintedListKind, rows: Sequence[Sequence[str]], paper: str, words: Sequence[str] = ()
) -> FilledContext:
    """Return the rows on the fewest pages.

    They are in the largest type that these pages allow. `words` are below the last row.
    """
    layout, pages = _ListFitter(kind, rows, paper, words).find()
    return {"layout": layout, "pages": pages, "words": words}


@dataclass(frozen=True, slots=True)
class _ListFitter:
    """Tries the ways to set one list."""

    kind: PrintedListKind
    rows: Sequence[Sequence[str]]
    paper: str
    words: Sequence[str]

    def find(self) -> tuple[ListLayout, list[ListPage]]:
        """Return the best way."""
        best = self._set_list(_Try(LEAST_POINTS, self.kind.most_abreast))
        if 1 < len(best[1]) <= DENSE_UP_TO + 1:
            dense = self._set_list(_Try(DENSE_POINTS, self.kind.most_abreast))
            best = min(best, dense, key=lambda layout: len(layout[1]))
        fewest = len(best[1])
        layouts = [best, *filter(lambda layout: len(layout[1]) <= fewest, self._set_larger(fewest))]
        return max(layouts, key=_legibility)

    def _set_larger(self, fewest: int) -> Iterator[tuple[ListLayout, list[ListPage]]]:
        for points in ROW_HEIGHTS:
            for abreast in range(1, self.kind.most_abreast + 1):
                setting = _Try(points, abreast)
                if points < LEAST_POINTS or (abreast > 1 and points > MOST_POINTS_ABREAST):
                    continue
                if setting.count_least_pages(len(self.rows), self.paper) <= fewest:
                    yield self._set_list(setting)

    def _set_list(self, setting: _Try) -> tuple[ListLayout, list[ListPage]]:
        layout = self._build_layout(setting)
        return layout, paginate(layout, self.rows, self.paper, self._count_tail(layout))

    def _count_tail(self, layout: ListLayout) -> float:
        """Return how many lines of the list the words below it take."""
        if not self.words:
            return 0
        lines = sum(len(wrap_text(line, PAGE_WIDTH, WORDS_POINTS)) for line in self.words)
        return (lines * WORDS_LINE + WORDS_ABOVE) / layout.row_mm

    def _build_layout(self, setting: _Try) -> ListLayout:
        points, abreast = setting.points, setting.abreast
        width = (PAGE_WIDTH - STRIP_GAP * (abreast - 1)) / abreast
        gap = COLUMN_GAP if abreast == 1 else NARROW_GAP
        head_points = LARGE_HEAD if points > LARGE_POINTS else SMALL_HEAD
        columns = self.kind.columns(points)
        figures = self.kind.figures_css(points)
        return ListLayout(
            f"{self.kind.css} z{points * 10:.0f}{figures}",
            tuple(_place_columns(columns, self._measure(columns, points, head_points), width, gap)),
            points,
            {self.paper: setting.count_lines(self.paper)},
            abreast,
            head_points,
            ROW_HEIGHTS[points],
            width,
            BOX_MM if self.kind.has_boxes else 0,
        )

    def _measure(self, columns: Sequence[FittedColumn], points: float, head_points: float) -> list[float]:
        """Return how wide each column would be."""
        texts = zip(*self.rows, strict=True) if self.rows else ((),) * len(columns)
        return [
            column.mm
            or max(
                column.least_mm,
                measure_width(str(column.head)) * head_points * MM_PER_POINT / 1000 * BOLD,
                max(map(measure_width, cells), default=0)
                * points
                * MM_PER_POINT
                / 1000
                * (1 if column.is_name else BOLD),
            )
            for column, cells in zip(columns, texts, strict=True)
        ]


BOX_MM = 3.4


def _place_columns(
    columns: Sequence[FittedColumn], wanted_widths: Sequence[float], width: float, gap: float
) -> Iterator[ListColumn]:
    """Yield the columns side by side.

    Short columns are as wide as they need. Columns of names share the rest.
    """
    fixed_width = sum(mm for column, mm in zip(columns, wanted_widths, strict=True) if not column.is_name)
    room = width - fixed_width - gap * (len(columns) - 1)
    names = iter(
        _share_room([mm for column, mm in zip(columns, wanted_widths, strict=True) if column.is_name], room)
    )
    left_edge = 0.0
    for column, mm in zip(columns, wanted_widths, strict=True):
        column_width = next(names) if column.is_name else mm
        yield ListColumn(
            column.css,
            column.head,
            column_width if column.is_name else None,
            column_width + gap / 2,
            left_edge,
            column_width,
        )
        left_edge += column_width + gap


def _share_room(wanted_widths: Sequence[float], room: float) -> list[float]:
    """Return the width that each column gets of the room.

    Each has the wanted width or an equal share. The rest of the room is shared too.
    """
    widths = dict.fromkeys(range(len(wanted_widths)), 0.0)
    room_left = room
    for number, start in enumerate(sorted(widths, key=lambda start: wanted_widths[start])):
        widths[start] = min(wanted_widths[start], room_left / (len(wanted_widths) - number))
        room_left -= widths[start]
    return [mm + room_left / len(wanted_widths) for mm in widths.values()]


def _legibility(setting: tuple[ListLayout, list[ListPage]]) -> float:
    """Return the size in which names are read.

    A small size counts for more, because it takes effort to read.
    """
    layout, pages = setting
    efforts = [effort for page in pages for strip in page.strips for effort in _list_row_efforts(strip)]
    return layout.points * max(len(efforts), 1) / max(sum(efforts), 1)


def _list_row_efforts(strip: ListStrip) -> Iterator[float]:
    start = 0
    for depth in strip.depths:
        least = min((block.lines[start].step for block in strip.blocks if block.lines), default=FULL_SIZE)
        yield count_effort(least, depth)
        start += depth


def count_effort(step: float, lines: int) -> float:
    """Return the effort to read a name in a size step and number of lines.

    It is 1 for one line in full size.
    """
    return FULL_SIZE / step / BROKEN_NAME ** (lines - 1)
