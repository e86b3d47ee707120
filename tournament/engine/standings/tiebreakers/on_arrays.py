"""Tiebreakers on numpy arrays, FIDE included; same values as on lists.

A kind that is not here, or whose numbers could overflow, is computed over lists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from tournament.engine.records import Score
from tournament.engine.standings.arrays import ColumnArrays, Limb, Limbs, OnListsOnly, count, np, safe
from tournament.engine.standings.scoring import BYES, COUNTED, MET, VOLUNTARY, RoundStatus
from tournament.engine.standings.tiebreakers import Params, fide, ratios, sums
from tournament.engine.standings.tiebreakers.base import (
    Column,
    TiebreakerContext,
    get_int_param,
    get_numeric_param,
)

Compute = Callable[[TiebreakerContext, ColumnArrays, Params], Column]


def column(tally: TiebreakerContext, kind_name: str, params: Params) -> Column | None:
    """Return the column of a kind; None if it has to be computed over lists."""
    arrays, compute = tally.table.arrays, KINDS.get(kind_name)
    if arrays is None or compute is None:
        return None
    try:
        return compute(tally, arrays, params)
    except (OnListsOnly, OverflowError):
        return None


def _on_arrays(
    compute: Callable[[TiebreakerContext, ColumnArrays], Limb], is_scaled: bool = False
) -> Compute:
    return lambda tally, arrays, params: Column(
        Limbs([compute(tally, arrays)]), tally.table.scale if is_scaled else 1
    )


def _is_won(tally: TiebreakerContext, arrays: ColumnArrays) -> Limb:
    return arrays.points >= safe(tally.table.scale_score(tally.table.points.win))


def _progressive(tally: TiebreakerContext, arrays: ColumnArrays, params: Params) -> Column:
    running_points = np.cumsum(arrays.points, 0)[get_int_param(params, "cut_low") :]
    return Column(Limbs([running_points.sum(0)]), tally.table.scale)


def _distinct(numbers: Limb) -> list[int]:
    """Return the different numbers above 0, none of them large."""
    safe(int(numbers.max()))
    numbers_used: list[int] = np.flatnonzero(np.bincount(numbers)).tolist()
    return numbers_used[1:] if numbers_used[0] == 0 else numbers_used


def _parts_of(common: int, sizes: Sequence[int]) -> list[int]:
    """Return at each size's own place the factor that scales it to `common`.

    Other places have 0.
    """
    factors = [0] * (max(sizes, default=0) + 1)
    for size in sizes:
        factors[size] = common // size
    return factors


def _ratio(parts: Limb, wholes: Limb, rounds: Limb, unit: int, floor: Score) -> Column:
    """Return parts / (unit * wholes) over one denominator.

    There is a floor for those with a counted round.
    """
    least = Fraction(floor)
    safe(max(unit, least.numerator, least.denominator))
    sizes = _distinct(wholes)
    common = lcm(*(unit * size for size in sizes), least.denominator)
    values = Limbs([parts]).times(_parts_of(common // unit, sizes), wholes)
    if least > 0:
        low = (parts * least.denominator <= least.numerator * unit * wholes) & (rounds > 0)
        values = values.replace_at(low, least.numerator * (common // least.denominator))
    return Column(values, common)


def _match_win(tally: TiebreakerContext, arrays: ColumnArrays, params: Params) -> Column:
    skipped_kinds, floor = ratios.left_out(params), get_numeric_param(params, "floor")
    unit = ratios.match_unit(tally, params)

    def compute() -> Column:
        rounds = arrays.count(COUNTED - skipped_kinds)
        return _ratio(arrays.total("points", skipped_kinds), rounds, rounds, unit, floor)

    return tally.once(("arrays, match-win", skipped_kinds, floor, unit), compute)


def _game_win(tally: TiebreakerContext, arrays: ColumnArrays, params: Params) -> Column:
    skipped_kinds, floor = ratios.left_out(params), get_numeric_param(params, "floor")
    worth = get_numeric_param(params, "drawn_games", 1)

    def compute() -> Column:
        wins, losses, draws = (
            arrays.total(fact, skipped_kinds) for fact in ("games_won", "games_lost", "games_drawn")
        )
        points = 3 * wins + (draws if worth else 0)
        return _ratio(points, wins + losses + draws, arrays.count(COUNTED - skipped_kinds), 3, floor)

    return tally.once(("arrays, game-win", skipped_kinds, floor, worth), compute)


def _mean(of: Compute) -> Compute:
    """Return the mean of a column over each player's opponents.

    Each match is one entry. 0 without opponents.
    """

    def compute(tally: TiebreakerContext, arrays: ColumnArrays, params: Params) -> Column:
        values, meetings = of(tally, arrays, params), arrays.meetings
        counts = _distinct(meetings)
        common = lcm(*counts)
        means = _limbs(values).sum_opponents(arrays).times(_parts_of(common, counts), meetings)
        return Column(means, values.denominator * common)

    return compute


def _limbs(values: Column) -> Limbs:
    if not isinstance(values.numerators, Limbs):
        raise OnListsOnly
    return values.numerators


def _buchholz(tally: TiebreakerContext, arrays: ColumnArrays, params: Params) -> Column:
    low, high = get_int_param(params, "cut_low"), get_int_param(params, "cut_high")
    if not low and not high:
        return Column(Limbs([_sos(tally, arrays)]), tally.table.scale)
    last = np.iinfo(np.int64).max
    scores = np.where(arrays.opponent == arrays.players, last, arrays.of_opponents(arrays.scores))
    scores.sort(0)
    place = np.arange(len(arrays))[:, None]
    is_counted = (place >= low) & (place < arrays.meetings - high)
    return Column(Limbs([np.where(is_counted, scores, 0).sum(0)]), tally.table.scale)


def _sos(tally: TiebreakerContext, arrays: ColumnArrays) -> Limb:
    return tally.once("arrays, sos", lambda: arrays.gather(arrays.scores))


def _sosos(tally: TiebreakerContext, arrays: ColumnArrays, params: Params) -> Column:
    total = arrays.gather(_sos(tally, arrays))
    if params.get("bye") == "player":
        bye_counts = arrays.count(BYES)
        total = total + bye_counts * (bye_counts * arrays.scores).sum()
    return Column(Limbs([total]), tally.table.scale)


def _sonneborn_berger(tally: TiebreakerContext, arrays: ColumnArrays, params: Params) -> Column:
    total = (arrays.points * arrays.of_opponents(arrays.scores)).sum(0)
    return Column(Limbs([total]), tally.table.scale * tally.table.scale_score(tally.table.points.win))


def _koya(tally: TiebreakerContext, arrays: ColumnArrays, params: Params) -> Column:
    table = tally.table
    limit = Fraction(
        get_numeric_param(params, "share", sums.HALF) * table.scale_score(table.points.win) * len(arrays)
    )
    worthy = arrays.scores * safe(limit.denominator) >= limit.numerator
    worthy[-1] = False
    return Column(Limbs([(arrays.points * arrays.of_opponents(worthy)).sum(0)]), table.scale)


def _fide_buchholz(tally: TiebreakerContext, arrays: ColumnArrays, params: Params) -> Column:
    """Return the sum of the opponents' adjusted scores."""
    low, high = get_int_param(params, "cut_low"), get_int_param(params, "cut_high")
    scores = _known_contributions(tally, arrays, params)
    sums = _cut_ends(arrays, scores, low, high) if low or high else scores.sum(0)
    return Column(Limbs([sums]), tally.table.scale)


