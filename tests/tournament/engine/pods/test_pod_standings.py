"""Places, what they are worth, and standings of tables with more than two sides."""

from __future__ import annotations

from fractions import Fraction

from tests.everyday import each_case
from tournament.engine.pods.results import PodEvent, PodMatch, are_places, compute_place_points
from tournament.engine.pods.standings import compute_pod_standings


@each_case("places", [(1, 2, 3), (1, 2, 2), (1, 1, 3), (1, 1, 1), (3, 1, 2), (1,)])
def test_places_of_a_table_are_known(places: tuple[int, ...]) -> None:
    assert are_places(places)


@each_case("places", [(), (2, 3), (1, 3), (1, 2, 4), (0, 1), (1, 1, 2)])
def test_places_that_no_table_has_are_known(places: tuple[int, ...]) -> None:
    assert not are_places(places)


@each_case(
    ("places", "points", "worth"),
    [
        ((1, 2, 3, 4), (4, 3, 2, 1), (4, 3, 2, 1)),
        ((2, 1, 2), (3,), (0, 3, 0)),
        ((1, 1, 1, 1), (3,), (Fraction(3, 4),) * 4),
        ((1, 2, 2), (5, 2, 1), (5, Fraction(3, 2), Fraction(3, 2))),
    ],
)
def test_level_sides_share_the_points_of_their_places(places, points, worth) -> None:  # type: ignore[no-untyped-def]
    assert compute_place_points(places, points) == worth


def test_standings_rank_by_points_wins_and_opponents() -> None:
    rounds = (
        (PodMatch((1, 2, 3, 4), (1, 2, 2, 2)), PodMatch((5, 6, 7), (1, 2, 2))),
        (PodMatch((1, 5, 2, 6), (1, 2, 2, 2)), PodMatch((3, 4, 7), ())),
    )
    rows = compute_pod_standings(PodEvent(tuple(range(1, 8)), rounds), (3,))
    assert [row.player for row in rows[:2]] == [1, 5]
    assert rows[0].points == 6
    assert (rows[0].wins, rows[0].losses, rows[0].draws) == (2, 0, 0)
    six = next(row for row in rows if row.player == 6)
    assert six.values == (0, Fraction(3, 2) * 2 / 5 + Fraction(3, 1) / 5, 0)


def test_bye_is_worth_a_first_place_and_lots_part_those_who_are_level() -> None:
    rounds = ((PodMatch((1,), (1,)), PodMatch((2, 3, 4), (1, 1, 1))),)
    event = PodEvent((1, 2, 3, 4), rounds, drops={4: 1})
    rows = compute_pod_standings(event, (3,), lots={2: 9, 3: 1, 4: 5, 1: 2})
    assert [(row.player, row.rank) for row in rows] == [(1, 1), (3, 2), (4, 3), (2, 4)]
    assert rows[2].dropped_after == 1
    assert [row.draws for row in rows] == [0, 1, 1, 1]
    assert {row.rank for row in compute_pod_standings(event, (3,))} == {1, 2}
