"""A few scores solved exactly beside a large field."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.pairing import windows
from tournament.engine.pairing.history import MeetingHistory
from tournament.engine.pairing.model import Entrant
from tournament.engine.pairing.round_model import RoundModel
from tournament.engine.pairing.windows import solve_window


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=3),
    st.lists(st.integers(1, 4), min_size=1, max_size=3),
    st.booleans(),
)
def test_two_alone_at_a_score_float_as_the_exact_matching_has_them_float(
    gaps_above: Sequence[int], gaps_below: Sequence[int], have_met: bool
) -> None:
    """Two players at each score; those of the window have met or not."""
    scores = [sum(gaps_above[:at]) for at in range(1, len(gaps_above) + 1)]
    scores += [0] + [-sum(gaps_below[:at]) for at in range(1, len(gaps_below) + 1)]
    entrants = [Entrant(at, score) for at, score in enumerate(sorted(2 * scores, reverse=True))]
    level = len(gaps_above)
    players = (2 * level, 2 * level + 1)
    field = RoundModel(entrants, MeetingHistory([players] if have_met else []))
    solution = solve_window(field, (level, level), players, 100)
    matching = windows._solve(field, (level, level), windows._Vertices(players, 4, 4))
    assert solution.value == matching.value
    assert len(solution.inside) == len(matching.inside) == (not have_met)
    assert (len(solution.rises), len(solution.falls), solution.crossing_count) in (
        (2, 0, 0),
        (0, 2, 0),
        (0, 0, 0),
    )


def test_two_who_may_float_either_way_take_the_way_that_their_lots_say() -> None:
    field = RoundModel([Entrant(at, 3 - at // 2) for at in range(6)], MeetingHistory([(2, 3)]))
    assert solve_window(field, (1, 1), (2, 3), 100).rises == (2, 3)
    assert solve_window(field, (1, 1), (3, 2), 100).falls == (3, 2)
