"""Rank rows of a cross table by a system; player records."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import eq, or_

from tournament.engine.records import Score
from tournament.engine.standings.arrays import OnListsOnly, in_order, machine_words
from tournament.engine.standings.crosstable import CrossTable
from tournament.engine.standings.scoring import BYES, RoundStatus
from tournament.engine.standings.seats import RoundColumns
from tournament.engine.standings.systems import System
from tournament.engine.standings.tiebreakers import KINDS, Params
from tournament.engine.standings.tiebreakers.base import Column, TiebreakerContext

GROUPED = frozenset(("head_to_head",))


@dataclass(eq=False, repr=False)
class RankingData:
    """The columns behind the rows of one standing.

    Exact values and records are made on request.
    """

    tally: TiebreakerContext
    system: System
    tallies: tuple[TiebreakerContext, ...]
    columns: tuple[Column, ...]
    ranked_by: tuple[Column, ...]
    _records: dict[int, PlayerRecord] = field(default_factory=dict)

    @property
    def table(self) -> CrossTable:
        """The calculated cross table."""
        return self.tally.table

    def in_order(self) -> tuple[list[int], list[int], list[bool]]:
        """Return the rows from best to worst, the rank of each, and whether it is shared.

        Players level on everything are in the order of their random numbers, then of their ids.
        """
        if self.table.arrays is not None:
            try:
                parts = [part for column in self.ranked_by for part in machine_words(column.keys())]
            except OnListsOnly:
                pass
            else:
                return in_order(parts, self._list_in_random_order())
        keys = list(zip(*(column.keys() for column in self.ranked_by), strict=True))
        order = sorted(self._list_in_random_order(), key=keys.__getitem__, reverse=True)
        return order, *compute_ranks([keys[row] for row in order])

    def _list_in_random_order(self) -> Sequence[int]:
        """Return all rows in the order of their random numbers.

        A reverse sort keeps equals as they are.
        """
        table, lots = self.table, self.tally.lots
        if not lots:
            return range(len(table.ids))
        last = max(lots.values()) + 1
        return sorted(range(len(table.ids)), key=lambda row: lots.get(table.ids[row], last))

    @cached_property
    def shown_columns(self) -> tuple[Column, ...]:
        """The columns that are shown but do not rank, computed when someone looks."""
        return tuple(
            _column(self.tally, tiebreaker.kind_name, tiebreaker.params)
            for tiebreaker in self.system.extra_tiebreakers
        )

    @cached_property
    def byes(self) -> list[int]:
        """Return each row's byes that should not be followed by another.

        Byes that a player asked for are not among them.
        """
        return self.table.count(frozenset((RoundStatus.BYE,)))

    def record(self, row: int) -> PlayerRecord:
        """Return wins, losses, draws, byes and games of one row."""
        if row not in self._records:
            self._records[row] = compute_record(self.table, row)
        return self._records[row]


def compute_ranking(tally: TiebreakerContext, system: System) -> RankingData:
    """Return the columns of all tiebreakers, and those that rank the rows.

    The tiebreakers are those of the system. Points come before all else.
    """
    ranked_by: list[Column] = []
    columns, tallies = [], []
    if all(tiebreaker.kind_name != "points" for tiebreaker in system.tiebreakers):
        ranked_by.append(_column(tally, "points", {}))
    for tiebreaker in system.tiebreakers:
        is_grouped = tiebreaker.kind_name in GROUPED
        tallies.append(tally.among(group_ties([c.keys() for c in ranked_by])) if is_grouped else tally)
        columns.append(_column(tallies[-1], tiebreaker.kind_name, tiebreaker.params))
        ranked_by.append(columns[-1])
    return RankingData(tally, system, tuple(tallies), tuple(columns), tuple(ranked_by))


def _column(tally: TiebreakerContext, kind_name: str, params: Params) -> Column:
    if tally.table.arrays is None:
        return KINDS[kind_name].compute(tally, params)
    # Only large events have arrays; a command for a few players is done before these are loaded.
    from tournament.engine.standings.tiebreakers import on_arrays

    return on_arrays.column(tally, kind_name, params) or KINDS[kind_name].compute(tally, params)


def group_ties(keys: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the groups of two or more rows that are equal on every key so far."""
    if not keys:
        return []
    groups: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for row, key in enumerate(zip(*keys, strict=True)):
        groups[key].append(row)
    return [rows for rows in groups.values() if len(rows) > 1]


def compute_ranks(keys: Sequence[tuple[Score, ...]]) -> tuple[list[int], list[bool]]:
    """Return the ranks of keys that are in order, and whether each rank is shared."""
    is_level = [False, *map(eq, keys[1:], keys)][: len(keys)]
    ranks, rank = [], 0
    for place, level in enumerate(is_level, 1):
        rank = rank if level else place
        ranks.append(rank)
    return ranks, list(map(or_, is_level, [*is_level[1:], False]))


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """The record of a player. Wins include byes and forfeits that are worth a win."""

    wins: int = 0
    losses: int = 0
    draws: int = 0
    byes: int = 0
    games_won: int = 0
    games_lost: int = 0
    games_drawn: int = 0


def compute_record(table: CrossTable, row: int) -> PlayerRecord:
    """Return the record of one row after the rounds of the table."""
    rounds = [turn for _, turn in table.list_played(row)]
    outcomes = Counter(_outcome(table, turn, row) for turn in rounds)
    return PlayerRecord(
        wins=outcomes["win"],
        losses=outcomes["loss"],
        draws=outcomes["draw"],
        byes=sum(turn.side[row] in BYES for turn in rounds),
        games_won=sum(turn.games_won[row] for turn in rounds),
        games_lost=sum(turn.games_lost[row] for turn in rounds),
        games_drawn=sum(turn.games_drawn[row] for turn in rounds),
    )


def _outcome(table: CrossTable, turn: RoundColumns, row: int) -> str:
    """Return win, loss or draw; empty for a bye worth less than a win.

    Nothing each is a double loss.
    """
    mine, other = turn.points[row], turn.opponent[row]
    if turn.side[row] in BYES:
        return "win" if mine >= table.scale_score(table.points.win) else ""
    if other == len(table.ids):
        return "loss"
    theirs = turn.points[other]
    if mine == theirs:
        return "draw" if mine or not table.points.draw else "loss"
    return "win" if mine > theirs else "loss"