def _fide_sonneborn_berger(tally: TiebreakerContext, arrays: ColumnArrays, params: Params) -> Column:
    """Return the weighted sum of the opponents' adjusted scores.

    Each is multiplied by the points taken from that opponent. Nothing is cut.
    """
    if get_int_param(params, "cut_low") or get_int_param(params, "cut_high"):
        raise OnListsOnly
    scores = _known_contributions(tally, arrays, params)
    return Column(Limbs([(scores * arrays.points).sum(0)]), tally.table.scale**2)


KINDS: dict[str, Compute] = {
    "points": _on_arrays(lambda tally, arrays: arrays.scores, is_scaled=True),
    "progressive": _progressive,
    "net_games": _on_arrays(lambda tally, arrays: arrays.total("games_won") - arrays.total("games_lost")),
    "games_won": _on_arrays(lambda tally, arrays: arrays.total("games_won")),
    "wins": _on_arrays(lambda tally, arrays: count(_is_won(tally, arrays))),
    "wins_played": _on_arrays(
        lambda tally, arrays: count(
            _is_won(tally, arrays) & arrays.was_spent(frozenset((RoundStatus.PLAYED,)))
        )
    ),
    "matches": _on_arrays(lambda tally, arrays: arrays.count(MET)),
    "match_win": _match_win,
    "opponents_match_win": _mean(_match_win),
    "opponents_opponents_match_win": _mean(_mean(_match_win)),
    "game_win": _game_win,
    "opponents_game_win": _mean(_game_win),
    "buchholz": _buchholz,
    "sosos": _sosos,
    "sonneborn_berger": _sonneborn_berger,
    "koya": _koya,
    "fide_buchholz": _fide_buchholz,
    "fide_sonneborn_berger": _fide_sonneborn_berger,
}

