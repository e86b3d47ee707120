"""Buchholz and Sonneborn-Berger with unplayed rounds by FIDE's regulations.

The regulations are C.07 (2024 and 2026). An opponent's score is adjusted: rounds left out voluntarily after
the last attended one count as draws (16.3). An unplayed round of one's own counts against a dummy with one's
own score (16.4); since 1 March 2026 that dummy has no more than the opponent who was paired (16.4.1), or than
a draw in every round (16.4.2). When low values are cut, rounds left out voluntarily go first (16.5).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from operator import mul, sub

from rules.reason import Reason, reason
from tournament.engine.standings.crosstable import CrossTable
from tournament.engine.standings.scoring import MET, VOLUNTARY, RoundStatus
from tournament.engine.standings.tiebreakers.base import (
    Column,
    Term,
    TiebreakerContext,
    TiebreakerKind,
    exact_ratio,
    get_int_param,
    name_formula,
)
from tournament.engine.standings.tiebreakers.parameters import Params

YEAR_OF_THE_CAP = 2026
RUNNING = frozenset((RoundStatus.RUNNING,))
UNPLAYED = frozenset(RoundStatus) - {RoundStatus.PLAYED, RoundStatus.RUNNING}


@dataclass(frozen=True, slots=True)
class _Part:
    """The contribution of one round: the opponent's score and a product.

    The product is that score times the points taken from the opponent.
    """

    round: int
    score: int
    value: int
    is_voluntary: bool
    is_played: bool


def adjusted_scores(tally: TiebreakerContext) -> Sequence[int]:
    """Return each player's score as their opponents use it (C.07 16.3).

    It is in the table's units.
    """
    return tally.once("fide-adjusted", lambda: Column(_adjust_points(tally.table))).numerators


def _adjust_points(table: CrossTable) -> list[int]:
    adjusted_points = list(table.scores)
    draw, nobody = table.scale_score(table.points.draw), len(table.ids)
    absent_rows = table.rounds[-1].rows(VOLUNTARY) if table.rounds else []
    for row in absent_rows:
        for turn in reversed(table.rounds):
            side = turn.side[row]
            if side not in VOLUNTARY:
                break
            if side != RoundStatus.UNOPPOSED_FORFEIT and turn.opponent[row] == nobody:
                adjusted_points[row] += draw - turn.points[row]
    return adjusted_points


def _contributions(tally: TiebreakerContext, year: int) -> list[Sequence[int]]:
    """Return the opponents' scores round by round.

    Dummies replace opponents who were not played.
    """
    return [
        tally.once(("fide", year, number), partial(_round_scores, tally, number, year)).numerators
        for number in range(len(tally.table.rounds))
    ]


def _round_scores(tally: TiebreakerContext, number: int, year: int) -> Column:
    table, adjusted_points = tally.table, adjusted_scores(tally)
    turn, own = table.rounds[number], table.scores
    scores = list(map([*adjusted_points, 0].__getitem__, turn.opponent))
    # No one was paired: a dummy with the player's own score, since 2026 no more than draws would bring.
    most = (
        max(own, default=0)
        if year < YEAR_OF_THE_CAP
        else table.scale_score(table.points.draw) * len(table.rounds)
    )
    for row in turn.rows(UNPLAYED - MET):
        scores[row] = min(own[row], most)
    for row in turn.rows(MET - {RoundStatus.PLAYED}):
        scores[row] = (
            own[row] if year < YEAR_OF_THE_CAP else min(own[row], adjusted_points[turn.opponent[row]])
        )
    return Column(scores)


def _against(tally: TiebreakerContext, year: int) -> list[tuple[int, ...]]:
    """Return the contributions player by player."""
    return tally.once(
        ("fide-against", year), lambda: list(zip(*_contributions(tally, year), strict=True))
    ) or [()] * len(tally.table.ids)


def _special_rows(tally: TiebreakerContext) -> set[int]:
    """Return players with a round left out of their own will, or still running."""
    rounds = tally.table.rounds
    return tally.once(
        "fide-special", lambda: {row for turn in rounds for row in turn.rows(VOLUNTARY | RUNNING)}
    )


def _in_order_of_cutting(tally: TiebreakerContext, year: int) -> dict[int, list[int]]:
    """Return the contributions of special rows in the order of cutting.

    Rounds left out are cut first, then the lowest contributions.
    """
    table, scores, against = tally.table, _contributions(tally, year), _against(tally, year)
    rows = {row: sorted(against[row]) for row in _special_rows(tally)}
    left_out: defaultdict[int, list[int]] = defaultdict(list)
    for turn, column in zip(table.rounds, scores, strict=True):
        for row in turn.rows(RUNNING):
            rows[row].remove(column[row])
        for row in turn.rows(VOLUNTARY):
            rows[row].remove(column[row])
            left_out[row].append(column[row])
    for row, values in left_out.items():
        rows[row][:0] = sorted(values)
    return rows


def _cut_ends(tally: TiebreakerContext, year: int, low: int, high: int) -> list[int]:
    """Return the sums of the contributions without those that are cut at either end."""
    is_round_running = any(turn.side.find(RoundStatus.RUNNING) >= 0 for turn in tally.table.rounds)
    if not is_round_running and not high and low <= 1:
        return _without_first(tally, year) if low else _totals(tally, year)
    rows = _against(tally, year)
    sums = [sum(sorted(row)[low : max(low, len(row) - high)]) for row in rows]
    for row, scores in _in_order_of_cutting(tally, year).items():
        scores_left = sorted(scores[low:])
        sums[row] = sum(scores_left[: max(0, len(scores_left) - high)])
    return sums


def _totals(tally: TiebreakerContext, year: int) -> list[int]:
    """Return the sums of all contributions.

    This includes those that a running round would bring.
    """
    return tally.once(("fide-totals", year), lambda: list(map(sum, _against(tally, year))))


def _without_first(tally: TiebreakerContext, year: int) -> list[int]:
    """Return the sums of the contributions without the one that is cut first.

    No round is running.
    """
    totals, rows = _totals(tally, year), _against(tally, year)
    sums = list(map(sub, totals, map(min, rows))) if rows[:1] != [()] else totals
    for row, score in _least_left_out(tally, year).items():
        sums[row] = totals[row] - score
    return sums


def _least_left_out(tally: TiebreakerContext, year: int) -> dict[int, int]:
    """Return each player's lowest contribution of a round left out by choice.

    Only players with such a round are included.
    """
    least: dict[int, int] = {}
    for turn, column in zip(tally.table.rounds, _contributions(tally, year), strict=True):
        for row in turn.rows(VOLUNTARY):
            score = column[row]
            if least.setdefault(row, score) > score:
                least[row] = score
    return least


def _weighted_sums(tally: TiebreakerContext, year: int, low: int, high: int) -> list[int]:
    """Return the weighted sums of the contributions that are not cut.

    Each contribution is multiplied by the points of its round.
    """
    table, scores = tally.table, _contributions(tally, year)
    pairs = list(zip(_against(tally, year), table.points_by_row, strict=True))
    if not low and not high:
        return [sum(map(mul, *pair)) for pair in pairs]
    sums = [_cut_weighted(*pair, low, high) for pair in pairs]
    for row in _special_rows(tally):
        parts = _parts(table, scores, row, is_weighted=True)
        sums[row] = sum(part.value for part in parts) - sum(
            part.value for part in _find_cut_parts(parts, low, high)
        )
    return sums


def _cut_weighted(scores: Sequence[int], points: Sequence[int], low: int, high: int) -> int:
    values = sorted(zip(scores, map(mul, scores, points), strict=True))
    return sum(value for _, value in values[low : max(low, len(values) - high)])


def _parts(table: CrossTable, scores: list[Sequence[int]], row: int, is_weighted: bool) -> list[_Part]:
    """Return the rounds of one player in which something was decided.

    Rounds in which something could have been decided are included.
    """
    parts = []
    for number, (turn, column) in enumerate(zip(table.rounds, scores, strict=True), 1):
        side = turn.side[row]
        value = column[row] * turn.points[row] if is_weighted else column[row]
        if side != RoundStatus.RUNNING:
            parts.append(_Part(number, column[row], value, side in VOLUNTARY, side == RoundStatus.PLAYED))
    return parts


def _find_cut_parts(parts: list[_Part], low: int, high: int) -> list[_Part]:
    """Return the parts that are left out.

    The lowest come first, voluntary ones before others (16.5), then the highest.
    """
    parts_left, out = list(parts), []
    for _ in range(min(low, len(parts_left))):
        out.append(_least(parts_left))
        parts_left.remove(out[-1])
    for _ in range(min(high, len(parts_left))):
        out.append(max(parts_left, key=lambda part: (part.score, part.value)))
        parts_left.remove(out[-1])
    return out


def _least(parts: list[_Part]) -> _Part:
    lowest = min(parts, key=lambda part: (part.score, part.value))
    voluntary = [part for part in parts if part.is_voluntary]
    if not voluntary:
        return lowest
    left_out = min(voluntary, key=lambda part: (part.value, part.score))
    return lowest if lowest.value > left_out.value else left_out


def buchholz(tally: TiebreakerContext, params: Params) -> Column:
    """Return the sum of the opponents' adjusted scores."""
    sums = _cut_ends(
        tally, _year(params), get_int_param(params, "cut_low"), get_int_param(params, "cut_high")
    )
    return Column(sums, tally.table.scale)


