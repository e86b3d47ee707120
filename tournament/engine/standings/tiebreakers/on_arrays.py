"""Tiebreakers over arrays: the same columns as over lists, for the kinds that large events are ranked by.

A kind that is not here, or whose numbers could overflow, is computed over lists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm

from tournament.engine.records import Score
from tournament.engine.standings.arrays import Arrays, Limb, Limbs, OnListsOnly, count, np, safe
from tournament.engine.standings.scoring import BYES, COUNTED, MET, Side
from tournament.engine.standings.tiebreakers import fide_on_arrays, ratios, sums
from tournament.engine.standings.tiebreakers.base import Column, Params, Tally, setting, whole

Compute = Callable[[Tally, Arrays, Params], Column]


def column(tally: Tally, kind_name: str, params: Params) -> Column | None:
    """The column of a kind; None where it has to be computed over lists."""
    arrays, compute = tally.table.arrays, KINDS.get(kind_name)
    if arrays is None or compute is None:
        return None
    try:
        return compute(tally, arrays, params)
    except (OnListsOnly, OverflowError):
        return None


def _plain(compute: Callable[[Tally, Arrays], Limb], scaled: bool = False) -> Compute:
    return lambda tally, arrays, params: Column(
        Limbs([compute(tally, arrays)]), tally.table.scale if scaled else 1
    )


def _won(tally: Tally, arrays: Arrays) -> Limb:
    return arrays.points >= safe(tally.table.scaled(tally.table.points.win))


def _progressive(tally: Tally, arrays: Arrays, params: Params) -> Column:
    running = np.cumsum(arrays.points, 0)[whole(params, "cut_low") :]
    return Column(Limbs([running.sum(0)]), tally.table.scale)


# -- percentages


def _distinct(numbers: Limb) -> list[int]:
    """The different numbers above 0, none of them large."""
    safe(int(numbers.max()))
    found: list[int] = np.flatnonzero(np.bincount(numbers)).tolist()
    return found[1:] if found[0] == 0 else found


def _parts_of(common: int, sizes: Sequence[int]) -> list[int]:
    """For every size, at its own place, what part of it makes one of `common`; 0 at other places."""
    factors = [0] * (max(sizes, default=0) + 1)
    for size in sizes:
        factors[size] = common // size
    return factors


def _ratio(parts: Limb, wholes: Limb, rounds: Limb, unit: int, floor: Score) -> Column:
    """parts / (unit * wholes) over one denominator, with a floor under those who have a counted round."""
    least = Fraction(floor)
    safe(max(unit, least.numerator, least.denominator))
    sizes = _distinct(wholes)
    common = lcm(*(unit * size for size in sizes), least.denominator)
    values = Limbs([parts]).times(_parts_of(common // unit, sizes), wholes)
    if least > 0:
        low = (parts * least.denominator <= least.numerator * unit * wholes) & (rounds > 0)
        values = values.replaced(low, least.numerator * (common // least.denominator))
    return Column(values, common)


def _match_win(tally: Tally, arrays: Arrays, params: Params) -> Column:
    skipped, floor = ratios.left_out(params), setting(params, "floor")
    unit = ratios.match_unit(tally, params)

    def compute() -> Column:
        rounds = arrays.count(COUNTED - skipped)
        return _ratio(arrays.total("points", skipped), rounds, rounds, unit, floor)

    return tally.once(("arrays, match-win", skipped, floor, unit), compute)


def _game_win(tally: Tally, arrays: Arrays, params: Params) -> Column:
    skipped, floor = ratios.left_out(params), setting(params, "floor")
    worth = setting(params, "drawn_games", 1)

    def compute() -> Column:
        won, lost, drawn = (arrays.total(fact, skipped) for fact in ("won", "lost", "drawn"))
        points = 3 * won + (drawn if worth else 0)
        return _ratio(points, won + lost + drawn, arrays.count(COUNTED - skipped), 3, floor)

    return tally.once(("arrays, game-win", skipped, floor, worth), compute)


def _mean(of: Compute) -> Compute:
    """The mean of a column over each player's opponents, one entry a match; 0 without opponents."""

    def compute(tally: Tally, arrays: Arrays, params: Params) -> Column:
        values, meetings = of(tally, arrays, params), arrays.meetings
        counts = _distinct(meetings)
        common = lcm(*counts)
        means = _limbs(values).gathered(arrays).times(_parts_of(common, counts), meetings)
        return Column(means, values.denominator * common)

    return compute


def _limbs(values: Column) -> Limbs:
    if not isinstance(values.numerators, Limbs):
        raise OnListsOnly
    return values.numerators


# -- sums over opponents


def _buchholz(tally: Tally, arrays: Arrays, params: Params) -> Column:
    low, high = whole(params, "cut_low"), whole(params, "cut_high")
    if not low and not high:
        return Column(Limbs([_sos(tally, arrays)]), tally.table.scale)
    last = np.iinfo(np.int64).max
    scores = np.where(arrays.opponent == arrays.players, last, arrays.of_opponents(arrays.scores))
    scores.sort(0)
    place = np.arange(len(arrays))[:, None]
    kept = (place >= low) & (place < arrays.meetings - high)
    return Column(Limbs([np.where(kept, scores, 0).sum(0)]), tally.table.scale)


def _sos(tally: Tally, arrays: Arrays) -> Limb:
    return tally.once("arrays, sos", lambda: arrays.gather(arrays.scores))


def _sosos(tally: Tally, arrays: Arrays, params: Params) -> Column:
    total = arrays.gather(_sos(tally, arrays))
    if params.get("bye") == "player":
        rested = arrays.count(BYES)
        total = total + rested * (rested * arrays.scores).sum()
    return Column(Limbs([total]), tally.table.scale)


def _sonneborn_berger(tally: Tally, arrays: Arrays, params: Params) -> Column:
    total = (arrays.points * arrays.of_opponents(arrays.scores)).sum(0)
    return Column(Limbs([total]), tally.table.scale * tally.table.scaled(tally.table.points.win))


def _koya(tally: Tally, arrays: Arrays, params: Params) -> Column:
    table = tally.table
    limit = Fraction(setting(params, "share", sums.HALF) * table.scaled(table.points.win) * len(arrays))
    worthy = arrays.scores * safe(limit.denominator) >= limit.numerator
    worthy[-1] = False
    return Column(Limbs([(arrays.points * arrays.of_opponents(worthy)).sum(0)]), table.scale)


KINDS: dict[str, Compute] = {
    "points": _plain(lambda tally, arrays: arrays.scores, scaled=True),
    "progressive": _progressive,
    "net_games": _plain(lambda tally, arrays: arrays.total("won") - arrays.total("lost")),
    "games_won": _plain(lambda tally, arrays: arrays.total("won")),
    "wins": _plain(lambda tally, arrays: count(_won(tally, arrays))),
    "wins_played": _plain(
        lambda tally, arrays: count(_won(tally, arrays) & arrays.spent(frozenset((Side.PLAYED,))))
    ),
    "matches": _plain(lambda tally, arrays: arrays.count(MET)),
    "match_win": _match_win,
    "opponents_match_win": _mean(_match_win),
    "opponents_opponents_match_win": _mean(_mean(_match_win)),
    "game_win": _game_win,
    "opponents_game_win": _mean(_game_win),
    "buchholz": _buchholz,
    "sosos": _sosos,
    "sonneborn_berger": _sonneborn_berger,
    "koya": _koya,
    "fide_buchholz": fide_on_arrays.buchholz,
    "fide_sonneborn_berger": fide_on_arrays.sonneborn_berger,
}
