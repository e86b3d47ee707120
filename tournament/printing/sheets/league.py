"""The table of a league on paper: places, names, sums, the points of each event, and what counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from tournament.events.models.event import Event
from tournament.leagues.models import League
from tournament.leagues.selectors import Cell, LeagueTable, PersonRow, league_table
from tournament.printing.layout.columns import Heading
from tournament.printing.layout.figures import Row, set_figures
from tournament.shared.text_width import wrapped
from tournament.templatetags.ringside import figure

# As many events stand in columns of their own; of a longer season the first ones are added up in one.
MOST_EVENTS = 10
NONE = "–"
WORDS_ROOM, WORDS_POINTS = 180, 8


def league_list(league: League, paper: str, now: datetime) -> dict[str, Any]:
    """What the template for columns shows of a league's table as it is now, for A4 or Letter."""
    table = league_table(league)
    first = max(len(table.over) - MOST_EVENTS, 0)
    rows: list[Row | Heading] = [(str(row.rank), row.name, list(_figures(row, first))) for row in table.rows]
    return {
        **set_figures(rows, _heads(len(table.over), first), list(_words(league, table)), paper),
        "title": "League table",
        "about": f"{league.name} · {_state(table)}",
        "paper": paper,
        "printed_at": now.astimezone(table.over[-1].zone) if table.over else now,
    }


def _state(table: LeagueTable) -> str:
    over, coming = len(table.over), len(table.coming)
    said = f"after {over} event{'' if over == 1 else 's'}"
    return f"{said}, {coming} to come" if coming else said


def _heads(events: int, first: int) -> list[str]:
    together = [f"1-{first}"] if first else []
    return ["PTS", *together, *map(str, range(first + 1, events + 1))]


def _figures(row: PersonRow, first: int) -> Iterator[str]:
    """The sum, the first events together where there are many, then one figure for each event."""
    yield figure(row.points)
    if first:
        counted = [cell.points for cell in row.cells[:first] if cell is not None and cell.counts]
        yield figure(sum(counted)) if counted else NONE
    yield from map(_figure, row.cells[first:])


def _figure(cell: Cell | None) -> str:
    if cell is None:
        return NONE
    return figure(cell.points) if cell.counts else f"({figure(cell.points)})"


def _words(league: League, table: LeagueTable) -> Iterator[str]:
    """Which number is which event, what counts, and what a place is worth."""
    for sentence in (_events(table.over), _counting(league), _points(table)):
        yield from wrapped(sentence, WORDS_ROOM, WORDS_POINTS) if sentence else ()


def _events(over: Sequence[Event]) -> str:
    return "; ".join(
        f"{number}: {event.name}, {event.starts_local.day} {event.starts_local:%B %Y}"
        for number, event in enumerate(over, 1)
    )


def _counting(league: League) -> str:
    if league.best_of is None:
        return "Every result counts. Who shares a place gets the mean of the places taken."
    results = "result counts" if league.best_of == 1 else f"{league.best_of} results count"
    return (
        f"The best {results}, others stand in brackets. Who shares a place gets the mean of the places taken."
    )


def _points(table: LeagueTable) -> str:
    spans = [
        f"{points} for place{f' {first}' if first == last else f's {first} to {last}'}"
        for first, last, points in table.points.spans
    ]
    return f"Points: {', '.join([*spans, f'{table.points.others} for all others'])}."
