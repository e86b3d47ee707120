"""Find a best pairing: neighbors, exchanges, then an exact solution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tournament.engine.pairing.enumeration import MOST_VERTICES, PairingCounter
from tournament.engine.pairing.round_model import RoundModel, exact_quotient
from tournament.engine.pairing.working_pairing import WorkingPairing
from tournament.engine.records import Score
from tournament.engine.seeded_random import SeededRandom

_COUNTED_AFRESH = 512


class SearchResult(NamedTuple):
    """A pairing of the field.

    Holds its total, the bound that it is compared with, and the method.
    """

    draft: WorkingPairing
    total: Score
    lower_bound: Score
    method: str
    windows: tuple[tuple[int, int], ...] = ()

    def is_solved_between(self, high: int, low: int) -> bool:
        """Return whether a table between these levels comes from an exact solution."""
        return self.method != "neighbours" and (
            not self.windows or any(a - 1 <= low and high <= b + 1 for a, b in self.windows)
        )


def find_best_pairing(field: RoundModel, chance: SeededRandom) -> SearchResult:
    """Return one of the cheapest pairings of `field`, drawn at random.

    It is proved where `total` equals `lower_bound`.
    """
    draft = WorkingPairing.of_neighbours(field, chance)
    conflicts = draft.conflicts_of_neighbours()
    bound = field.gap_bound(0, len(field.sizes) - 1) + field.penalty_floor
    if not conflicts:
        return SearchResult(draft, bound, bound, "neighbours")
    if len(field) <= MOST_VERTICES:
        return _by_counting(field, chance)
    from tournament.engine.pairing.mixing import mix, resolve_rematches  # small fields are counted

    if field.only_meetings_count:
        conflicts = resolve_rematches(draft, conflicts)
    conflicts_left = draft.heal(conflicts, field.penalty_floor) if conflicts else []
    if not conflicts_left:
        mix(draft, faultless=not field.penalty_floor, is_proved=True)
        _verify(_reaches(draft, bound))
        return SearchResult(draft, bound, bound, "neighbours")
    return _by_windows(draft, conflicts_left, bound)


def _reaches(draft: WorkingPairing, bound: Score) -> bool:
    """Return whether a healed draft costs what it should.

    Counted afresh, in large fields where players have moved.

    Exchanges leave all floats as they are, so in a field without rules only those who moved can be at fault.
    """
    if len(draft.field) > _COUNTED_AFRESH and not draft.field.has_rules:
        return draft.is_faultless_where_moved()
    return draft.is_whole(draft.order) and draft.total() == bound


def _by_windows(draft: WorkingPairing, conflicts_left: Sequence[int], bound: Score) -> SearchResult:
    # Few rounds need it, and it loads slowly.
    from tournament.engine.pairing.mixing import mix
    from tournament.engine.pairing.windows import solve_by_windows

    solution = solve_by_windows(draft, conflicts_left)
    bound = max(bound, solution.lower_bound)
    faultless = solution.total < draft.field.weights.rematch
    mix(solution.draft, solution.windows, faultless=faultless, is_proved=solution.total == bound)
    total = solution.draft.total()
    _verify(bound <= total <= solution.total and solution.draft.is_whole(draft.order))
    return SearchResult(solution.draft, total, bound, "windows", solution.windows)


def _verify(as_said: bool) -> None:
    """Refuse a round that is not what the search says it is.

    The cause of the fault does not matter.
    """
    if not as_said:
        raise AssertionError("The round that was drawn is not the one whose cost was proved.")


def _by_counting(field: RoundModel, chance: SeededRandom) -> SearchResult:
    costs, scale = field.cost_table(range(len(field)))
    count = PairingCounter(costs)
    draft = WorkingPairing.of_neighbours(field, chance)
    for u, v in count.draw(chance):
        draft.join(u, v)
    least = exact_quotient(count.least, scale)
    return SearchResult(draft, least, least, "exhaustive")