def sonneborn_berger(tally: TiebreakerContext, params: Params) -> Column:
    """Return the weighted sum of the opponents' adjusted scores.

    Each is multiplied by the points taken from that opponent.
    """
    sums = _weighted_sums(
        tally, _year(params), get_int_param(params, "cut_low"), get_int_param(params, "cut_high")
    )
    return Column(sums, tally.table.scale**2)


def _year(params: Params) -> int:
    return get_int_param(params, "year", YEAR_OF_THE_CAP)


def _terms(tally: TiebreakerContext, params: Params, row: int, is_weighted: bool) -> list[Term]:
    table = tally.table
    scores = _contributions(tally, _year(params))
    parts = _parts(table, scores, row, is_weighted)
    cut = {
        part.round
        for part in _find_cut_parts(
            parts, get_int_param(params, "cut_low"), get_int_param(params, "cut_high")
        )
    }
    scale = table.scale**2 if is_weighted else table.scale
    return [
        Term(
            part.round,
            table.opponent_id(table.rounds[part.round - 1], row),
            exact_ratio(part.value, scale),
            _note(part, part.round in cut),
            part.round not in cut,
        )
        for part in parts
    ]


def _note(part: _Part, cut: bool) -> Reason | None:
    if part.is_played:
        return reason("value_cut") if cut else None
    return reason("against_dummy.cut" if cut else "against_dummy")


KINDS = {
    "fide_buchholz": TiebreakerKind(
        buchholz,
        lambda tally, params, row: _terms(tally, params, row, is_weighted=False),
        name_formula("formula_fide_buchholz"),
    ),
    "fide_sonneborn_berger": TiebreakerKind(
        sonneborn_berger,
        lambda tally, params, row: _terms(tally, params, row, is_weighted=True),
        name_formula("formula_fide_sonneborn_berger"),
    ),
}
