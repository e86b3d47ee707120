"""Every sheet there is: its name, what it needs, and the rows that stand on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404

from tournament.models import Event, Match, Round
from tournament.rulebook import match_form_of
from tournament.selectors.points import points_before
from tournament.selectors.standings import standings, system_of

SLIPS_A_PAGE = 8
PAPERS = ("A4", "Letter")


@dataclass(frozen=True, slots=True)
class Sheet:
    """One kind of sheet. `rows` builds what its template shows, from the event and the round."""

    key: str
    name: str
    says: str
    template: str
    build: Callable[[Event, Round | None], dict[str, Any]]
    of_a_round: bool = True


def _tables(shown: Round) -> list[Match]:
    matches = list(shown.matches.select_related("p1", "p2"))
    return sorted(matches, key=lambda m: (m.table is None, m.table or 0))


def _by_table(event: Event, shown: Round | None) -> dict[str, Any]:
    points = points_before(shown)
    rows = [
        {"match": m, "p1_points": points[m.p1_id], "p2_points": points[m.p2_id] if m.p2_id else None}
        for m in _tables(shown)
    ]
    return {"rows": rows}


def _by_name(event: Event, shown: Round | None) -> dict[str, Any]:
    rows = []
    for match in _tables(shown):
        rows.append((match.p1.name, match.table, match.p2.name if match.p2 else ""))
        if match.p2:
            rows.append((match.p2.name, match.table, match.p1.name))
    return {"rows": sorted(rows, key=lambda row: row[0].casefold())}


def _standings(event: Event, shown: Round | None) -> dict[str, Any]:
    system = system_of(event)
    after = shown.number if shown is not None and not shown.stage.is_elimination else None
    return {"rows": standings(event, after_round=after), "system": system, "after": after}


def _slips(event: Event, shown: Round | None) -> dict[str, Any]:
    playing = [m for m in _tables(shown) if not m.is_bye]
    return {"pages": stacked(playing, SLIPS_A_PAGE), "form": match_form_of(event)}


def stacked(items: Sequence[Any], a_page: int) -> list[list[Any]]:
    """Items on pages so that the piles lie in order after the guillotine: pile 1 holds the first tables.

    The n-th place of every page belongs to one pile; the last pages may leave places empty.
    """
    pages = -(-len(items) // a_page) if items else 0
    return [[items[place] for place in range(page, len(items), pages)] for page in range(pages)]


SHEETS = {
    sheet.key: sheet
    for sheet in (
        Sheet(
            "pairings-by-table",
            "Pairings by table",
            "For the judges and the wall.",
            "by_table.html",
            _by_table,
        ),
        Sheet(
            "pairings-by-name", "Pairings by name", "Players find their table here.", "by_name.html", _by_name
        ),
        Sheet("slips", "Result slips", "One for each table, to be signed by both.", "slips.html", _slips),
        Sheet(
            "standings", "Standings", "With every tiebreaker.", "standings.html", _standings, of_a_round=False
        ),
    )
}


def sheet_or_404(key: str) -> Sheet:
    """The sheet of that name."""
    if key not in SHEETS:
        raise Http404(f"There is no sheet “{key}”.")
    return SHEETS[key]


def round_for(event: Event, stage: int | None, number: int | None) -> Round | None:
    """The round a sheet is about; without one named, the last."""
    rounds = Round.objects.filter(stage__event=event).select_related("stage__event")
    if stage is not None and number is not None:
        return rounds.filter(stage__position=stage, number=number).first()
    return rounds.last()


def title(sheet: Sheet, event: Event, shown: Round | None) -> str:
    """What the sheet is about, for its head and its file name."""
    if shown is None:
        return sheet.name
    part = "cut, round" if shown.stage.is_elimination else "round"
    after = "after " if not sheet.of_a_round else ""
    return f"{sheet.name}, {after}{part} {shown.number}"
