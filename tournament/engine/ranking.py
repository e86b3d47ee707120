"""Order the rows of a cross table by a system: points first, then its tiebreakers; equal stays equal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tournament.engine.crosstable import CrossTable
from tournament.engine.record import Record, record_of
from tournament.engine.scoring import Side
from tournament.engine.systems import System
from tournament.engine.tiebreakers.base import Column, Tally

GROUPED = frozenset(("head_to_head",))


@dataclass(eq=False, repr=False)
class Reckoning:
    """The columns behind the rows of one standing; exact values and records are made when asked for."""

    tally: Tally
    system: System
    keys: list[tuple[int, ...]]
    tallies: tuple[Tally, ...]
    columns: tuple[Column, ...]
    _records: dict[int, Record] = field(default_factory=dict)

    @property
    def table(self) -> CrossTable:
        """The cross table that was reckoned up."""
        return self.tally.table

    @cached_property
    def shown(self) -> tuple[Column, ...]:
        """The columns that are shown but do not rank, computed when somebody looks."""
        return tuple(shown.kind.compute(self.tally, shown.params) for shown in self.system.shown)

    @cached_property
    def byes(self) -> list[int]:
        """Byes of each row that should not be followed by another: not those that a player asked for."""
        return self.table.count(frozenset((Side.BYE,)))

    def record(self, row: int) -> Record:
        """Wins, losses, draws, byes and games of one row."""
        if row not in self._records:
            self._records[row] = record_of(self.table, row)
        return self._records[row]


def reckon(tally: Tally, system: System) -> Reckoning:
    """A key for every row, the greater the better, and the columns of all tiebreakers of the system."""
    keys: list[Sequence[int]] = []
    columns, tallies = [], []
    if all(tiebreaker.kind_name != "points" for tiebreaker in system.tiebreakers):
        keys.append(tally.table.scores)
    for tiebreaker in system.tiebreakers:
        tallies.append(tally.among(level(keys)) if tiebreaker.kind_name in GROUPED else tally)
        columns.append(tiebreaker.kind.compute(tallies[-1], tiebreaker.params))
        keys.append(columns[-1].keys())
    return Reckoning(tally, system, list(zip(*keys, strict=True)), tuple(tallies), tuple(columns))


def level(keys: Sequence[Sequence[int]]) -> list[list[int]]:
    """The groups of two or more rows that are equal on every key so far."""
    if not keys:
        return []
    groups: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for row, key in enumerate(zip(*keys, strict=True)):
        groups[key].append(row)
    return [rows for rows in groups.values() if len(rows) > 1]


def places(keys: Sequence[tuple[int, ...]]) -> tuple[list[int], list[bool]]:
    """Ranks of keys that stand in order, and whether each rank is shared."""
    ranks: list[int] = []
    for place, key in enumerate(keys, 1):
        ranks.append(ranks[-1] if ranks and key == keys[place - 2] else place)
    last = len(ranks) - 1
    shared = [
        rank != index + 1 or (index < last and ranks[index + 1] == rank) for index, rank in enumerate(ranks)
    ]
    return ranks, shared
