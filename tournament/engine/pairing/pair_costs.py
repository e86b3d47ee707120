"""Parts of the cost of a pair, each computed when it is first requested.

A round asks for the same few again and again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import cast

from tournament.engine.pairing.floats import FloatCost
from tournament.engine.pairing.history import MeetingHistory
from tournament.engine.pairing.weights import CostWeights
from tournament.engine.records import PlayerId, Score

MaybeBye = tuple[PlayerId | None, PlayerId | None]


class RepeatCosts(dict[MaybeBye, int]):
    """The objections to rematches, and to byes for players who had one, by pair.

    `second_byes` says of pairs with the bye how often and when, as the history does of pairs of players.
    """

    def __init__(
        self,
        weights: CostWeights,
        history: MeetingHistory,
        second_byes: Mapping[MaybeBye, tuple[int, int]],
    ) -> None:
        super().__init__()
        self._weights, self._history, self._second_byes = weights, history, second_byes
        self._costs_by_meetings: dict[tuple[int, int], int] = {}

    def __missing__(self, pair: MaybeBye) -> int:
        meetings = self._meetings.get(pair) or self._second_byes[pair]
        cost = self._costs_by_meetings.get(meetings)
        if cost is None:
            cost = self._costs_by_meetings[meetings] = self._weights.repeat(*meetings)
        self[pair] = cost
        return cost

    def count_meetings(self, pair: MaybeBye) -> tuple[int, int]:
        """Return how often the two met and how many rounds ago (0: not known)."""
        return self._meetings.get(pair) or self._second_byes.get(pair, (0, 0))

    @cached_property
    def _meetings(self) -> Mapping[MaybeBye, tuple[int, int]]:
        """Those of the history. Many rounds need none of them."""
        return cast("Mapping[MaybeBye, tuple[int, int]]", self._history.meetings)


class SpanCosts(dict[tuple[int, int], Score]):
    """The costs of a pair of two levels, in either order.

    The level after that of the lowest score is the bye's. `float_unit` makes every float cost whole.
    """

    def __init__(
        self, scores: Sequence[Score], float_cost: FloatCost, float_unit: int, weights: CostWeights
    ) -> None:
        super().__init__()
        self._scores, self._float_cost = scores, float_cost
        self._float_weight, self._bye_weight = float_unit * weights.floats, weights.bye

    def __missing__(self, levels: tuple[int, int]) -> Score:
        one, other = levels
        if one == other:
            return 0
        cost = whole_if_it_is(self._span(one, other) if one < other else self._span(other, one))
        self[levels] = self[other, one] = cost
        return cost

    def _span(self, high: int, low: int) -> Score:
        if low == len(self._scores):
            return self._bye_weight * (low - 1 - high)
        return self._float_weight * self._float_cost(self._scores[high], self._scores[low])


def whole_if_it_is(number: Score) -> Score:
    """Return the same number, as an int where it is whole."""
    return int(number) if number.denominator == 1 else number
