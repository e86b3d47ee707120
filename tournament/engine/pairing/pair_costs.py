"""Parts of the cost of a pair, each computed when it is first requested.

A round asks for the same few again and again.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournament.engine.pairing.floats import FloatCost
from tournament.engine.pairing.weights import CostWeights
from tournament.engine.records import Score


class RepeatCosts(dict[tuple[int, int], int]):
    """The objections to a rematch or a second bye.

    The keys are how often it was so, and how many rounds ago last (0: not known).
    """

    def __init__(self, weights: CostWeights) -> None:
        self._weights = weights

    def __missing__(self, meetings: tuple[int, int]) -> int:
        cost = self[meetings] = self._weights.repeat(*meetings)
        return cost


class SpanCosts(dict[tuple[int, int], Score]):
    """The costs of a pair of two levels, in either order.

    The level after that of the lowest score is the bye's. `float_unit` makes every float cost whole.
    """

    def __init__(
        self, scores: Sequence[Score], float_cost: FloatCost, float_unit: int, weights: CostWeights
    ) -> None:
        self._scores, self._float_cost = scores, float_cost
        self._float_weight, self._bye_weight = float_unit * weights.floats, weights.bye

    def __missing__(self, levels: tuple[int, int]) -> Score:
        one, other = levels
        cost: Score = 0 if one == other else whole_if_it_is(self._span(min(levels), max(levels)))
        self[levels] = self[other, one] = cost
        return cost

    def _span(self, high: int, low: int) -> Score:
        if low == len(self._scores):
            return self._bye_weight * (low - 1 - high)
        return self._float_weight * self._float_cost(self._scores[high], self._scores[low])


def whole_if_it_is(number: Score) -> Score:
    """Return the same number, as an int where it is whole."""
    return int(number) if number.denominator == 1 else number
