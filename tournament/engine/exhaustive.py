"""The uniform choice among all cheapest pairings of a few players, by counting them."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.engine.chance import Chance
from tournament.engine.records import Score

MOST_VERTICES = 12
Pairs = list[tuple[int, int]]
Choice = tuple[int, Score, int]  # a partner, the least cost with him, and in how many ways


class Count:
    """For every set of vertices that can be left over: the least cost of pairing it, and in how many ways.

    `costs` is a symmetric square table with an even number of rows, at most a dozen or so: the work doubles
    with each row.
    """

    def __init__(self, costs: Sequence[Sequence[Score]]) -> None:
        self._costs = costs
        self._known: dict[int, tuple[Score, int]] = {0: (0, 1)}
        self._all = (1 << len(costs)) - 1
        self.least, self.ways = self._of(self._all)

    def draw(self, chance: Chance) -> Pairs:
        """One of the cheapest pairings, each as likely as the others."""
        pairs, left = [], self._all
        while left:
            first, partners = self._partners(left)
            lot = chance.below(self._of(left)[1])
            v = _at_lot(partners, lot)
            pairs.append((first, v))
            left &= ~(1 << first | 1 << v)
        return pairs

    def _of(self, left: int) -> tuple[Score, int]:
        if left not in self._known:
            _, partners = self._partners(left)
            self._known[left] = (partners[0][1], sum(ways for _, _, ways in partners))
        return self._known[left]

    def _partners(self, left: int) -> tuple[int, list[Choice]]:
        """The first vertex left, and each partner with whom the rest can be cheapest.

        (partner, cost, ways).
        """
        first = (left & -left).bit_length() - 1
        row, rest = self._costs[first], left & (left - 1)
        best: list[Choice] = []
        others = rest
        while others:
            bit = others & -others
            others ^= bit
            v = bit.bit_length() - 1
            cost, ways = self._of(rest ^ bit)
            cost += row[v]
            if not best or cost < best[0][1]:
                best = [(v, cost, ways)]
            elif cost == best[0][1]:
                best.append((v, cost, ways))
        return first, best


def _at_lot(choices: Sequence[Choice], lot: int) -> int:
    """The partner whose share of all the ways holds the number that was drawn."""
    for v, _, ways in choices:
        if lot < ways:
            return v
        lot -= ways
    raise AssertionError("The lot lies beyond the ways that were counted.")
