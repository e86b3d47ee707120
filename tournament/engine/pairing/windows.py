"""Exact pairing where exchanges do not heal: a few neighbouring score groups, solved whole.

A window is a run of levels. Its players are matched exactly, with stand-ins for the players outside: some
on the level just above, some on the level just below. A stand-in pairs with another of its side for
nothing. Every pairing of the whole field costs at least what the window's matching costs plus the odd gaps
outside: cut its pairs at the window's edges, and superadditivity pays for the pieces. Two stand-ins that
are left to each other show that more of them would not help: what a further pair could do, those two could
have done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tournament.engine.pairing.field import Field, exact_quotient
from tournament.engine.pairing.matching import cheapest_perfect_matching
from tournament.engine.records import Score

Range = tuple[int, int]  # first and last level, both inside


class TooWide(Exception):
    """A window has more vertices than the caller allows."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The optimum of a window.

    Its `value`, the pairs inside, who meets someone above or below, how many pairs pass over it.
    """

    value: Score
    inside: tuple[tuple[int, int], ...]
    up: tuple[int, ...]
    down: tuple[int, ...]
    over: int


@dataclass(frozen=True, slots=True)
class _Vertices:
    """Players first, then the stand-ins above, then those below."""

    players: Sequence[int]
    upper: int
    lower: int

    def __len__(self) -> int:
        return len(self.players) + self.upper + self.lower

    def side(self, at: int) -> int:
        """0 for a player, -1 for a stand-in above, 1 for one below."""
        if at < len(self.players):
            return 0
        return -1 if at < len(self.players) + self.upper else 1


def solve_window(field: Field, window: Range, players: Sequence[int], most: int) -> Solution:
    """Match the window's `players` (all vertices on its levels, in random order) at least cost.

    Raises TooWide where that takes more than `most` vertices.
    """
    above = field.starts[window[0]]
    below = len(field) - field.starts[window[1] + 1]
    if len(players) == 2 and window[0] == window[1] and not above % 2:
        return _solve_two(field, window[0], players, above, below)
    upper, lower = min(above, 2 + above % 2), min(below, 2 + below % 2)
    while True:
        vertices = _Vertices(players, upper, lower)
        if len(vertices) > most:
            raise TooWide
        solution = _solve(field, window, vertices)
        lack_above = upper < above and len(solution.up) + solution.over == upper
        lack_below = lower < below and len(solution.down) + solution.over == lower
        if not (lack_above or lack_below):
            return solution
        upper, lower = upper + 2 * lack_above, lower + 2 * lack_below


def _solve_two(field: Field, level: int, players: Sequence[int], above: int, below: int) -> Solution:
    """The optimum of a level of two with an even number of players above.

    They meet, or both float the same way; if one floated up and one down, a pair more would have to pass
    over the level, and by superadditivity that costs more than the dearer of the two ways. Where both cost
    the same the order of `players`, which is random, decides.
    """
    u, v = players
    ways: list[tuple[Score, int]] = [(field.penalty(u, v), 0)]
    if above:
        ways.append((2 * field.span(level - 1, level), -1))
    if below:
        ways.append((2 * field.span(level, level + 1), 1))
    value, way = min(ways, key=lambda each: (each[0], each[1] if u < v else -each[1]))
    both = (u, v)
    return Solution(
        value=value,
        inside=(both,) if way == 0 else (),
        up=both if way < 0 else (),
        down=both if way > 0 else (),
        over=0,
    )


def _solve(field: Field, window: Range, vertices: _Vertices) -> Solution:
    stand_ins = [window[0] - 1] * vertices.upper + [window[1] + 1] * vertices.lower
    costs, scale = field.cost_table(vertices.players, stand_ins)
    matching = cheapest_perfect_matching(costs)
    if not matching.is_proved(costs):
        raise AssertionError("The matching of a window does not reach its own bound.")
    pairs = [(u, v) for u, v in enumerate(matching.mate) if u < v]
    players, side = vertices.players, vertices.side
    ends = [(u, side(u), side(v)) for u, v in pairs]
    return Solution(
        value=exact_quotient(matching.cost, scale),
        inside=tuple((players[u], players[v]) for u, v in pairs if not side(v)),
        up=tuple(players[u] for u, a, b in ends if a == 0 and b == -1),
        down=tuple(players[u] for u, a, b in ends if a == 0 and b == 1),
        over=sum(a == -1 and b == 1 for _, a, b in ends),
    )


def merged(ranges: Sequence[Range]) -> list[Range]:
    """Ranges that overlap or touch become one; what is returned lies at least one level apart."""
    joined: list[Range] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


def bound_outside(field: Field, windows: Sequence[Range]) -> Score:
    """The least cost of the gaps that no window looks at (a window looks at those along its edges too)."""
    levels = len(field.sizes)
    edges = [(-2, -1), *windows, (levels + 1, levels + 1)]
    return sum(
        field.gap_bound(last + 1, min(following - 1, levels - 1))
        for (_, last), (following, _) in pairwise(edges)
    )
