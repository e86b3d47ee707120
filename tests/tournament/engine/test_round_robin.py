"""Round robin, in which everyone plays against everyone.

The Berger tables are those of the FIDE Handbook (C.05, annex 1).
"""

from __future__ import annotations

from itertools import combinations

import pytest

from rules.reason import Reference
from tests.everyday import each_case
from tournament.engine.pairing.model import PairingError
from tournament.engine.pairing.round_robin import berger_table, round_robin, split_into_groups
from tournament.engine.problems import problem

SIX = (
    ((1, 6), (2, 5), (3, 4)),
    ((6, 4), (5, 3), (1, 2)),
    ((2, 6), (3, 1), (4, 5)),
    ((6, 5), (1, 4), (2, 3)),
    ((3, 6), (4, 2), (5, 1)),
)

PRINTED = {
    4: "1-4 2-3 | 4-3 1-2 | 2-4 3-1",
    8: "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3 | 3-8 4-2 5-1 6-7 | "
    "8-7 1-6 2-5 3-4 | 4-8 5-3 6-2 7-1",
    10: "1-10 2-9 3-8 4-7 5-6 | 10-6 7-5 8-4 9-3 1-2 | 2-10 3-1 4-9 5-8 6-7 | 10-7 8-6 9-5 1-4 2-3 | "
    "3-10 4-2 5-1 6-9 7-8 | 10-8 9-7 1-6 2-5 3-4 | 4-10 5-3 6-2 7-1 8-9 | 10-9 1-8 2-7 3-6 4-5 | "
    "5-10 6-4 7-3 8-2 9-1",
    12: "1-12 2-11 3-10 4-9 5-8 6-7 | 12-7 8-6 9-5 10-4 11-3 1-2 | 2-12 3-1 4-11 5-10 6-9 7-8 | "
    "12-8 9-7 10-6 11-5 1-4 2-3 | 3-12 4-2 5-1 6-11 7-10 8-9 | 12-9 10-8 11-7 1-6 2-5 3-4 | "
    "4-12 5-3 6-2 7-1 8-11 9-10 | 12-10 11-9 1-8 2-7 3-6 4-5 | 5-12 6-4 7-3 8-2 9-1 10-11 | "
    "12-11 1-10 2-9 3-8 4-7 5-6 | 6-12 7-5 8-4 9-3 10-2 11-1",
    14: "1-14 2-13 3-12 4-11 5-10 6-9 7-8 | 14-8 9-7 10-6 11-5 12-4 13-3 1-2 | "
    "2-14 3-1 4-13 5-12 6-11 7-10 8-9 | 14-9 10-8 11-7 12-6 13-5 1-4 2-3 | "
    "3-14 4-2 5-1 6-13 7-12 8-11 9-10 | 14-10 11-9 12-8 13-7 1-6 2-5 3-4 | "
    "4-14 5-3 6-2 7-1 8-13 9-12 10-11 | 14-11 12-10 13-9 1-8 2-7 3-6 4-5 | "
    "5-14 6-4 7-3 8-2 9-1 10-13 11-12 | 14-12 13-11 1-10 2-9 3-8 4-7 5-6 | "
    "6-14 7-5 8-4 9-3 10-2 11-1 12-13 | 14-13 1-12 2-11 3-10 4-9 5-8 6-7 | "
    "7-14 8-6 9-5 10-4 11-3 12-2 13-1",
    16: "1-16 2-15 3-14 4-13 5-12 6-11 7-10 8-9 | 16-9 10-8 11-7 12-6 13-5 14-4 15-3 1-2 | "
    "2-16 3-1 4-15 5-14 6-13 7-12 8-11 9-10 | 16-10 11-9 12-8 13-7 14-6 15-5 1-4 2-3 | "
    "3-16 4-2 5-1 6-15 7-14 8-13 9-12 10-11 | 16-11 12-10 13-9 14-8 15-7 1-6 2-5 3-4 | "
    "4-16 5-3 6-2 7-1 8-15 9-14 10-13 11-12 | 16-12 13-11 14-10 15-9 1-8 2-7 3-6 4-5 | "
    "5-16 6-4 7-3 8-2 9-1 10-15 11-14 12-13 | 16-13 14-12 15-11 1-10 2-9 3-8 4-7 5-6 | "
    "6-16 7-5 8-4 9-3 10-2 11-1 12-15 13-14 | 16-14 15-13 1-12 2-11 3-10 4-9 5-8 6-7 | "
    "7-16 8-6 9-5 10-4 11-3 12-2 13-1 14-15 | 16-15 1-14 2-13 3-12 4-11 5-10 6-9 7-8 | "
    "8-16 9-7 10-6 11-5 12-4 13-3 14-2 15-1",
}


