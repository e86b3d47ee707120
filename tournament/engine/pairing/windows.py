"""Solve runs of neighboring score groups exactly and merge them back.

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

from tournament.engine.pairing.matching import cheapest_perfect_matching
from tournament.engine.pairing.round_model import RoundModel, exact_quotient
from tournament.engine.pairing.working_pairing import WorkingPairing
from tournament.engine.records import Score

Range = tuple[int, int]  # first and last level, both inside


class TooWide(Exception):
    """A window has more vertices than the caller allows."""


@dataclass(frozen=True, slots=True)
class WindowSolution:
    """The optimum of a window.

    Its `value`, the pairs inside, who meets someone above or below, how many pairs pass over it.
    """

    value: Score
    inside: tuple[tuple[int, int], ...]
    rises: tuple[int, ...]
    falls: tuple[int, ...]
    crossing_count: int


@dataclass(frozen=True, slots=True)
class _Vertices:
    """Players first, then the stand-ins above, then those below."""

    players: Sequence[int]
    upper: int
    lower: int

    def __len__(self) -> int:
        return len(self.players) + self.upper + self.lower

    def side(self, at: int) -> int:
        """Return 0 for a player, -1 for a stand-in above, 1 for one below."""
        if at < len(self.players):
            return 0
        return -1 if at < len(self.players) + self.upper else 1


def solve_window(field: RoundModel, window: Range, players: Sequence[int], most: int) -> WindowSolution:
    """Match the window's `players` at least cost.

    They are all vertices on its levels, in random order. Raises TooWide if that takes more than `most`
    vertices.
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
        lack_above = upper < above and len(solution.rises) + solution.crossing_count == upper
        lack_below = lower < below and len(solution.falls) + solution.crossing_count == lower
        if not (lack_above or lack_below):
            return solution
        upper, lower = upper + 2 * lack_above, lower + 2 * lack_below


def _solve_two(
    field: RoundModel, level: int, players: Sequence[int], above: int, below: int
) -> WindowSolution:
    """Return the optimum of a level of two with an even number of players above.

    They meet, or both float the same way; if one floated up and one down, a pair more would have to pass over
    the level, and by superadditivity that costs more than the dearer of the two ways. If both cost the same
    the order of `players`, which is random, decides.
    """
    u, v = players
    ways: list[tuple[Score, int]] = [(field.penalty(u, v), 0)]
    if above:
        ways.append((2 * field.spans[level - 1, level], -1))
    if below:
        ways.append((2 * field.spans[level, level + 1], 1))
    value, way = min(ways, key=lambda each: (each[0], each[1] if u < v else -each[1]))
    both = (u, v)
    return WindowSolution(
        value=value,
        inside=(both,) if way == 0 else (),
        rises=both if way < 0 else (),
        falls=both if way > 0 else (),
        crossing_count=0,
    )


def _solve(field: RoundModel, window: Range, vertices: _Vertices) -> WindowSolution:
    stand_ins = [window[0] - 1] * vertices.upper + [window[1] + 1] * vertices.lower
    costs, scale = field.cost_table(vertices.players, stand_ins)
    matching = cheapest_perfect_matching(costs)
    if not matching.is_proved(costs):
        raise AssertionError("The matching of a window does not reach its own bound.")
    pairs = [(u, v) for u, v in enumerate(matching.mate) if u < v]
    players, side = vertices.players, vertices.side
    ends = [(u, side(u), side(v)) for u, v in pairs]
    return WindowSolution(
        value=exact_quotient(matching.cost, scale),
        inside=tuple((players[u], players[v]) for u, v in pairs if not side(v)),
        rises=tuple(players[u] for u, a, b in ends if a == 0 and b == -1),
        falls=tuple(players[u] for u, a, b in ends if a == 0 and b == 1),
        crossing_count=sum(a == -1 and b == 1 for _, a, b in ends),
    )


def merge_ranges(ranges: Sequence[Range]) -> list[Range]:
    """Merge ranges that overlap or touch.

    The returned ranges are at least one level apart.
    """
    joined_ranges: list[Range] = []
    for first, last in sorted(ranges):
        if joined_ranges and first <= joined_ranges[-1][1] + 1:
            joined_ranges[-1] = (joined_ranges[-1][0], max(last, joined_ranges[-1][1]))
        else:
            joined_ranges.append((first, last))
    return joined_ranges


def bound_outside(field: RoundModel, windows: Sequence[Range]) -> Score:
    """Return the least cost of the gaps that no window considers.

    A window also considers the gaps along its edges.
    """
    levels = len(field.sizes)
    edges = [(-2, -1), *windows, (levels + 1, levels + 1)]
    return sum(
        field.gap_bound(last + 1, min(following - 1, levels - 1))
        for (_, last), (following, _) in pairwise(edges)
    )


MOST_VERTICES = 1200


