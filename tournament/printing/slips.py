"""Result slips: eight to a page, cut apart on the lines, the piles in the order of the tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from tournament.printing.asked import Asked
from tournament.printing.codes import code_data
from tournament.printing.measure import shortened, step_for, wrapped
from tournament.printing.slip_lines import slip_lines
from tournament.rulebook import match_form_of

SLIPS_A_PAGE = 8
NAME_ROOM = 72.0
NAME_POINTS = 11.0


@dataclass(frozen=True, slots=True)
class Slip:
    """One slip: the table, both names as they are set, and the code that leads to its result."""

    place: int
    table: int | None
    number: int
    names: SafeString
    code: str


def stacked(items: Sequence[Any], a_page: int) -> list[list[Any]]:
    """Items on pages so that the piles lie in order after the guillotine: pile 1 holds the first tables.

    The n-th place of every page belongs to one pile; the last pages may leave places empty.
    """
    pages = -(-len(items) // a_page) if items else 0
    return [[items[place] for place in range(page, len(items), pages)] for page in range(pages)]


def slips(asked: Asked) -> dict[str, Any]:
    """The slips of a round's tables; a table without an opponent needs none."""
    shown = asked.shown
    found = shown.matches.filter(p2__isnull=False).order_by("table", "pk")
    rows = list(found.values_list("pk", "table", "p1__name", "p2__name"))
    sheets = stacked(list(enumerate(rows, 1)), SLIPS_A_PAGE)
    form = match_form_of(asked.event)
    return {
        "pages": [[_slip(asked, place, *row) for place, row in enumerate(sheet, 1)] for sheet in sheets],
        "count": len(rows),
        "is_full": SLIPS_A_PAGE,
        "event_line": shortened(asked.event.name, 71, 8),
        "form_line": shortened(form.name, 56, 8),
        "lines": slip_lines(asked.event.game, is_elimination=shown.stage.is_elimination),
    }


def _slip(asked: Asked, place: int, number: int, row: tuple[int, int | None, str, str]) -> Slip:
    pk, table, one, two = row
    return Slip(
        place=place,
        table=table,
        number=number,
        names=SafeString(f"{_name(one)}\n{_name(two)}"),
        code=_code(asked, pk),
    )


def _code(asked: Asked, match: int) -> str:
    # A browser may load no picture from within a page.
    if asked.for_browser:
        return reverse("slip_code", args=[match])
    return code_data(f"{asked.base}{reverse('slip', args=[match])}")


def _name(name: str) -> SafeString:
    step = step_for(name, NAME_ROOM, NAME_POINTS)
    if step == 100:
        return conditional_escape(name)
    if step is not None:
        return SafeString(f'<i class="t{step}">{conditional_escape(name)}</i>')
    lines = wrapped(name, NAME_ROOM, 7)
    return SafeString(f'<i class="two">{"<br>".join(map(conditional_escape, lines))}</i>')
