"""Buchholz and Sonneborn-Berger with unplayed rounds handled as FIDE's regulations C.07 say (2024 and 2026).

An opponent's score is adjusted: rounds that he left out of his own will after the last one he was there for
count as draws (16.3). An unplayed round of one's own is reckoned against a dummy with one's own score (16.4);
since 1 March 2026 that dummy has no more than the opponent who was paired (16.4.1), or than a draw in every
round (16.4.2). When low values are cut, rounds left out voluntarily go first (16.5).
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from tournament.engine.scoring import VOLUNTARY, Side
from tournament.engine.tiebreakers.base import Column, Kind, Params, Tally, Term, exact, whole

YEAR_OF_THE_CAP = 2026


@dataclass(frozen=True, slots=True)
class _Part:
    """What one round contributes: the opponent's score, and that score times the points taken from him."""

    round: int
    row: int
    score: int
    value: int
    voluntary: bool
    played: bool


def adjusted_scores(tally: Tally) -> list[int]:
    """Each player's score as his opponents use it (C.07 16.3), in the table's units."""
    table = tally.table
    last_there = [0] * len(table.ids)
    for number, turn in enumerate(table.rounds, 1):
        for row, side in enumerate(turn.side):
            if side not in VOLUNTARY:
                last_there[row] = number
    draw, nobody = table.scaled(table.points.draw), len(table.ids)
    adjusted = [0] * len(table.ids)
    for number, turn in enumerate(table.rounds, 1):
        for row, points in enumerate(turn.points):
            gone = number > last_there[row] and turn.opponent[row] == nobody
            adjusted[row] += draw if gone and turn.side[row] != Side.UNOPPOSED_FORFEIT else points
    return adjusted


def _parts(tally: Tally, adjusted: list[int], row: int, params: Params) -> list[_Part]:
    return [
        _part(tally, adjusted, row, number, params)
        for number, turn in enumerate(tally.table.rounds, 1)
        if turn.side[row] != Side.RUNNING
    ]


def _part(tally: Tally, adjusted: list[int], row: int, number: int, params: Params) -> _Part:
    table = tally.table
    turn = table.rounds[number - 1]
    side, other = turn.side[row], turn.opponent[row]
    played = side == Side.PLAYED
    score = adjusted[other] if played else _dummy(tally, adjusted, row, other, params)
    value = score * turn.points[row] if params["weighted"] else score
    return _Part(number, other, score, value, side in VOLUNTARY, played)


def _dummy(tally: Tally, adjusted: list[int], row: int, other: int, params: Params) -> int:
    table = tally.table
    own = table.scores[row]
    if whole(params, "year", YEAR_OF_THE_CAP) < YEAR_OF_THE_CAP:
        return own
    if other < len(table.ids):
        return min(own, adjusted[other])
    return min(own, table.scaled(table.points.draw) * len(table.rounds))


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


def _compute(tally: Tally, params: Params, weighted: bool) -> Column:
    table = tally.table
    settings = _settings(params, weighted)
    adjusted = adjusted_scores(tally)
    low, high = whole(params, "cut_low"), whole(params, "cut_high")
    sums = []
    for row in range(len(table.ids)):
        parts = _parts(tally, adjusted, row, settings)
        total = sum(part.value for part in parts)
        sums.append(total - sum(part.value for part in _cut(parts, low, high)))
    return Column(sums, table.scale**2 if weighted else table.scale)


def _settings(params: Params, weighted: bool) -> dict[str, Hashable]:
    return {"year": whole(params, "year", YEAR_OF_THE_CAP), "weighted": weighted}


def buchholz(tally: Tally, params: Params) -> Column:
    """The sum of the opponents' adjusted scores."""
    return _compute(tally, params, weighted=False)


def sonneborn_berger(tally: Tally, params: Params) -> Column:
    """The sum of the opponents' adjusted scores, each times the points taken from him."""
    return _compute(tally, params, weighted=True)


def _terms(tally: Tally, params: Params, row: int, weighted: bool) -> list[Term]:
    table = tally.table
    parts = _parts(tally, adjusted_scores(tally), row, _settings(params, weighted))
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
