"""Tiebreakers from wins, draws and losses, whatever these are worth in points.

In a system whose draws are worth nothing, two who both lost a match count as having drawn it.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from operator import add

from tournament.engine.standings.crosstable import CrossTable
from tournament.engine.standings.scoring import ALONE, MET, RoundStatus
from tournament.engine.standings.seats import RoundColumns
from tournament.engine.standings.tiebreakers.base import (
    Column,
    Term,
    TiebreakerContext,
    TiebreakerKind,
    exact_ratio,
    get_numeric_param,
    name_formula,
)
from tournament.engine.standings.tiebreakers.parameters import Params
from tournament.engine.standings.tiebreakers.ratios import list_terms_of_opponents, ratio

LOSS, DRAW, WIN = 1, 2, 3
UNPLAYED = frozenset(RoundStatus) - MET - ALONE
CUMULATIVE_BASE = 4


def _outcomes(tally: TiebreakerContext) -> list[bytes]:
    """Return round by round how each player came out.

    0 for byes, absences and running matches.
    """
    table = tally.table
    return tally.once("outcomes", lambda: [_list_outcomes(table, turn) for turn in table.rounds])


def _list_outcomes(table: CrossTable, turn: RoundColumns) -> bytes:
    against = map([*turn.points, -1].__getitem__, turn.opponent)
    draws_count = table.points.draw > 0
    outcomes = bytearray(
        WIN if mine > theirs else LOSS if mine < theirs or (draws_count and not mine) else DRAW
        for mine, theirs in zip(turn.points, against, strict=True)
    )
    for row in turn.rows(UNPLAYED):
        outcomes[row] = 0
    for row in turn.rows(ALONE):
        outcomes[row] = LOSS
    return bytes(outcomes)


def _count(tally: TiebreakerContext, outcome: int) -> list[int]:
    """Count the rounds of each player that came out so."""
    flags = bytes(int(each == outcome) for each in range(256))
    return tally.once(
        ("outcome", outcome),
        lambda: tally.table.total(column.translate(flags) for column in _outcomes(tally)),
    )


def _count_played(tally: TiebreakerContext) -> list[int]:
    return list(map(add, map(add, _count(tally, WIN), _count(tally, DRAW)), _count(tally, LOSS)))


def win_share(tally: TiebreakerContext, params: Params) -> Column:
    """Divide wins and half of the draws by the rounds without byes.

    The share is capped for those who dropped.
    """
    floor, cap = (Fraction(get_numeric_param(params, name)) for name in ("floor", "dropped_cap"))

    def compute() -> Column:
        parts = [
            2 * wins + draws for wins, draws in zip(_count(tally, WIN), _count(tally, DRAW), strict=True)
        ]
        rounds = _count_played(tally)
        share = ratio(parts, rounds, rounds, 2, floor)
        return _cap_dropped(tally.table, share, cap) if cap else share

    return tally.once(("win share", floor, cap), compute)


def _cap_dropped(table: CrossTable, share: Column, cap: Fraction) -> Column:
    """Return the same column with a cap for players who left early.

    It is never above `cap` for players who left before the last round.
    """
    common = lcm(share.denominator, cap.denominator)
    values = [number * (common // share.denominator) for number in share.numerators]
    most = int(cap * common)
    for player, last in table.dropped_after.items():
        if last < len(table.rounds):
            row = table.index[player]
            values[row] = min(values[row], most)
    return Column(values, common)


def opponents_win_share(tally: TiebreakerContext, params: Params) -> Column:
    """Return the mean of the opponents' shares of rounds won."""
    return tally.mean_of_opponents(win_share(tally, params))


def opponents_opponents_win_share(tally: TiebreakerContext, params: Params) -> Column:
    """Return the mean over the opponents of that mean for them."""
    return tally.mean_of_opponents(opponents_win_share(tally, params))


def lost_rounds(tally: TiebreakerContext, params: Params) -> Column:
    """Return the sum of the squares of the numbers of the rounds lost.

    Later losses are better.
    """
    columns = [
        [number * number * (outcome == LOSS) for outcome in column]
        for number, column in enumerate(_outcomes(tally), 1)
    ]
    return Column(tally.table.total(columns))


