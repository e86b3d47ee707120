"""Buchholz and Sonneborn-Berger with unplayed rounds handled as FIDE's regulations C.07 say (2024 and 2026).

An opponent's score is adjusted: rounds that he left out of his own will after the last one he was there for
count as draws (16.3). An unplayed round of one's own is reckoned against a dummy with one's own score (16.4);
since 1 March 2026 that dummy has no more than the opponent who was paired (16.4.1), or than a draw in every
round (16.4.2). When low values are cut, rounds left out voluntarily go first (16.5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from operator import mul

from tournament.engine.crosstable import CrossTable
from tournament.engine.scoring import VOLUNTARY, Side
from tournament.engine.tiebreakers.base import Column, Kind, Params, Tally, Term, exact, whole

YEAR_OF_THE_CAP = 2026
UNPLAYED = frozenset(Side) - {Side.PLAYED, Side.RUNNING}


@dataclass(frozen=True, slots=True)
class _Part:
    """What one round contributes: the opponent's score, and that score times the points taken from him."""

    round: int
    score: int
    value: int
    voluntary: bool
    played: bool


def adjusted_scores(tally: Tally) -> Sequence[int]:
    """Each player's score as his opponents use it (C.07 16.3), in the table's units."""
    return tally.column("fide-adjusted", lambda: Column(_adjusted(tally.table))).numerators


def _adjusted(table: CrossTable) -> list[int]:
    last_there, adjusted = _last_there(table), list(table.scores)
    draw, nobody = table.scaled(table.points.draw), len(table.ids)
    for number, turn in enumerate(table.rounds, 1):
        for row in turn.rows(VOLUNTARY - {Side.UNOPPOSED_FORFEIT}):
            if number > last_there[row] and turn.opponent[row] == nobody:
                adjusted[row] += draw - turn.points[row]
    return adjusted


def _last_there(table: CrossTable) -> list[int]:
    """The last round that each player did not leave out of his own will."""
    left_out = table.count(VOLUNTARY)
    last = [len(table.rounds)] * len(table.ids)
    for row, rounds in enumerate(left_out):
        while rounds and last[row] and table.rounds[last[row] - 1].side[row] in VOLUNTARY:
            last[row] -= 1
    return last


def _contributions(tally: Tally, year: int) -> list[Sequence[int]]:
    """The opponents' scores round by round, dummies in the place of opponents who were not played."""
    return [
        tally.column(("fide", year, number), partial(_round_scores, tally, number, year)).numerators
        for number in range(len(tally.table.rounds))
    ]


def _round_scores(tally: Tally, number: int, year: int) -> Column:
    turn, adjusted = tally.table.rounds[number], adjusted_scores(tally)
    scores = list(map([*adjusted, 0].__getitem__, turn.opponent))
    for row in turn.rows(UNPLAYED):
        scores[row] = _dummy(tally, adjusted, row, turn.opponent[row], year)
    return Column(scores)


def _dummy(tally: Tally, adjusted: Sequence[int], row: int, other: int, year: int) -> int:
    table = tally.table
    own = table.scores[row]
    if year < YEAR_OF_THE_CAP:
        return own
    if other < len(table.ids):
        return min(own, adjusted[other])
    return min(own, table.scaled(table.points.draw) * len(table.rounds))


def _compute(tally: Tally, params: Params, weighted: bool) -> Column:
    table = tally.table
    scores = _contributions(tally, whole(params, "year", YEAR_OF_THE_CAP))
    values = [_values(table, number, column, weighted) for number, column in enumerate(scores)]
    low, high = whole(params, "cut_low"), whole(params, "cut_high")
    sums = _cut_sums(scores, values, low, high) if low or high else table.total(values)
    if low or high:
        for row in {row for turn in table.rounds for row in turn.rows(VOLUNTARY | {Side.RUNNING})}:
            parts = _parts(table, scores, row, weighted)
            sums[row] = sum(part.value for part in parts) - sum(part.value for part in _cut(parts, low, high))
    return Column(sums or [0] * len(table.ids), table.scale**2 if weighted else table.scale)


