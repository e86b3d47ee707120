"""Result slips: eight to a page, cut apart on the lines, the piles in the order of the tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils import dateformat
from django.utils.safestring import SafeString

from tournament.events.game_terms import match_form_of
from tournament.printing.headings import amended, words_for
from tournament.printing.layout.name_lines import line_html, name_line
from tournament.printing.request import Asked
from tournament.printing.sheets.slip_lines import slip_lines
from tournament.shared.print_words import PLACE, WHOLE, Dots, Fill, Line, Word, one_each
from tournament.shared.qr import code_dots
from tournament.shared.text_width import STEPS, shortened, step_for

SLIPS_A_PAGE = 8
NAME_ROOM = 72.0
NAME_POINTS = 11.0
HEAD_ROOM, HEAD_POINTS = 71.0, 8.0

Row = tuple[int, int | None, str, str]


@dataclass(frozen=True, slots=True)
class Slip:
    """One slip: its head, the table, both names and the lines of the time rule, as they are set.

    `code` leads to its result: an address for a browser, dots for a PDF, empty to be filled.
    """

    place: int
    head: tuple[Word, ...]
    table: Word
    names: tuple[Line, ...]
    lines: tuple[Word, ...]
    code: Dots | str

    @property
    def names_html(self) -> SafeString:
        """Both names for a browser."""
        return SafeString("\n".join(map(line_html, self.names)))

    def blank(self) -> Slip:
        """A slip to be filled."""
        return Slip(
            self.place, (PLACE,) * len(self.head), PLACE, ((PLACE,),) * 2, (PLACE,) * len(self.lines), ""
        )

    def fills(self) -> list[Fill]:
        """What is filled in, in the order of the slip."""
        code = [self.code] if isinstance(self.code, Dots) else []
        return [one_each(self.head), [(self.table,)], *code, self.names, one_each(self.lines)]


@dataclass(frozen=True, slots=True)
class SlipPage:
    """A page of slips."""

    slips: tuple[Slip, ...]

    @property
    def is_full(self) -> bool:
        """Whether no place is empty."""
        return len(self.slips) == SLIPS_A_PAGE

    @property
    def shape(self) -> int:
        """Pages with as many slips look alike."""
        return len(self.slips)

    def blank(self) -> SlipPage:
        """The page with blank slips."""
        return replace(self, slips=tuple(slip.blank() for slip in self.slips))

    def fills(self) -> list[Fill]:
        """What is filled in, slip by slip."""
        return [fill for slip in self.slips for fill in slip.fills()]


def stacked(items: Sequence[Any], a_page: int) -> list[list[Any]]:
    """Items on pages so that the piles lie in order after the guillotine: pile 1 holds the first tables.

    The n-th place of every page belongs to one pile; the last pages may leave places empty.
    """
    pages = -(-len(items) // a_page) if items else 0
    return [[items[place] for place in range(page, len(items), pages)] for page in range(pages)]


def slips(asked: Asked) -> dict[str, Any]:
    """The slips of a round's tables; a table without an opponent needs none."""
    found = asked.shown.matches.filter(p2__isnull=False).order_by("table", "pk")
    rows: list[Row] = list(found.values_list("pk", "table", "p1__name", "p2__name"))
    sheets = stacked(list(enumerate(rows, 1)), SLIPS_A_PAGE)
    make = _Maker.of(asked, len(rows), len(sheets))
    return {
        "pages": [
            SlipPage(tuple(make.slip(place, page, *row) for place, row in enumerate(sheet, 1)))
            for page, sheet in enumerate(sheets, 1)
        ]
    }


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes the slips of one print; what they share is worked out once."""

    asked: Asked
    count: int
    pages: int
    event: Word
    form: Word
    mark: str
    printed: str
    lines: tuple[Word, ...]

    @classmethod
    def of(cls, asked: Asked, count: int, pages: int) -> _Maker:
        event, shown = asked.event, asked.shown
        changed = amended(shown)
        return cls(
            asked=asked,
            count=count,
            pages=pages,
            event=_fitted(event.name),
            form=_fitted(f"{words_for(event, shown)} · {match_form_of(event).name}"),
            mark=f"{changed} · " if changed else "",
            printed=dateformat.format(asked.now.astimezone(event.zone), "j M, H:i"),
            lines=tuple(map(Word, slip_lines(event.game, is_elimination=shown.stage.is_elimination))),
        )

    def slip(self, place: int, page: int, number: int, row: Row) -> Slip:
        """The slip of a table: the n-th of all, on a place of a page."""
        pk, table, one, two = row
        third = f"{self.mark}slip {number} of {self.count} · page {page} of {self.pages} · {self.printed}"
        head, names = (self.event, self.form, Word(third)), tuple(map(_name, (one, two)))
        return Slip(place, head, Word(f"Table {table}"), names, self.lines, _code(self.asked, pk))


def _fitted(words: str) -> Word:
    """A line of the head, set smaller before anything is left out."""
    step = step_for(words, HEAD_ROOM, HEAD_POINTS) or STEPS[-1]
    return Word(shortened(words, HEAD_ROOM, HEAD_POINTS * step / WHOLE), step)


def _code(asked: Asked, match: int) -> Dots | str:
    # A browser may load no picture from within a page.
    if asked.for_browser:
        return reverse("slip_code", args=[match])
    return code_dots(f"{asked.base}{reverse('slip', args=[match])}")


def _name(name: str) -> Line:
    return name_line(name, NAME_ROOM, NAME_POINTS)
