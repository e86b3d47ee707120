"""Cost of pairing different scores; custom cost functions are validated.

A float cost is called with the higher score first and never with equal scores. It must be monotone (a wider
gap never costs less) and chain-superadditive (F(a, c) >= F(a, b) + F(b, c) for a >= b >= c: one long float
never costs less than the short ones that it spans). On this rests the proof that neighbors in the order of
scores are the cheapest partners, so a cost of one's own is tested before it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import lcm
from operator import attrgetter

from tournament.engine.problems import EngineError, problem
from tournament.engine.records import Score

FloatCost = Callable[[Score, Score], Score]
_TESTED_SCORES = 60
_get_denominator = attrgetter("denominator")


class UnfitFloatCost(EngineError):
    """A float cost that is unfit.

    It is not exact, not monotone, not chain-superadditive or negative.
    """


def square_difference(higher: Score, lower: Score) -> Score:
    """Return the square of the difference.

    Two floats of one step are better than one of two steps.
    """
    return (higher - lower) * (higher - lower)


def check_float_cost(cost: FloatCost, scores: Sequence[Score]) -> bool:
    """Return whether `cost` was tested on all of `scores` (given high to low).

    False when they were too many to test all.

    Raises UnfitFloatCost with the first three scores that it gets wrong. The cost of this module needs no
    test.
    """
    if cost is square_difference:
        return True
    tested_scores = _spread(scores)
    for high, low in combinations(tested_scores, 2):
        if not isinstance(cost(high, low), int | Fraction):
            raise UnfitFloatCost([problem("float-cost-inexact", higher=high, lower=low)])
        if cost(high, low) < 0:
            raise UnfitFloatCost([problem("float-cost-negative", higher=high, lower=low)])
    for a, b, c in combinations(tested_scores, 3):
        if cost(a, c) < cost(a, b) + cost(b, c):
            raise UnfitFloatCost([problem("float-cost-short", first=a, middle=b, last=c)])
    return len(tested_scores) == len(scores)


def common_denominator(cost: FloatCost, scores: Sequence[Score]) -> int:
    """Return a whole number that makes every `cost` between two scores whole.

    `scores` are given high to low.
    """
    if cost is square_difference:
        return lcm(*map(_get_denominator, scores)) ** 2
    return lcm(*{cost(high, low).denominator for high, low in combinations(scores, 2)})


def _spread(scores: Sequence[Score]) -> Sequence[Score]:
    """Return all the scores, or evenly spread ones if there are many.

    The time of the test grows with the cube of their number.
    """
    if len(scores) <= _TESTED_SCORES:
        return scores
    return [scores[i * (len(scores) - 1) // (_TESTED_SCORES - 1)] for i in range(_TESTED_SCORES)]
