"""Solve the assignment problem exactly (Kuhn-Munkres)."""

from __future__ import annotations

from collections.abc import Sequence


def cheapest_assignment(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return the place of each taker in an assignment of least total cost.

    `costs[taker][place]` is the cost, and `costs` is square. Takers are seated one by one, each by the
    cheapest chain of moves under prices of takers and places (the method of Kuhn and Munkres), in time of the
    order of the cube of their number. Of several cheapest assignments the same one is always given.

    >>> cheapest_assignment([[1, 2], [1, 5]])
    [1, 0]
    """
    hall = _AssignmentSearch(costs)
    for taker in range(len(costs)):
        hall.seat(taker)
    places = [-1] * len(costs)
    for place, taker in enumerate(hall.taker_of):
        places[taker] = place
    return places


class _AssignmentSearch:
    """The current assignment, and prices under which no pair costs less than nothing."""

    def __init__(self, costs: Sequence[Sequence[int]]) -> None:
        self.costs = costs
        self.taker_of = [-1] * len(costs)
        self.taker_prices = [0] * len(costs)
        self.place_prices = [0] * len(costs)

    def seat(self, taker: int) -> None:
        """Find the cheapest chain from `taker` to a free place.

        Everyone on it moves by one.
        """
        came_from = [-1] * len(self.costs)
        distance = self._reduce_costs(taker)
        reached_takers: list[int] = []
        columns_left = list(range(len(self.costs)))
        while True:
            place = min(columns_left, key=distance.__getitem__)
            if self.taker_of[place] < 0:
                break
            reached_takers.append(place)
            columns_left.remove(place)
            row = self._reduce_costs(self.taker_of[place])
            for other in columns_left:
                if distance[place] + row[other] < distance[other]:
                    distance[other], came_from[other] = distance[place] + row[other], place
        self._adjust(taker, reached_takers, distance, distance[place])
        while place >= 0:
            before = came_from[place]
            self.taker_of[place] = taker if before < 0 else self.taker_of[before]
            place = before

    def _reduce_costs(self, taker: int) -> list[int]:
        """Return what each place costs `taker` beyond the prices."""
        price = self.taker_prices[taker]
        return [cost - price - p for cost, p in zip(self.costs[taker], self.place_prices, strict=True)]

    def _adjust(
        self, taker: int, reached_takers: Sequence[int], distance: Sequence[int], price_change: int
    ) -> None:
        self.taker_prices[taker] += price_change
        for place in reached_takers:
            self.place_prices[place] -= price_change - distance[place]
            self.taker_prices[self.taker_of[place]] += price_change - distance[place]
