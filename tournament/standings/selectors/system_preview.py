"""An event's present standings as another system would have them."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.engine.standings.systems.system import System
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.standings.selectors.standings import Line, compute, standings
from tournament.standings.selectors.table import Column, columns_of

ROWS = 16


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One player: his line under the other system, and his place as it is now."""

    line: Line
    place_now: int
    cells: list[tuple[Column, str]]


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows, how many players there are, and how many of them would change places."""

    columns: list[Column]
    rows: list[PreviewRow]
    players: int
    moved: int


def preview(event: Event, system: System) -> Preview | None:
    """The standing as `system` would have it; None while nothing is played."""
    if not Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT).exists():
        return None
    now = {line.player.pk: line.rank for line in standings(event)}
    lines = compute(event, system=system)
    ranking = columns_of(system)[1:]
    return Preview(
        columns=[column for column in ranking if not column.is_hidden],
        rows=[_row(line, now[line.player.pk], ranking) for line in lines[:ROWS]],
        players=len(lines),
        moved=sum(line.rank != now[line.player.pk] for line in lines),
    )


def _row(line: Line, place_now: int, ranking: list[Column]) -> PreviewRow:
    pairs = zip(ranking, line.cells, strict=True)
    return PreviewRow(line, place_now, [(column, cell) for column, cell in pairs if not column.is_hidden])
