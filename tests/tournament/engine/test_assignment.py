"""Takers and places at the least total cost."""

from __future__ import annotations

import random
from itertools import permutations

from tournament.engine.assignment import cheapest_assignment


def test_the_total_is_the_least_of_all_assignments() -> None:
    rng = random.Random(1)
    for _ in range(300):
        size, most = rng.randrange(6), rng.choice([1, 9, 100])
        costs = [[rng.randrange(-3, most) for _ in range(size)] for _ in range(size)]
        places = cheapest_assignment(costs)
        totals = [sum(costs[at][p] for at, p in enumerate(order)) for order in permutations(range(size))]
        assert sorted(places) == list(range(size))
        assert sum(costs[at][place] for at, place in enumerate(places)) == min(totals)


def test_costs_of_any_size_stay_exact() -> None:
    large = 10**40
    assert cheapest_assignment([[large, large + 1], [large + 1, large + 3]]) == [1, 0]
