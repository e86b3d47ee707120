"""Sums over opponents.

They are Buchholz and its cuts, sums of opponents' scores, Sonneborn-Berger and Koya.
"""

from __future__ import annotations

from fractions import Fraction
from operator import add

from rules.reason import reason
from tournament.engine.standings.scoring import BYES
from tournament.engine.standings.tiebreakers.base import (
    Column,
    Term,
    TiebreakerContext,
    TiebreakerKind,
    exact_ratio,
    get_int_param,
    get_numeric_param,
    name_formula,
)
from tournament.engine.standings.tiebreakers.parameters import Params


def buchholz(tally: TiebreakerContext, params: Params) -> Column:
    """Return the sum of the opponents' points.

    Where cuts are requested, the lowest and highest few are left out.
    """
    low, high = get_int_param(params, "cut_low"), get_int_param(params, "cut_high")
    table = tally.table

    def compute() -> Column:
        if not low and not high:
            return Column(table.gather(table.scores), table.scale)
        sums = [sum(_cut_scores(tally, row, low, high)) for row in range(len(table.ids))]
        return Column(sums, table.scale)

    return tally.once(("buchholz", low, high), compute)


def _cut_scores(tally: TiebreakerContext, row: int, low: int, high: int) -> list[int]:
    scores = sorted(tally.table.scores[other] for _, other in tally.opponents(row))
    return scores[low : max(low, len(scores) - high)]


def _buchholz_terms(tally: TiebreakerContext, params: Params, row: int) -> list[Term]:
    low, high = get_int_param(params, "cut_low"), get_int_param(params, "cut_high")
    table = tally.table
    opponents = sorted(tally.opponents(row), key=lambda pair: (table.scores[pair[1]], pair[0]))
    last = max(low, len(opponents) - high)
    lines = []
    for place, (number, other) in enumerate(opponents):
        cut = not low <= place < last
        note = reason("value_cut") if cut else None
        lines.append(
            Term(number, table.ids[other], exact_ratio(table.scores[other], table.scale), note, not cut)
        )
    return sorted(lines, key=lambda term: term.round or 0)


def sosos(tally: TiebreakerContext, params: Params) -> Column:
    """Return the sum of the opponents' sums.

    The bye can be a player on 0 points, who met all that had it.
    """
    table = tally.table
    inner = buchholz(tally, {})
    sums = table.gather(inner.numerators)
    if params.get("bye") == "player":
        bye = _sum_of_the_bye(tally)
        sums = list(map(add, sums, (count * bye for count in table.count(BYES))))
    return Column(sums, table.scale)


def _sum_of_the_bye(tally: TiebreakerContext) -> int:
    table = tally.table
    return sum(table.scores[row] for turn in table.rounds for row in turn.rows(BYES))


def _sosos_terms(tally: TiebreakerContext, params: Params, row: int) -> list[Term]:
    table, inner = tally.table, buchholz(tally, {})
    bye = exact_ratio(_sum_of_the_bye(tally), table.scale) if params.get("bye") == "player" else 0
    lines = []
    for number, turn in table.list_played(row):
        other = table.opponent_id(turn, row)
        if other is not None:
            lines.append(Term(number, other, inner.value(turn.opponent[row])))
        elif turn.side[row] in BYES:
            lines.append(Term(number, None, bye, reason("bye.all" if bye else "bye")))
    return lines


def sonneborn_berger(tally: TiebreakerContext, params: Params) -> Column:
    """Return the sum of the opponents' points, weighted by match share.

    The weight is the share of the match that was taken from that opponent.
    """
    table, win = tally.table, tally.table.scale_score(tally.table.points.win)
    padded_scores = [*table.scores, 0]
    sums = [0] * len(table.ids)
    for turn in table.rounds:
        against = map(padded_scores.__getitem__, turn.opponent)
        sums = [total + won * score for total, won, score in zip(sums, turn.points, against, strict=True)]
    return Column(sums, table.scale * win)


def _sonneborn_terms(tally: TiebreakerContext, params: Params, row: int) -> list[Term]:
    table, win = tally.table, tally.table.scale_score(tally.table.points.win)
    lines = []
    for number, other in tally.opponents(row):
        share = Fraction(table.rounds[number - 1].points[row], win)
        points = exact_ratio(table.scores[other], table.scale)
        lines.append(
            Term(number, table.ids[other], share * points, reason("part_of", part=share, whole=points))
        )
    return lines


def koya(tally: TiebreakerContext, params: Params) -> Column:
    """Return points taken from opponents who reached the given share.

    It is a share of the most points that were possible.
    """
    table = tally.table
    padded_scores = [*_koya_worthy(tally, params), 0]
    sums = [0] * len(table.ids)
    for turn in table.rounds:
        worthy = map(padded_scores.__getitem__, turn.opponent)
        sums = [total + points * flag for total, points, flag in zip(sums, turn.points, worthy, strict=True)]
    return Column(sums, table.scale)


def _koya_worthy(tally: TiebreakerContext, params: Params) -> list[int]:
    table = tally.table
    limit = get_numeric_param(params, "share", HALF) * table.scale_score(table.points.win) * len(table.rounds)
    return [1 if score >= limit else 0 for score in table.scores]


def _koya_terms(tally: TiebreakerContext, params: Params, row: int) -> list[Term]:
    table, worthy = tally.table, _koya_worthy(tally, params)
    lines = []
    for number, other in tally.opponents(row):
        points = exact_ratio(table.rounds[number - 1].points[row], table.scale)
        note = reason("opponent_points", points=exact_ratio(table.scores[other], table.scale))
        lines.append(Term(number, table.ids[other], points, note, bool(worthy[other])))
    return lines


HALF = Fraction(1, 2)

KINDS = {
    "buchholz": TiebreakerKind(buchholz, _buchholz_terms, name_formula("formula_buchholz")),
    "sosos": TiebreakerKind(
        sosos,
        _sosos_terms,
        name_formula("formula_sosos"),
    ),
    "sonneborn_berger": TiebreakerKind(
        sonneborn_berger,
        _sonneborn_terms,
        name_formula("formula_sonneborn_berger"),
    ),
    "koya": TiebreakerKind(
        koya,
        _koya_terms,
        name_formula("formula_koya"),
    ),
}
