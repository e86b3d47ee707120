"""Seeding out of groups into a bracket.

Group winners come before seconds, and group-mates are as far apart as can be.
"""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from rules.reason import Reference
from tests.everyday import each_case
from tournament.engine.brackets.group_seeding import seed_from_groups
from tournament.engine.brackets.layout import seed_order
from tournament.engine.pairing.model import PairingError
from tournament.engine.problems import problem


def qualifiers(groups: int, each: int) -> tuple[list[int], dict[int, int]]:
    """Return the qualifiers as players numbered 100 * place + group.

    All first come before all second, and so on. Each place is in the order of the groups.
    """
    order = [100 * place + group for place in range(1, each + 1) for group in range(1, groups + 1)]
    return order, {player: player % 100 for player in order}


def meetings(seeds: tuple[int, ...]) -> list[int]:
    """Return the rounds in which group-mates meet if no one in between stops them.

    Early rounds come first.
    """
    places = seed_order(1 << (len(seeds) - 1).bit_length())
    place_of = {player: places.index(seed) for seed, player in enumerate(seeds, 1)}
    return sorted(
        (place_of[a] ^ place_of[b]).bit_length() for a, b in combinations(seeds, 2) if a % 100 == b % 100
    )


@each_case(
    ("groups", "each", "rounds"),
    [(2, 2, [2, 2]), (4, 2, [3] * 4), (8, 2, [4] * 8), (3, 2, [3] * 3), (6, 2, [4] * 6), (16, 2, [5] * 16)],
)
def test_winner_and_second_of_a_group_can_meet_in_the_final_only(
    groups: int, each: int, rounds: list[int]
) -> None:
    assert meetings(seed_from_groups(*qualifiers(groups, each))) == rounds


@each_case(("groups", "each"), [(2, 4), (4, 4), (2, 3), (3, 4), (5, 3)])
def test_no_group_mates_meet_in_the_first_round(groups: int, each: int) -> None:
    assert min(meetings(seed_from_groups(*qualifiers(groups, each)))) > 1


def test_group_winners_keep_their_order_and_stand_before_the_seconds() -> None:
    order, group_of = qualifiers(4, 2)
    seeds = seed_from_groups([103, 203, 101, 104, 102, 204, 202, 201], group_of)
    assert seeds[:4] == (103, 101, 104, 102)
    assert sorted(seeds) == sorted(order)


def test_seconds_change_places_as_little_as_keeps_them_apart() -> None:
    winners, seconds = [101, 102, 103, 104], [201, 202, 203, 204]
    group_of = {player: player % 100 for player in (*winners, *seconds)}
    for order in permutations(seconds):
        seeding = seed_from_groups([*winners, *order], group_of)
        apart = [p for p in permutations(order) if min(meetings((*winners, *p))) == 3]
        least = min(sum((order.index(x) - place_of) ** 2 for place_of, x in enumerate(p)) for p in apart)
        assert seeding[:4] == tuple(winners)
        assert seeding[4:] in apart
        assert sum((order.index(x) - place_of) ** 2 for place_of, x in enumerate(seeding[4:])) == least


def test_one_group_is_seeded_as_it_stands() -> None:
    assert seed_from_groups([5, 3, 9], dict.fromkeys((5, 3, 9), 1)) == (5, 3, 9)
    assert seed_from_groups([], {}) == ()


def test_every_problem_of_the_order_is_reported() -> None:
    with pytest.raises(PairingError) as refusal:
        seed_from_groups([1, 2, 2, 3], {1: 1, 2: 1})
    assert refusal.value.problems == (
        problem("group-unknown", player=Reference("player", 3)),
        problem("listed-twice", players=(Reference("player", 2),)),
    )
