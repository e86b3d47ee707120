"""Buchholz and Sonneborn-Berger of FIDE's regulations C.07 over arrays: the same columns as over lists."""

from __future__ import annotations

from typing import Any

from tournament.engine.standings.arrays import Arrays, Limbs, OnListsOnly, np, safe
from tournament.engine.standings.scoring import MET, VOLUNTARY, Side
from tournament.engine.standings.tiebreakers import fide
from tournament.engine.standings.tiebreakers.base import Column, Params, Tally, whole

BEYOND = 1 << 40  # more than any contribution
FORFEITS = MET - {Side.PLAYED}


def _draw(tally: Tally) -> int:
    return safe(tally.table.scaled(tally.table.points.draw))


def _adjusted(tally: Tally, arrays: Arrays) -> Any:
    """Each player's score as his opponents use it (C.07 16.3)."""
    left_out, adjusted = arrays.spent(VOLUNTARY), arrays.scores.copy()
    gone = np.flatnonzero(left_out[-1, :-1])
    last_rounds = np.logical_and.accumulate(left_out[::-1, gone], 0)[::-1]
    unforced = arrays.side[:, gone] != int(Side.UNOPPOSED_FORFEIT)
    counted = last_rounds & unforced & (arrays.opponent[:, gone] == arrays.players)
    adjusted[gone] += np.where(counted, _draw(tally) - arrays.points[:, gone], 0).sum(0)
    return adjusted


def _contributions(tally: Tally, arrays: Arrays, year: int) -> Any:
    """The opponents' scores round by round, dummies in the place of opponents who were not played (16.4)."""
    own, scores = arrays.scores, arrays.of_opponents(_adjusted(tally, arrays))
    capped = year >= fide.YEAR_OF_THE_CAP
    alone = np.minimum(own, _draw(tally) * len(arrays)) if capped else own
    forfeits, unplayed = (arrays.seats_spent(sides) for sides in (FORFEITS, fide.UNPLAYED - MET))
    dummies = own.take(forfeits % len(own))
    scores.put(forfeits, np.minimum(dummies, scores.take(forfeits)) if capped else dummies)
    scores.put(unplayed, alone.take(unplayed % len(own)))
    return scores


def _known_contributions(tally: Tally, arrays: Arrays, params: Params) -> Any:
    year = whole(params, "year", fide.YEAR_OF_THE_CAP)
    return tally.once(("arrays, fide", year), lambda: _contributions(tally, arrays, year))


def buchholz(tally: Tally, arrays: Arrays, params: Params) -> Column:
    """The sum of the opponents' adjusted scores."""
    low, high = whole(params, "cut_low"), whole(params, "cut_high")
    scores = _known_contributions(tally, arrays, params)
    sums = _cut_ends(arrays, scores, low, high) if low or high else scores.sum(0)
    return Column(Limbs([sums]), tally.table.scale)


def _cut_ends(arrays: Arrays, scores: Any, low: int, high: int) -> Any:
    """The sums without what is cut: first rounds left out, then the lowest, then the highest (16.5)."""
    running = arrays.spent(fide.RUNNING)
    if (low, high) == (1, 0) and not running.any():
        return scores.sum(0) - _first_cut(arrays, scores)
    in_order = np.where(arrays.spent(VOLUNTARY), scores - BEYOND, scores)
    in_order = np.sort(np.where(running, BEYOND, in_order), 0)
    in_order[:low] = BEYOND
    left = np.sort(np.where(in_order < 0, in_order + BEYOND, in_order), 0)
    kept = len(arrays) - np.count_nonzero(running, 0) - low - high
    return np.where(np.arange(len(arrays))[:, None] < kept, left, 0).sum(0)


def _first_cut(arrays: Arrays, scores: Any) -> Any:
    """What is cut first: the lowest round left out of one's own will, or else the lowest of all."""
    left_out, lowest = arrays.spent(VOLUNTARY), scores.min(0)
    some = np.flatnonzero(left_out.any(0))
    lowest[some] = np.where(left_out[:, some], scores[:, some], BEYOND).min(0)
    return lowest


def sonneborn_berger(tally: Tally, arrays: Arrays, params: Params) -> Column:
    """The sum of the opponents' adjusted scores, each times the points taken from him; nothing cut."""
    if whole(params, "cut_low") or whole(params, "cut_high"):
        raise OnListsOnly
    scores = _known_contributions(tally, arrays, params)
    return Column(Limbs([(scores * arrays.points).sum(0)]), tally.table.scale**2)