BEYOND = 1 << 40  # more than any contribution

FORFEITS = MET - {RoundStatus.PLAYED}


def _draw(tally: TiebreakerContext) -> int:
    return safe(tally.table.scale_score(tally.table.points.draw))


def _adjust_points(tally: TiebreakerContext, arrays: ColumnArrays) -> Any:
    """Return each player's score as their opponents use it (C.07 16.3)."""
    left_out, adjusted_points = arrays.was_spent(VOLUNTARY), arrays.scores.copy()
    absent_rows = np.flatnonzero(left_out[-1, :-1])
    last_rounds = np.logical_and.accumulate(left_out[::-1, absent_rows], 0)[::-1]
    is_unforced = arrays.side[:, absent_rows] != int(RoundStatus.UNOPPOSED_FORFEIT)
    is_adjusted = last_rounds & is_unforced & (arrays.opponent[:, absent_rows] == arrays.players)
    adjusted_points[absent_rows] += np.where(
        is_adjusted, _draw(tally) - arrays.points[:, absent_rows], 0
    ).sum(0)
    return adjusted_points


def _contributions(tally: TiebreakerContext, arrays: ColumnArrays, year: int) -> Any:
    """Return the opponents' scores round by round.

    Dummies replace opponents who were not played (16.4).
    """
    own, scores = arrays.scores, arrays.of_opponents(_adjust_points(tally, arrays))
    is_capped = year >= fide.YEAR_OF_THE_CAP
    alone = np.minimum(own, _draw(tally) * len(arrays)) if is_capped else own
    forfeits, unplayed_rounds = (arrays.seats_spent(sides) for sides in (FORFEITS, fide.UNPLAYED - MET))
    dummies = own.take(forfeits % len(own))
    scores.put(forfeits, np.minimum(dummies, scores.take(forfeits)) if is_capped else dummies)
    scores.put(unplayed_rounds, alone.take(unplayed_rounds % len(own)))
    return scores


def _known_contributions(tally: TiebreakerContext, arrays: ColumnArrays, params: Params) -> Any:
    year = get_int_param(params, "year", fide.YEAR_OF_THE_CAP)
    return tally.once(("arrays, fide", year), lambda: _contributions(tally, arrays, year))


def _cut_ends(arrays: ColumnArrays, scores: Any, low: int, high: int) -> Any:
    """Return the sums without what is cut.

    The cut takes first rounds left out, then the lowest, then the highest (16.5).
    """
    is_running = arrays.was_spent(fide.RUNNING)
    if (low, high) == (1, 0) and not is_running.any():
        return scores.sum(0) - _first_cut(arrays, scores)
    in_order = np.where(arrays.was_spent(VOLUNTARY), scores - BEYOND, scores)
    in_order = np.sort(np.where(is_running, BEYOND, in_order), 0)
    in_order[:low] = BEYOND
    scores_left = np.sort(np.where(in_order < 0, in_order + BEYOND, in_order), 0)
    turn_counts = len(arrays) - np.count_nonzero(is_running, 0) - low - high
    return np.where(np.arange(len(arrays))[:, None] < turn_counts, scores_left, 0).sum(0)


def _first_cut(arrays: ColumnArrays, scores: Any) -> Any:
    """Return what is cut first.

    It is the lowest round left out by choice, or else the lowest of all.
    """
    left_out, lowest = arrays.was_spent(VOLUNTARY), scores.min(0)
    some = np.flatnonzero(left_out.any(0))
    lowest[some] = np.where(left_out[:, some], scores[:, some], BEYOND).min(0)
    return lowest