def test_the_table_for_six_is_the_printed_one() -> None:
    assert berger_table(6) == SIX


@each_case("size", PRINTED)
def test_the_tables_are_the_printed_ones(size: int) -> None:
    rounds = PRINTED[size].split(" | ")
    assert [" ".join(f"{a}-{b}" for a, b in pairs) for pairs in berger_table(size)] == rounds


@each_case("size", range(3, 16, 2))
def test_an_odd_table_is_the_next_even_one_without_its_last_place(size: int) -> None:
    full = berger_table(size + 1)
    assert berger_table(size) == tuple(
        tuple(pair for pair in pairs if size + 1 not in pair) for pairs in full
    )


@each_case("size", range(1, 25))
def test_every_two_places_meet_once_and_no_place_twice_in_a_round(size: int) -> None:
    table = berger_table(size)
    met_pairs = [frozenset(pair) for pairs in table for pair in pairs]
    assert sorted(map(sorted, met_pairs)) == [list(pair) for pair in combinations(range(1, size + 1), 2)]
    assert all(len({place for pair in pairs for place in pair}) == 2 * len(pairs) for pairs in table)


@each_case("size", [4, 6, 8, 10, 16])
def test_sides_are_even_to_within_one(size: int) -> None:
    first = [pair[0] for pairs in berger_table(size) for pair in pairs]
    assert {first.count(place) for place in range(1, size + 1)} == {size // 2 - 1, size // 2}


def test_a_double_round_robin_changes_sides() -> None:
    rounds = round_robin([[7, 8, 9, 10]], double=True)
    assert len(rounds) == 6
    assert [t.players for t in rounds[3].tables] == [t.players[::-1] for t in rounds[0].tables]


def test_groups_play_side_by_side_with_their_own_byes() -> None:
    rounds = round_robin([[1, 2, 3], [4, 5, 6, 7], [8, 9]])
    assert [len(each.tables) for each in rounds] == [4, 3, 3]
    assert [table.number for table in rounds[0].tables] == [1, 2, 3, 4]
    assert sorted(player for each in rounds for player in each.resting_players) == [1, 2, 3]


def test_numbers_may_be_drawn_by_lot() -> None:
    first_tables = {round_robin([range(1, 9)], seed=seed)[0].tables for seed in range(5)}
    assert len(first_tables) == 5
    assert round_robin([range(1, 9)], seed=3) == round_robin([range(1, 9)], seed=3)


def test_one_player_has_nothing_to_play() -> None:
    assert round_robin([[1]]) == ()


def test_every_problem_of_the_groups_is_reported() -> None:
    with pytest.raises(PairingError) as refusal:
        round_robin([[1, 2], [], [2, 3]])
    assert refusal.value.problems == (
        problem("group-empty", group=2),
        problem("listed-twice", players=(Reference("player", 2),)),
    )


def test_no_group_at_all_is_refused() -> None:
    with pytest.raises(PairingError, match="no group"):
        round_robin([])


def test_the_snake_evens_out_the_groups() -> None:
    assert split_into_groups(range(1, 10), 3) == ((1, 6, 7), (2, 5, 8), (3, 4, 9))


def test_a_drawn_snake_puts_one_of_each_turn_into_each_group() -> None:
    groups = split_into_groups(range(1, 10), 3, seed=4)
    for turn in ({1, 2, 3}, {4, 5, 6}, {7, 8, 9}):
        assert [len(turn & set(group)) for group in groups] == [1, 1, 1]


@pytest.mark.parametrize("count", [0, 4])
def test_groups_that_cannot_be_filled_are_refused(count: int) -> None:
    with pytest.raises(PairingError, match="Choose from 1 to 3"):
        split_into_groups([1, 2, 3], count)
