"""From windows that are solved back to a whole round: make good the links, prove the sum, or widen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.engine.pairing.draft import Draft
from tournament.engine.pairing.windows import Range, Solution, TooWide, bound_outside, merged, solve_window
from tournament.engine.records import Score

MOST_VERTICES = 1200


@dataclass(frozen=True, slots=True)
class Settled:
    """A finished draft, the least cost that any pairing has, and the windows that were solved to show it."""

    draft: Draft
    total: Score
    bound: Score
    windows: tuple[Range, ...] = ()


def settle(draft: Draft, conflicts: Sequence[int], most: int = MOST_VERTICES) -> Settled:
    """Bring a draft that exchanges alone cannot heal to the least cost that there is.

    `conflicts` are vertices of the pairs that are left over. Where a window would take more than `most`
    vertices the best draft so far is returned with a bound below its total.
    """
    windows = merged([_range_of(draft, v) for v in conflicts])
    bottom, step = len(draft.field.sizes) - 1, 0
    solved: dict[Range, Solution] = {}
    best, best_total, bound = draft, draft.total(conflicts), bound_outside(draft.field, [])
    while True:
        windows = merged([_with_bye(draft, window) for window in windows])
        try:
            _solve_all(draft, windows, solved, most)
        except TooWide:
            return Settled(best, best_total, bound, ())
        bound = bound_outside(draft.field, windows) + sum(solved[window].value for window in windows)
        attempt = draft.copy()
        realised = [_realise(attempt, window, solved[window]) for window in windows]
        total = _heal_outside(attempt) if all(realised) else None
        if total is not None and total < best_total:
            best, best_total = attempt, total
        if best_total == bound:
            return Settled(_note_repairs(best, windows), best_total, bound, tuple(windows))
        step = max(1, 2 * step)
        windows = [(max(0, a - step), min(bottom, b + step)) for a, b in windows]


def _range_of(draft: Draft, v: int) -> Range:
    a, b = draft.field.level[v], draft.field.level[draft.partner[v]]
    return min(a, b), max(a, b)


def _with_bye(draft: Draft, window: Range) -> Range:
    """A window that reaches the lowest score takes the bye in."""
    field = draft.field
    first, last = window
    return (first, len(field.sizes) - 1) if last >= len(field.scores) - 1 else window


def _solve_all(draft: Draft, windows: Sequence[Range], solved: dict[Range, Solution], most: int) -> None:
    starts = draft.field.starts
    for window in windows:
        if window not in solved:
            players = draft.order[starts[window[0]] : starts[window[1] + 1]]
            solved[window] = solve_window(draft.field, window, players, most)


def _note_repairs(draft: Draft, windows: Sequence[Range]) -> Draft:
    for first, last in windows:
        for level in range(first, last + 1):
            draft.repaired[level] = draft.repaired.get(level, 0) + draft.field.sizes[level]
    return draft


def _heal_outside(draft: Draft) -> Score:
    """Exchange what still speaks against the tables beside the windows; the total that is left."""
    conflicts = draft.conflicts()
    return draft.total(draft.heal(conflicts) if conflicts else [])


# -- links between a window and the levels beside it


def _realise(draft: Draft, window: Range, solution: Solution) -> bool:
    """Seat a window's solution in the draft; False where the levels beside it have no pair to break."""
    first, last = window
    level, partner = draft.field.level, draft.partner
    starts = draft.field.starts
    players = draft.order[starts[first] : starts[last + 1]]
    above = [partner[v] for v in players if level[partner[v]] < first]
    below = [partner[v] for v in players if level[partner[v]] > last]
    if not (
        _break_pairs(draft, first - 1, above, len(solution.up) + solution.over)
        and _break_pairs(draft, last + 1, below, len(solution.down) + solution.over)
    ):
        return False
    for u, v in solution.inside:
        draft.join(u, v)
    for _ in range(solution.over):
        draft.join(above.pop(), below.pop())
    _link(draft, solution.up, above)
    _link(draft, solution.down, below)
    return True


def _break_pairs(draft: Draft, level: int, loose: list[int], wanted: int) -> bool:
    """Add players of `level` to `loose`, two who meet each other at a time, until there are enough."""
    if len(loose) >= wanted:
        return len(loose) == wanted
    levels, partner = draft.field.level, draft.partner
    free = [v for v in draft.members(level) if levels[partner[v]] == level and v not in loose]
    draft.chance.shuffle(free)
    while free and len(loose) < wanted:
        v = free.pop()
        free.remove(partner[v])
        loose += [v, partner[v]]
    return len(loose) == wanted


def _link(draft: Draft, players: Sequence[int], loose: list[int]) -> None:
    """Let each of `players` meet one of `loose`, with as little against it as a first look finds."""
    penalty = draft.field.penalty
    for v in players:
        other = min(loose, key=lambda w: penalty(v, w))
        loose.remove(other)
        draft.join(v, other)