def _cut_sums(scores: list[Sequence[int]], values: list[Sequence[int]], low: int, high: int) -> list[int]:
    """The sums without the lowest and highest few, as if every round had been there for everyone."""
    end = max(low, len(scores) - high)
    if scores == values:
        return [sum(sorted(against)[low:end]) for against in zip(*scores, strict=True)]
    pairs = zip(zip(*scores, strict=True), zip(*values, strict=True), strict=True)
    return [sum(v for _, v in sorted(zip(*pair, strict=True))[low:end]) for pair in pairs]


def _values(table: CrossTable, number: int, scores: Sequence[int], weighted: bool) -> Sequence[int]:
    return list(map(mul, scores, table.rounds[number].points)) if weighted else scores


def _parts(table: CrossTable, scores: list[Sequence[int]], row: int, weighted: bool) -> list[_Part]:
    """The rounds of one player in which something was decided, or could have been."""
    parts = []
    for number, (turn, column) in enumerate(zip(table.rounds, scores, strict=True), 1):
        side = turn.side[row]
        value = column[row] * turn.points[row] if weighted else column[row]
        if side != Side.RUNNING:
            parts.append(_Part(number, column[row], value, side in VOLUNTARY, side == Side.PLAYED))
    return parts


def _cut(parts: list[_Part], low: int, high: int) -> list[_Part]:
    """The parts that are left out: the lowest, voluntary ones before others (16.5), then the highest."""
    kept, out = list(parts), []
    for _ in range(min(low, len(kept))):
        out.append(_least(kept))
        kept.remove(out[-1])
    for _ in range(min(high, len(kept))):
        out.append(max(kept, key=lambda part: (part.score, part.value)))
        kept.remove(out[-1])
    return out


def _least(parts: list[_Part]) -> _Part:
    lowest = min(parts, key=lambda part: (part.score, part.value))
    voluntary = [part for part in parts if part.voluntary]
    if not voluntary:
        return lowest
    left_out = min(voluntary, key=lambda part: (part.value, part.score))
    return lowest if lowest.value > left_out.value else left_out


def buchholz(tally: Tally, params: Params) -> Column:
    """The sum of the opponents' adjusted scores."""
    return _compute(tally, params, weighted=False)


def sonneborn_berger(tally: Tally, params: Params) -> Column:
    """The sum of the opponents' adjusted scores, each times the points taken from him."""
    return _compute(tally, params, weighted=True)


def _terms(tally: Tally, params: Params, row: int, weighted: bool) -> list[Term]:
    table = tally.table
    scores = _contributions(tally, whole(params, "year", YEAR_OF_THE_CAP))
    parts = _parts(table, scores, row, weighted)
    cut = {part.round for part in _cut(parts, whole(params, "cut_low"), whole(params, "cut_high"))}
    scale = table.scale**2 if weighted else table.scale
    return [
        Term(
            part.round,
            table.opponent_id(table.rounds[part.round - 1], row),
            exact(part.value, scale),
            _note(part, part.round in cut),
            part.round not in cut,
        )
        for part in parts
    ]


def _note(part: _Part, cut: bool) -> str:
    words = [] if part.played else ["unplayed, against the dummy"]
    return ", ".join([*words, *(["cut"] if cut else [])])


def _formula(params: Params, weighted: bool) -> str:
    low, high = whole(params, "cut_low"), whole(params, "cut_high")
    cuts = [f"the {count} {word}" for count, word in ((low, "lowest"), (high, "highest")) if count]
    times = ", each times the points taken from him" if weighted else ""
    less = f", without {' and '.join(cuts)}" if cuts else ""
    year = whole(params, "year", YEAR_OF_THE_CAP)
    law = f"FIDE C.07 of {year}; unplayed rounds against a dummy"
    return f"sum of the opponents' adjusted scores{times}{less} ({law})"


SETTINGS: Params = {"year": YEAR_OF_THE_CAP, "cut_low": 0, "cut_high": 0}

KINDS = {
    "fide_buchholz": Kind(
        buchholz,
        lambda tally, params, row: _terms(tally, params, row, weighted=False),
        lambda params: _formula(params, weighted=False),
        SETTINGS,
    ),
    "fide_sonneborn_berger": Kind(
        sonneborn_berger,
        lambda tally, params, row: _terms(tally, params, row, weighted=True),
        lambda params: _formula(params, weighted=True),
        SETTINGS,
    ),
}
