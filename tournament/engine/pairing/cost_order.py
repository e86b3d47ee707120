"""Pairings of a small field in the order of their cost, cheapest first, without end until all were given.

The cheapest is found by matching; the rest falls into parts by the first table in which a pairing differs
from it, and each part gives its own cheapest in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import count

from tournament.engine.pairing.matching import cheapest_perfect_matching

Pairs = list[tuple[int, int]]


def in_order_of_cost(costs: Sequence[Sequence[int]], wall: int) -> Iterator[tuple[int, Pairs]]:
    """Yield (cost, pairs) of every perfect matching without a pair that costs `wall` or more.

    `costs` is a symmetric square table of whole numbers with an even number of rows. `wall` is more than
    any matching without such a pair costs.
    """
    waiting: list[tuple[int, int, Pairs, Pairs, Pairs]] = []
    numbers = count()
    _offer(waiting, numbers, costs, wall, [], [])
    while waiting:
        cost, _, pairs, fixed, barred = heappop(waiting)
        yield cost, pairs
        free = [pair for pair in pairs if pair not in fixed]
        for at, pair in enumerate(free[:-1]):
            _offer(waiting, numbers, costs, wall, fixed + free[:at], [*barred, pair])


def _offer(
    waiting: list[tuple[int, int, Pairs, Pairs, Pairs]],
    numbers: Iterator[int],
    costs: Sequence[Sequence[int]],
    wall: int,
    fixed: Pairs,
    barred: Pairs,
) -> None:
    """Add the cheapest matching with all `fixed` pairs and none of the `barred`, where there is one."""
    taken = {v for pair in fixed for v in pair}
    left = [v for v in range(len(costs)) if v not in taken]
    table = [[min(costs[u][v], wall) for v in left] for u in left]
    at = {v: i for i, v in enumerate(left)}
    for u, v in barred:
        if u in taken or v in taken:
            continue
        table[at[u]][at[v]] = table[at[v]][at[u]] = wall
    matching = cheapest_perfect_matching(table)
    if matching.cost < wall:
        pairs = fixed + [(left[u], left[v]) for u, v in enumerate(matching.mate) if u < v]
        cost = sum(costs[u][v] for u, v in pairs)
        heappush(waiting, (cost, next(numbers), pairs, fixed, barred))
