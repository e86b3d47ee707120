"""Lists of cards on paper, a player on a page or more: headings and cards flow down two strips.

Every page has as many lines, written or empty, so that all of them are one page that is filled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from django.utils.safestring import SafeString

from tournament.printing.layout.columns import Block, Column, Layout, Line, set_row
from tournament.printing.layout.name_lines import line_html, name_line
from tournament.shared.print_words import PLACE, Fill, Word, one_each
from tournament.shared.print_words import Line as WordLine
from tournament.shared.text_width import shortened

ABREAST = 2
NAME_ROOM, NUMBER_ROOM, POINTS = 78.0, 16.0, 12.0
NOTE_ROOM, NOTE_POINTS = 176.0, 8.5


class Row(NamedTuple):
    """A line of a list: a heading, or a card with how many of it, or an empty line to write on."""

    head: str = ""
    qty: str = ""
    card: str = ""
    boxes: str = ""


EMPTY = Row()
FORM = Layout(
    "cards-form",
    (Column("c-head", "", 85), Column("c-qty", ""), Column("c-card", "", 74), Column("c-boxes", "")),
    10,
    {"A4": 40, "Letter": 36},
)
CHECK = Layout(
    "cards-check",
    (Column("c-head", "", 85), Column("c-qty", ""), Column("c-card", "", 56), Column("c-boxes", "")),
    10,
    {"A4": 38, "Letter": 34},
)


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose list it is, as the page says it: name, number, character; all empty on a form to be filled in."""

    name: str = ""
    number: str = ""
    character: str = ""

    @property
    def lines(self) -> list[WordLine]:
        """The three as they are set."""
        return [
            name_line(self.name, NAME_ROOM, POINTS),
            (Word(self.number),),
            name_line(self.character, NAME_ROOM, POINTS),
        ]


@dataclass(frozen=True, slots=True)
class CardPage:
    """One page: whose, strips of blocks, a note below; `number` of the `total` pages of the sheet."""

    whose: tuple[WordLine, ...]
    strips: tuple[tuple[Block, ...], ...]
    note: Word
    foot: Word = PLACE

    @property
    def whose_html(self) -> list[SafeString]:
        """Name, number and character for a browser."""
        return list(map(line_html, self.whose))

    @property
    def shape(self) -> None:
        """All pages of a sheet look alike."""

    def blank(self) -> CardPage:
        """The page with a figure in every place."""
        strips = tuple(
            tuple(replace(block, lines=(PLACE,) * len(block.lines)) for block in strip)
            for strip in self.strips
        )
        return CardPage(((PLACE,),) * len(self.whose), strips, PLACE)

    def fills(self) -> list[Fill]:
        """What is filled in, in the order of the page."""
        blocks = [one_each(block.lines) for strip in self.strips for block in strip]
        return [*([line] for line in self.whose), *blocks, one_each([self.note]), one_each([self.foot])]


def card_pages(
    layout: Layout,
    paper: str,
    lists: Iterable[tuple[Whose, Sequence[Row], str]],
    *,
    asks_character: bool,
) -> list[CardPage]:
    """The pages of some lists: whose each is, its rows, and a note; each list begins a page of its own."""
    told = 3 if asks_character else 2
    setter = _Setter(layout, layout.rows[paper])
    made = [page for whose, rows, note in lists for page in setter.pages(whose.lines[:told], rows, note)]
    return [replace(page, foot=Word(f"Page {at} of {len(made)}")) for at, page in enumerate(made, 1)]


@dataclass(frozen=True, slots=True)
class _Setter:
    """Sets the lists of one print. Rows that come again are set once, and so are empty lists."""

    layout: Layout
    depth: int
    _rows: dict[Row, list[Line]] = field(default_factory=dict)
    _strips: dict[tuple[Row, ...], list[tuple[Block, ...]]] = field(default_factory=dict)

    def pages(self, whose: Sequence[WordLine], rows: Sequence[Row], note: str) -> list[CardPage]:
        """The pages of one list."""
        lines = tuple(whose)
        strips = (
            self._empty_strips(tuple(rows)) if not any(row.card for row in rows) else list(self._set(rows))
        )
        said = Word(shortened(note, NOTE_ROOM, NOTE_POINTS))
        return [
            CardPage(lines, tuple(strips[at : at + ABREAST]), said) for at in range(0, len(strips), ABREAST)
        ]

    def _empty_strips(self, rows: tuple[Row, ...]) -> list[tuple[Block, ...]]:
        """The strips of a list without cards, which are those of every other one."""
        if rows not in self._strips:
            self._strips[rows] = list(self._set(rows))
        return self._strips[rows]

    def _set(self, rows: Sequence[Row]) -> Iterator[tuple[Block, ...]]:
        strips = self._cut(rows)
        for strip in [*strips, *([[]] * (-len(strips) % ABREAST))]:
            yield self._blocks([*strip, *(self._lines(EMPTY) * (self.depth - len(strip)))])

    def _cut(self, rows: Sequence[Row]) -> list[list[Line]]:
        """The lines in strips, a heading never the last of one."""
        strips: list[list[Line]] = [[]]
        for row in rows:
            lines = self._lines(row)
            if len(strips[-1]) + len(lines) + bool(row.head) > self.depth:
                strips.append([])
            elif row.head and strips[-1]:
                strips[-1] += self._lines(EMPTY)
                if len(strips[-1]) + len(lines) + 1 > self.depth:
                    strips.append([])
            strips[-1] += lines
        return strips

    def _lines(self, row: Row) -> list[Line]:
        if row not in self._rows:
            self._rows[row] = set_row(self.layout, row)
        return self._rows[row]

    def _blocks(self, lines: Sequence[Line]) -> tuple[Block, ...]:
        texts = zip(*lines, strict=True)
        return tuple(
            Block(column.css, column.head, text)
            for column, text in zip(self.layout.columns, texts, strict=True)
        )
