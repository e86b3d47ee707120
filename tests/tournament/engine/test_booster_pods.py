"""Pods of a booster draft.

Tests cover even sizes, seats by the seed alone, and neighbors around the table.
"""

from __future__ import annotations

from collections import Counter

from tests.everyday import each_case, some
from tournament.engine.booster_pods import choose_pod_sizes, find_neighbors, seat_booster_pods

DEFAULT = {"least": 6, "most": 10, "usual": 8}


@each_case(
    ("count", "sizes"),
    [
        (2, (2,)),
        (5, (5,)),
        (8, (8,)),
        (10, (10,)),
        (11, (6, 5)),
        (12, (6, 6)),
        (13, (7, 6)),
        (16, (8, 8)),
        (20, (7, 7, 6)),
        (24, (8, 8, 8)),
        (100, (8, 8, 8, 8, 8, 8, 8, 8, 8, 7, 7, 7, 7)),
        (0, ()),
    ],
)
def test_choose_pod_sizes_by_default_are_even_near_eight(count: int, sizes: tuple[int, ...]) -> None:
    assert choose_pod_sizes(count, **DEFAULT) == sizes


def test_choose_pod_sizes_up_to_200_players_stay_between_6_and_10_from_12_on() -> None:
    for count in some(9, range(12, 200)):
        sizes = choose_pod_sizes(count, **DEFAULT)

        assert sum(sizes) == count
        assert 6 <= min(sizes) <= max(sizes) <= 10
        assert max(sizes) - min(sizes) <= 1


def test_choose_pod_sizes_of_four_takes_what_staff_asked_for() -> None:
    assert choose_pod_sizes(12, least=4, most=10, usual=4) == (4, 4, 4)


def test_seat_booster_pods_with_one_seed_is_the_same_in_any_order() -> None:
    first = seat_booster_pods(range(1, 13), seed=5, **DEFAULT)
    again = seat_booster_pods(range(12, 0, -1), seed=5, **DEFAULT)

    assert first == again
    assert sorted(player for pod in first for player in pod) == list(range(1, 13))


def test_seat_booster_pods_over_many_seeds_favors_no_player() -> None:
    first_seats = Counter(seat_booster_pods(range(4), seed=seed, **DEFAULT)[0][0] for seed in range(2000))

    assert all(420 < count < 580 for count in first_seats.values())


def test_find_neighbors_at_the_last_seat_has_the_first_to_the_left() -> None:
    assert find_neighbors(range(1, 7), 6) == (1, 5)
    assert find_neighbors(range(1, 7), 1) == (2, 6)


def test_find_neighbors_alone_is_its_own_neighbor() -> None:
    assert find_neighbors([3], 3) == (3, 3)