@dataclass(frozen=True, slots=True)
class WindowedPairing:
    """A finished draft and the least cost that any pairing has.

    `windows` are the windows that were solved to show it.
    """

    draft: WorkingPairing
    total: Score
    lower_bound: Score
    windows: tuple[Range, ...] = ()


def solve_by_windows(
    draft: WorkingPairing, conflicts: Sequence[int], most: int = MOST_VERTICES
) -> WindowedPairing:
    """Bring a draft that exchanges alone cannot heal to the least cost that there is.

    `conflicts` are vertices of the pairs that are left over. If a window would take more than `most` vertices
    the best draft so far is returned with a bound below its total.
    """
    windows = merge_ranges([_range_of(draft, v) for v in conflicts])
    bottom, step = len(draft.field.sizes) - 1, 0
    window_solutions: dict[Range, WindowSolution] = {}
    best, best_total, bound = draft, draft.total(conflicts), bound_outside(draft.field, [])
    while True:
        windows = merge_ranges([_with_bye(draft, window) for window in windows])
        try:
            _solve_all(draft, windows, window_solutions, most)
        except TooWide:
            return WindowedPairing(best, best_total, bound, ())
        bound = bound_outside(draft.field, windows) + sum(
            window_solutions[window].value for window in windows
        )
        attempt = draft.copy()
        realised_windows = [_realise(attempt, window, window_solutions[window]) for window in windows]
        total = _heal_outside(attempt) if all(realised_windows) else None
        if total is not None and total < best_total:
            best, best_total = attempt, total
        if best_total == bound:
            return WindowedPairing(_note_repairs(best, windows), best_total, bound, tuple(windows))
        step = max(1, 2 * step)
        windows = [(max(0, a - step), min(bottom, b + step)) for a, b in windows]


def _range_of(draft: WorkingPairing, v: int) -> Range:
    a, b = draft.field.level[v], draft.field.level[draft.partner[v]]
    return min(a, b), max(a, b)


def _with_bye(draft: WorkingPairing, window: Range) -> Range:
    """Include the bye in a window that reaches the lowest score."""
    field = draft.field
    first, last = window
    return (first, len(field.sizes) - 1) if last >= len(field.scores) - 1 else window


def _solve_all(
    draft: WorkingPairing, windows: Sequence[Range], window_solutions: dict[Range, WindowSolution], most: int
) -> None:
    starts = draft.field.starts
    for window in windows:
        if window not in window_solutions:
            players = draft.order[starts[window[0]] : starts[window[1] + 1]]
            window_solutions[window] = solve_window(draft.field, window, players, most)


def _note_repairs(draft: WorkingPairing, windows: Sequence[Range]) -> WorkingPairing:
    for first, last in windows:
        for level in range(first, last + 1):
            draft.repaired_places[level] = draft.repaired_places.get(level, 0) + draft.field.sizes[level]
    return draft


def _heal_outside(draft: WorkingPairing) -> Score:
    """Exchange pairs with objections at the tables beside the windows.

    Returns the total that is left.
    """
    conflicts = draft.conflicts()
    return draft.total(draft.heal(conflicts) if conflicts else [])


def _realise(draft: WorkingPairing, window: Range, solution: WindowSolution) -> bool:
    """Seat a window's solution in the draft.

    Returns False if the levels beside it have no pair to break.
    """
    first, last = window
    level, partner = draft.field.level, draft.partner
    starts = draft.field.starts
    players = draft.order[starts[first] : starts[last + 1]]
    above = [partner[v] for v in players if level[partner[v]] < first]
    below = [partner[v] for v in players if level[partner[v]] > last]
    if not (
        _break_pairs(draft, first - 1, above, len(solution.rises) + solution.crossing_count)
        and _break_pairs(draft, last + 1, below, len(solution.falls) + solution.crossing_count)
    ):
        return False
    for u, v in solution.inside:
        draft.join(u, v)
    for _ in range(solution.crossing_count):
        draft.join(above.pop(), below.pop())
    _link(draft, solution.rises, above)
    _link(draft, solution.falls, below)
    return True


def _break_pairs(draft: WorkingPairing, level: int, loose: list[int], pair_count: int) -> bool:
    """Add players of `level` to `loose` until there are enough.

    They are added two at a time, and the two meet each other.
    """
    if len(loose) >= pair_count:
        return len(loose) == pair_count
    levels, partner = draft.field.level, draft.partner
    free = [v for v in draft.members(level) if levels[partner[v]] == level and v not in loose]
    draft.chance.shuffle(free)
    while free and len(loose) < pair_count:
        v = free.pop()
        free.remove(partner[v])
        loose += [v, partner[v]]
    return len(loose) == pair_count


def _link(draft: WorkingPairing, players: Sequence[int], loose: list[int]) -> None:
    """Let each of `players` meet one of `loose`.

    There are as few objections to the pairs as a first look finds.
    """
    penalty = draft.field.penalty
    for v in players:
        other = min(loose, key=lambda w: penalty(v, w))
        loose.remove(other)
        draft.join(v, other)
