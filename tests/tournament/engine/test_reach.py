"""The number of labels that open matches can lift.

It is compared with trying every choice, and bounds are compared with their definition.
"""

from __future__ import annotations

import random
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from tests import machine
from tests.everyday import each_case
from tournament.engine.outlook.cut_state import CutState
from tournament.engine.outlook.estimators import (
    SMALL_COVER,
    BoundsEstimator,
    max_lifted_labels,
    min_lifted_labels,
)

LABELS = st.sampled_from("ABCDEF")
# A match lifts its winner, perhaps both or no one by a draw, depending on the line.
MATCHES = st.builds(
    lambda one, two, shape: tuple(frozenset(pair) for pair in shape(one, two)),
    LABELS,
    LABELS,
    st.sampled_from(
        (
            lambda one, two: ((one,), (one, two), (two,)),
            lambda one, two: ((one,), (), (two,)),
            lambda one, two: ((one,), (one,), ()),
            lambda one, two: ((one, two), (one, two), (two,)),
            lambda one, two: ((one, two), (one, two), (one, two)),
            lambda one, two: ((one,), (two,), (two,)),
            lambda one, two: ((), (), ()),
        )
    ),
)


@settings(max_examples=machine.examples(10), deadline=None)
@given(st.sets(LABELS, max_size=3), st.lists(MATCHES, max_size=6), LABELS)
def test_the_extremes_are_those_of_trying_every_choice(settled_labels, choices, banned_choices) -> None:
    ends = [settled_labels.union(*picked_labels) for picked_labels in product(*choices)]
    assert max_lifted_labels(settled_labels, choices) == max(map(len, ends))
    allowed_counts = [len(end) for end in ends if banned_choices not in end]
    assert min_lifted_labels(settled_labels, choices, banned_choices) == (
        min(allowed_counts, default=None),
        True,
    )


def test_a_large_cover_is_a_lower_bound_and_says_so() -> None:
    dice = random.Random(1)
    pairs = {frozenset(dice.sample(range(11), 2)) for _ in range(60)}
    assert len(pairs) > SMALL_COVER
    choices = [tuple(frozenset({label}) for label in sorted(pair)) for pair in pairs]
    count, exact = min_lifted_labels((), choices, "nobody")
    smallest = min(
        len(cover)
        for mask in range(2**11)
        if all(pair & (cover := frozenset(i for i in range(11) if mask >> i & 1)) for pair in pairs)
    )
    assert (exact, 1 < count <= smallest) == (False, True)


def cut_state(dice: random.Random) -> CutState:
    players = dice.randrange(2, 12)
    rows = list(range(players))
    dice.shuffle(rows)
    running_pairs = zip(rows[::2], rows[1::2], strict=False) if dice.random() < 0.6 else ()
    return CutState(
        scores=[dice.randrange(0, 10) for _ in range(players)],
        labels=[dice.choice("ABCDEFGH") for _ in range(players)],
        playing_rows=frozenset(row for row in range(players) if dice.random() < 0.9),
        open_matches=tuple(running_pairs),
        unpaired_rounds=dice.randrange(0, 3),
        size=dice.randrange(1, 5),
        win=3,
        draw=1,
        loss=dice.choice((0, 1)),
    )


def by_definition(cut_state: CutState, row: int, own_points: int) -> tuple[bool, bool]:
    """Return whether a player is secure, and whether hopeless, by definition.

    This considers everyone else at once, within the points that exist.
    """
    line = cut_state.scores[row] + own_points + cut_state.unpaired_rounds * cut_state.loss
    others = [r for r in cut_state.playing_rows if r != row]
    reach = {r: cut_state.scores[r] + cut_state.rounds_left(r) * 3 for r in cut_state.playing_rows}
    rivals = [r for r in others if reach[r] >= line]
    needs = {}
    for r in rivals:
        need = max(line - cut_state.scores[r], 0)
        needs[cut_state.labels[r]] = min(need, needs.get(cut_state.labels[r], need))
    budget = (
        len(cut_state.open_matches) + cut_state.unpaired_rounds * ((len(cut_state.playing_rows) + 1) // 2)
    ) * (3 + cut_state.loss)
    lifted_count, budget_left = 0, budget
    for need in sorted(needs.values()):
        budget_left -= need
        lifted_count += budget_left >= 0
    secure = (
        cut_state.labels[row] not in {cut_state.labels[r] for r in rivals} and lifted_count < cut_state.size
    )
    ahead = {cut_state.labels[r] for r in others if cut_state.scores[r] > reach[row]}
    return secure, cut_state.labels[row] in ahead or len(ahead) >= cut_state.size


@each_case("block", range(4))
def test_bounds_are_as_tight_as_their_definition(block: int) -> None:
    seen_ends = set()
    for seed in range(block * 300, block * 300 + 300):
        found_cut_state = cut_state(random.Random(seed))
        judge = BoundsEstimator(found_cut_state)
        for row in found_cut_state.playing_rows:
            own_points = random.Random(seed + row).choice((0, 1, 3)) if row in found_cut_state.opponent else 0
            answer = judge.secure(row, own_points or None), judge.hopeless(row, own_points)
            assert answer == by_definition(found_cut_state, row, own_points)
            seen_ends.add(answer)
    assert seen_ends == {(False, False), (True, False), (False, True)}