def _lost_round_terms(tally: TiebreakerContext, params: Params, row: int) -> list[Term]:
    table = tally.table
    return [
        Term(number, table.opponent_id(turn, row), number * number * (outcomes[row] == LOSS))
        for number, (turn, outcomes) in enumerate(zip(table.rounds, _outcomes(tally), strict=True), 1)
    ]


def cumulative(tally: TiebreakerContext, params: Params) -> Column:
    """Add up, after each round, the points so far and a quarter of the value before."""
    return tally.once("cumulative", lambda: _accumulate(tally.table))


def _accumulate(table: CrossTable) -> Column:
    points, values = [0] * len(table.ids), [0] * len(table.ids)
    weight = 1
    for turn in table.rounds:
        points = list(map(add, points, turn.points))
        values = [value + weight * score for value, score in zip(values, points, strict=True)]
        weight *= CUMULATIVE_BASE
    return Column(values, table.scale * max(1, weight // CUMULATIVE_BASE))


def _cumulative_terms(tally: TiebreakerContext, params: Params, row: int) -> list[Term]:
    table, points, lines = tally.table, 0, []
    for number, turn in enumerate(table.rounds, 1):
        points += turn.points[row]
        rounds_left = len(table.rounds) - number
        value = exact_ratio(points, table.scale * CUMULATIVE_BASE**rounds_left)
        lines.append(Term(number, table.opponent_id(turn, row), value))
    return lines


def opponents_cumulative(tally: TiebreakerContext, params: Params) -> Column:
    """Return the mean of the opponents' cumulative values."""
    return tally.mean_of_opponents(cumulative(tally, params))


def loss_share(tally: TiebreakerContext, params: Params) -> Column:
    """Return matches lost divided by matches played, byes left out; lower is better."""

    def compute() -> Column:
        rounds = _count_played(tally)
        share = ratio(_count(tally, LOSS), rounds, rounds, 1, 0)
        return Column(share.numerators, share.denominator, lower_is_better=True)

    return tally.once("loss share", compute)


def _loss_terms(tally: TiebreakerContext, params: Params, row: int) -> list[Term]:
    table = tally.table
    return [
        Term(number, table.opponent_id(turn, row), int(outcomes[row] == LOSS), of=1)
        for number, (turn, outcomes) in enumerate(zip(table.rounds, _outcomes(tally), strict=True), 1)
        if outcomes[row]
    ]


def opponents_loss_share(tally: TiebreakerContext, params: Params) -> Column:
    """Return the mean of the opponents' shares of matches lost; lower is better."""
    mean = tally.mean_of_opponents(loss_share(tally, params))
    return Column(mean.numerators, mean.denominator, lower_is_better=True)


KINDS = {
    "opponents_win_share": TiebreakerKind(
        opponents_win_share,
        list_terms_of_opponents(win_share),
        name_formula("formula_opponents_win_share"),
        combine="mean",
    ),
    "opponents_opponents_win_share": TiebreakerKind(
        opponents_opponents_win_share,
        list_terms_of_opponents(opponents_win_share),
        name_formula("formula_opponents_opponents_win_share"),
        combine="mean",
    ),
    "lost_rounds": TiebreakerKind(lost_rounds, _lost_round_terms, name_formula("formula_lost_rounds")),
    "cumulative": TiebreakerKind(cumulative, _cumulative_terms, name_formula("formula_cumulative")),
    "opponents_cumulative": TiebreakerKind(
        opponents_cumulative,
        list_terms_of_opponents(cumulative),
        name_formula("formula_opponents_cumulative"),
        combine="mean",
    ),
    "loss_share": TiebreakerKind(
        loss_share, _loss_terms, name_formula("formula_loss_share"), combine="quotient"
    ),
    "opponents_loss_share": TiebreakerKind(
        opponents_loss_share,
        list_terms_of_opponents(loss_share),
        name_formula("formula_opponents_loss_share"),
        combine="mean",
    ),
}
