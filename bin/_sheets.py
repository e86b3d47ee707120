"""Pictures of every sheet of paper, in both sizes.

They are made from the PDF that the printer gets.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.events.settings import get_game
from tournament.printing.registry import Sheet, find_sheet, list_sheets
from tournament.printing.render import render_sheet_pdf
from tournament.printing.request import PAPER_SIZES, PrintRequest, find_round
from tournament.printing.selectors import find_missing

DOTS_AN_INCH = "60"
MOST_PAGES = 4
PRINTED = datetime(2027, 3, 6, 11, 30, tzinfo=UTC)
POPPLER = "apt-get install poppler-utils"
# Every sheet is printed for the first event that can have it; these look different in another.
ALSO = {
    "bracket": ("cut", "double", "third", "large", "wide", "consolation"),
    "standings": ("groups", "fours", "crowd"),
    "slips": ("double", "consolation", "fours", "miniatures", "highlander", "crowd"),
    "time": ("highlander",),
    "report": ("cut", "groups", "fours", "double", "consolation", "finished"),
    "pairings-by-table": ("groups", "fours", "consolation", "crowd"),
    "pairings-by-name": ("fours", "crowd"),
    "seating": ("crowd",),
    "check-in": ("crowd",),
    "badges": ("third",),
    "registration": ("highlander",),
    "deck-check": ("highlander",),
}
FIRST = ("playing", "cut", "highlander", "miniatures")


@dataclass(frozen=True, slots=True)
class Print:
    """One sheet of one event on one paper."""

    moment: str
    sheet: Sheet
    print_request: PrintRequest

    @property
    def name(self) -> str:
        """Return the name that its pictures start with."""
        blank = "-blank" if self.print_request.is_blank else ""
        return f"{self.sheet.key}{blank}--{self.moment}"


def prints(moments: Mapping[str, Event]) -> list[Print]:
    """Return every sheet in both sizes.

    The empty forms are included. A sheet is repeated where it looks different.
    """
    all_prints = []
    sheets = {sheet.key: sheet for event in moments.values() for sheet in list_sheets(get_game(event))}
    for sheet in sheets.values():
        if sheet.is_pack:
            continue
        for moment in _moments(sheet, moments):
            all_prints += _list_prints(moment, sheet, moments[moment])
    return all_prints


def _moments(sheet: Sheet, moments: Mapping[str, Event]) -> list[str]:
    usual = [moment for moment in FIRST if _can(sheet, moments[moment])][:1]
    more = [moment for moment in ALSO.get(sheet.key, ()) if moment in moments and moment not in usual]
    return [*usual, *(moment for moment in more if _can(sheet, moments[moment]))]


def _can(sheet: Sheet, event: Event) -> bool:
    event_rounds = list(Round.objects.filter(stage__event=event).select_related("stage"))
    has_sheet = find_sheet(event, sheet.key) is not None and sheet.fits(event)
    return has_sheet and not find_missing(sheet, event, event_rounds)


def _list_prints(moment: str, sheet: Sheet, event: Event) -> Iterator[Print]:
    for paper in PAPER_SIZES:
        for is_blank in (False, True) if sheet.can_be_blank else (False,):
            shown_round = find_round(event, None, None)
            base = "https://ringside.example"
            yield Print(
                moment, sheet, PrintRequest(event, shown_round, paper, PRINTED, base, is_blank=is_blank)
            )


def shoot(prints: list[Print], folder: Path) -> Iterator[Path]:
    """Print and draw each sheet, and yield the pictures.

    They are `paper-A4/slips--playing-1.png` and so on.
    """
    if shutil.which("pdftoppm") is None:
        print(f"No pictures of printouts: pdftoppm is missing on this computer (Debian: {POPPLER}).")
        return
    for each in prints:
        place = folder / f"paper-{each.print_request.paper}"
        place.mkdir(parents=True, exist_ok=True)
        for old in place.glob(f"{each.name}-*.png"):
            old.unlink()
        drawing = ["pdftoppm", "-r", DOTS_AN_INCH, "-png", "-l", str(MOST_PAGES), "-", str(place / each.name)]
        subprocess.run(drawing, input=render_sheet_pdf(each.sheet, each.print_request), check=True)
        yield from sorted(place.glob(f"{each.name}-*.png"))
