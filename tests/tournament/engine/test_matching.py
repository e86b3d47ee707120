"""The exact matching: equal to trying everything, and never without its proof."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import pytest

from tournament.engine.pairing.matching import cheapest_perfect_matching

Costs = list[list[int]]


def table(size: int, cost: Callable[[int, int], int]) -> Costs:
    costs = [[0] * size for _ in range(size)]
    for u in range(size):
        for v in range(u):
            costs[u][v] = costs[v][u] = cost(u, v)
    return costs


def least_by_trying_all(costs: Costs) -> int:
    everybody = (1 << len(costs)) - 1

    @lru_cache(None)
    def least(done_mask: int) -> int:
        if done_mask == everybody:
            return 0
        u = next(v for v in range(len(costs)) if not done_mask >> v & 1)
        return min(
            costs[u][v] + least(done_mask | 1 << u | 1 << v)
            for v in range(u + 1, len(costs))
            if not done_mask >> v & 1
        )

    return least(0)


def kinds(rng: random.Random) -> list[Callable[[int, int], int]]:
    return [
        lambda u, v: rng.randrange(3),
        lambda u, v: rng.randrange(100),
        lambda u, v: rng.randrange(-50, 50),
        lambda u, v: int(rng.random() < 0.5),
        lambda u, v: (u // 3 - v // 3) ** 2 + (1000 if rng.random() < 0.5 else 0),
        lambda u, v: 10**40 * rng.randrange(3) + rng.randrange(5),
    ]


def test_the_cost_equals_that_of_trying_all_matchings() -> None:
    rng = random.Random(1)
    for _ in range(200):
        costs = table(rng.choice([2, 4, 6, 8, 10]), rng.choice(kinds(rng)))
        matching = cheapest_perfect_matching(costs)
        assert matching.cost == least_by_trying_all(costs)


def test_every_matching_is_perfect_and_proves_itself() -> None:
    rng = random.Random(2)
    for size in (2, 12, 20, 30, 40, 64):
        for kind in kinds(rng):
            costs = table(size, kind)
            matching = cheapest_perfect_matching(costs)
            assert [matching.mate[matching.mate[v]] for v in range(size)] == list(range(size))
            assert all(matching.mate[v] != v for v in range(size))
            assert sum(costs[v][matching.mate[v]] for v in range(size)) == 2 * matching.cost
            assert matching.is_proved(costs)


def test_nothing_is_matched_in_an_empty_table() -> None:
    assert cheapest_perfect_matching([]).mate == ()


def test_an_odd_number_of_rows_is_refused() -> None:
    with pytest.raises(ValueError, match="3 vertices cannot be paired off; an even number is needed"):
        cheapest_perfect_matching(table(3, lambda u, v: 1))


def test_a_cost_that_is_not_least_is_not_proved() -> None:
    costs = table(4, lambda u, v: u + v)
    matching = cheapest_perfect_matching(costs)
    assert matching.is_proved(costs)
    assert not replace(matching, cost=matching.cost + 1).is_proved(costs)


def test_prices_do_not_prove_another_matching() -> None:
    costs = table(4, lambda u, v: 0 if {u, v} in ({0, 1}, {2, 3}) else 1)
    matching = cheapest_perfect_matching(costs)
    assert matching.mate == (1, 0, 3, 2)
    for mate in ((2, 3, 0, 1), (1, 0, 1, 2), (0, 1, 2, 3), (1, 0)):
        assert not replace(matching, mate=mate).is_proved(costs)


def test_an_even_set_proves_nothing() -> None:
    """Check that an even set proves nothing.

    If two vertices were charged like a blossom, they would raise the bound of a pair that is not cheap.
    """
    matching = cheapest_perfect_matching([[0, 3], [3, 0]])
    charged = replace(matching, prices=(4, 4), blossoms=((frozenset((0, 1)), 2),))
    assert (charged.lower_bound, charged.is_proved([[0, 3], [3, 0]])) == (6, False)


def test_prices_do_not_prove_a_matching_of_cheaper_costs() -> None:
    costs = table(6, lambda u, v: 5)
    matching = cheapest_perfect_matching(costs)
    costs[0][1] = costs[1][0] = 0
    assert not matching.is_proved(costs)


def test_all_cheapest_matchings_lie_within_the_tight_pairs() -> None:
    rng = random.Random(3)
    for _ in range(60):
        costs = table(6, lambda u, v: rng.randrange(4))
        matching = cheapest_perfect_matching(costs)
        tight = matching.tight_pairs(costs)
        for pairs in _all_matchings(list(range(6))):
            if sum(costs[u][v] for u, v in pairs) == matching.cost:
                assert all(tight[u] >> v & 1 and tight[v] >> u & 1 for u, v in pairs)


def _all_matchings(vertices_left: list[int]) -> list[list[tuple[int, int]]]:
    if not vertices_left:
        return [[]]
    u, *others = vertices_left
    return [[(u, v), *rest] for v in others for rest in _all_matchings([w for w in others if w != v])]
