"""Standings: who is where after which round, by which system."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat
from typing import NamedTuple

from tournament.engine.records import Event, PlayerId, Score
from tournament.engine.standings.crosstable import build
from tournament.engine.standings.explanation import Explanation, explain
from tournament.engine.standings.ranking import Reckoning, reckon
from tournament.engine.standings.record import Record
from tournament.engine.standings.systems import (
    Described,
    System,
    Tiebreaker,
    load_system,
    system_from,
    system_names,
)
from tournament.engine.standings.tiebreakers.base import Tally, exact

__all__ = [
    "Described",
    "Explanation",
    "Record",
    "Row",
    "System",
    "Tiebreaker",
    "explain",
    "load_system",
    "standings",
    "system_from",
    "system_names",
]


class Row(NamedTuple):
    """One line of a standing. `rank` is shared by players who are level on everything (`shared`)."""

    rank: int
    player: PlayerId
    points: Score
    shared: bool
    dropped_after: int | None
    row: int
    reckoning: Reckoning

    @property
    def values(self) -> tuple[Score, ...]:
        """The ranking tiebreakers of the system in its order, exact: int or Fraction."""
        return tuple(column.value(self.row) for column in self.reckoning.columns)

    @property
    def shown(self) -> tuple[Score, ...]:
        """What the system shows besides, in its order."""
        return tuple(column.value(self.row) for column in self.reckoning.shown)

    @property
    def record(self) -> Record:
        """Wins, losses, draws, byes and games."""
        return self.reckoning.record(self.row)

    @property
    def wins(self) -> int:
        """Rounds won, byes and forfeits worth a win included."""
        return self.record.wins

    @property
    def losses(self) -> int:
        """Rounds lost, double losses and losses without an opponent included."""
        return self.record.losses

    @property
    def draws(self) -> int:
        """Matches drawn."""
        return self.record.draws

    @property
    def byes(self) -> int:
        """Byes of every kind."""
        return self.record.byes

    @property
    def games_won(self) -> int:
        """Games won, byes as recorded."""
        return self.record.games_won

    @property
    def games_lost(self) -> int:
        """Games lost."""
        return self.record.games_lost

    @property
    def games_drawn(self) -> int:
        """Games drawn or left unfinished."""
        return self.record.games_drawn

    def facts(self) -> tuple[object, ...]:
        """Everything that a reader sees in the row, for comparing two standings."""
        return (*self[:5], self.values, self.shown, self.record)


def standings(
    event: Event,
    system: System,
    *,
    after_round: int | None = None,
    lots: Mapping[PlayerId, int] | None = None,
) -> tuple[Row, ...]:
    """The standing after a past round, or with every finished match that stands in the event.

    Players level on all tiebreakers share a rank and stand in the order of their lots, then of their ids;
    `lots` (the lower the better) separate them only where the system ends with the lot. Cut matches are no
    part of `event.rounds`. Raises EngineError with every problem of the event.
    """
    table = build(system.read(event), system.points, after_round=after_round)
    return _rows(reckon(Tally(table, lots), system))


def _rows(reckoning: Reckoning) -> tuple[Row, ...]:
    table = reckoning.table
    order, ranks, shared = reckoning.in_order()
    scores = table.scores if table.scale == 1 else [exact(score, table.scale) for score in table.scores]
    players = [table.ids[row] for row in order]
    dropped = map(table.dropped_after.get, players)
    points = map(scores.__getitem__, order)
    return tuple(map(Row._make, zip(ranks, players, points, shared, dropped, order, repeat(reckoning))))
