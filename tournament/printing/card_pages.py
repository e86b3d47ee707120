"""Pages of card lists.

There are one or more pages a player, with two strips of headings and cards.

Every page has as many lines, written or empty, so that all of them are one page that is filled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy, pgettext_lazy

from tournament.printing.columns import (
    CellLine,
    ColumnBlock,
    ListColumn,
    ListLayout,
    break_row,
    fit_line,
    format_page,
)
from tournament.printing.name_rooms import NameRoom, SmallType
from tournament.shared.page_fills import FILL_PLACEHOLDER, Fill, SizedText, make_single_lines
from tournament.shared.page_fills import SizedLine as WordLine

ABREAST = 2
NAME_ROOM = NameRoom(
    75.0,
    12.0,
    (SmallType("two", 7.0, 2.8), SmallType("three", 5.1, 1.86, 0.9), SmallType("four", 3.8, 1.4, 1.0)),
)
NOTE_ROOM, NOTE_POINTS = 176.0, 8.5


@dataclass(frozen=True, slots=True)
class CardRow:
    """A line of a list.

    It is a heading, a card with how many of it, or an empty line to write on.
    """

    head: str = ""
    qty: str = ""
    card: str = ""
    boxes: str = ""


EMPTY_ROW = CardRow()


def _card_layout(name: str, card_width: int, rows: dict[str, int]) -> ListLayout:
    heading, card = ListColumn("c-head", "", 85), ListColumn("c-card", "", card_width)
    return ListLayout(name, (heading, ListColumn("c-qty", ""), card, ListColumn("c-boxes", "")), 10, rows)


REGISTRATION_LAYOUT = _card_layout("cards-form", 74, {"A4": 40, "Letter": 36})
CHECK_LAYOUT = _card_layout("cards-check", 56, {"A4": 38, "Letter": 34})


OWNER_LABELS = (gettext_lazy("Player"), pgettext_lazy("number", "No."), gettext_lazy("Character"))


@dataclass(frozen=True, slots=True)
class ListOwner:
    """The owner of the list as the page shows it: name, number and character.

    All are empty on a blank form.
    """

    name: str = ""
    number: str = ""
    character: str = ""

    @property
    def lines(self) -> list[WordLine]:
        """The three as they are set."""
        return [
            NAME_ROOM.fit(self.name),
            (SizedText(self.number),),
            NAME_ROOM.fit(self.character),
        ]


@dataclass(frozen=True, slots=True)
class PrintedCardPage:
    """One page of a card list.

    It says whose it is, and has strips of blocks, and a note and the page number below.
    """

    owner_lines: tuple[WordLine, ...]
    strips: tuple[tuple[ColumnBlock, ...], ...]
    note: SizedText
    foot: SizedText = FILL_PLACEHOLDER

    @property
    def owner_html(self) -> list[SafeString]:
        """Name, number and character for a browser."""
        return list(map(NAME_ROOM.render, self.owner_lines))

    @property
    def labelled_html(self) -> list[tuple[str, SafeString]]:
        """The same, each with its label."""
        return list(zip(map(str, OWNER_LABELS), self.owner_html, strict=False))

    @property
    def shape(self) -> None:
        """All pages of a sheet look alike."""

    def blank(self) -> PrintedCardPage:
        """Return the page with a figure in every place."""
        strips = tuple(
            tuple(replace(block, lines=(FILL_PLACEHOLDER,) * len(block.lines)) for block in strip)
            for strip in self.strips
        )
        return PrintedCardPage(((FILL_PLACEHOLDER,),) * len(self.owner_lines), strips, FILL_PLACEHOLDER)

    def fills(self) -> list[Fill]:
        """Return what is filled in, in the order of the page."""
        blocks = [make_single_lines(block.lines) for strip in self.strips for block in strip]
        return [
            *([line] for line in self.owner_lines),
            *blocks,
            make_single_lines([self.note]),
            make_single_lines([self.foot]),
        ]


def build_card_pages(
    layout: ListLayout,
    paper: str,
    lists: Iterable[tuple[ListOwner, Sequence[CardRow], str]],
    *,
    asks_character: bool,
) -> list[PrintedCardPage]:
    """Return the pages of some lists.

    Each list has its owner, its rows and a note. It begins on a new page.
    """
    line_count = 3 if asks_character else 2
    setter = _CardListSetter(layout, layout.rows[paper])
    pages = [
        page for whose, rows, note in lists for page in setter.pages(whose.lines[:line_count], rows, note)
    ]
    return [replace(page, foot=SizedText(format_page(at, len(pages)))) for at, page in enumerate(pages, 1)]


@dataclass(frozen=True, slots=True)
class _CardListSetter:
    """Sets the lists of one print.

    Rows that come again are set once, and so are empty lists.
    """

    layout: ListLayout
    depth: int
    _rows: dict[CardRow, list[CellLine]] = field(default_factory=dict)
    _strips: dict[tuple[CardRow, ...], list[tuple[ColumnBlock, ...]]] = field(default_factory=dict)

    def pages(self, whose: Sequence[WordLine], rows: Sequence[CardRow], note: str) -> list[PrintedCardPage]:
        """Return the pages of one list."""
        lines = tuple(whose)
        strips = (
            self._empty_strips(tuple(rows))
            if not any(row.card for row in rows)
            else list(self._set_rows(rows))
        )
        sized_note = fit_line(note, NOTE_ROOM, NOTE_POINTS)
        return [
            PrintedCardPage(lines, tuple(strips[at : at + ABREAST]), sized_note)
            for at in range(0, len(strips), ABREAST)
        ]

    def _empty_strips(self, rows: tuple[CardRow, ...]) -> list[tuple[ColumnBlock, ...]]:
        """Return the strips of a list without cards, which are those of every other one."""
        if rows not in self._strips:
            self._strips[rows] = list(self._set_rows(rows))
        return self._strips[rows]

    def _set_rows(self, rows: Sequence[CardRow]) -> Iterator[tuple[ColumnBlock, ...]]:
        strips = self._cut_into_strips(rows)
        for strip in [*strips, *([[]] * (-len(strips) % ABREAST))]:
            yield self._blocks([*strip, *(self._lines(EMPTY_ROW) * (self.depth - len(strip)))])

    def _cut_into_strips(self, rows: Sequence[CardRow]) -> list[list[CellLine]]:
        """Return the lines in strips, a heading never the last of one."""
        strips: list[list[CellLine]] = [[]]
        for row in rows:
            lines = self._lines(row)
            if len(strips[-1]) + len(lines) + bool(row.head) > self.depth:
                strips.append([])
            elif row.head and strips[-1]:
                strips[-1] += self._lines(EMPTY_ROW)
                if len(strips[-1]) + len(lines) + 1 > self.depth:
                    strips.append([])
            strips[-1] += lines
        return strips

    def _lines(self, row: CardRow) -> list[CellLine]:
        if row not in self._rows:
            self._rows[row] = break_row(self.layout, (row.head, row.qty, row.card, row.boxes))
        return self._rows[row]

    def _blocks(self, lines: Sequence[CellLine]) -> tuple[ColumnBlock, ...]:
        texts = zip(*lines, strict=True)
        return tuple(
            ColumnBlock(column.css, column.fit_head(self.layout.head_points), text)
            for column, text in zip(self.layout.columns, texts, strict=True)
        )
