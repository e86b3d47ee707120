"""The best seating of a small field: all of them are compared."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations

from tournament.engine.pods.model import PodWeights

Seating = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]
Solver = Callable[[int, tuple[int, ...], int], tuple[int, tuple[int, ...] | None]]


def find_best_seating(weights: PodWeights, count: int) -> Seating:
    """Return the seating of `count` players that has the least weight.

    If several have it, the first in the order of the players is returned. The first player without a place is
    seated at a table of each size, or rests; what is left is solved once for each set of players.
    """
    sizes, resting = weights.field.table_sizes.sizes, weights.field.table_sizes.resting_count

    @cache
    def solve(open_mask: int, open_sizes: tuple[int, ...], rests: int) -> tuple[int, tuple[int, ...] | None]:
        """Return the least weight of those left, and where the first of them goes.

        An empty place means that the first one rests.
        """
        if not open_mask:
            return 0, None
        members = [index for index in range(count) if open_mask >> index & 1]
        first, others = members[0], members[1:]
        best: tuple[int, tuple[int, ...] | None] = (weights.too_much, None)
        if rests:
            weight = weights.rest(first) + solve(open_mask & ~(1 << first), open_sizes, rests - 1)[0]
            best = weight, ()
        for size in sorted(set(open_sizes), reverse=True):
            rest_sizes = remove_size(open_sizes, size)
            for companions in combinations(others, size - 1):
                table = (first, *companions)
                weight = weights.table(table)
                if weight >= best[0]:
                    continue
                weight += solve(open_mask & ~_mask(table), rest_sizes, rests)[0]
                if weight < best[0]:
                    best = weight, table
        return best

    return _read_seating(solve, (1 << count) - 1, sizes, resting)


def _read_seating(solve: Solver, everyone: int, sizes: tuple[int, ...], resting: int) -> Seating:
    """Return the tables and the resting entrants of the least weight."""
    tables, resting_players, state = [], [], (everyone, sizes, resting)
    while state[0]:
        table = solve(*state)[1]
        if table:
            tables.append(table)
            state = (state[0] & ~_mask(table), remove_size(state[1], len(table)), state[2])
        else:
            first = (state[0] & -state[0]).bit_length() - 1
            resting_players.append(first)
            state = (state[0] & ~(1 << first), state[1], state[2] - 1)
    return tuple(tables), tuple(resting_players)


def remove_size(sizes: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Return the sizes without one of them."""
    index = sizes.index(size)
    return sizes[:index] + sizes[index + 1 :]


def _mask(members: tuple[int, ...]) -> int:
    return sum(1 << member for member in members)
