"""The table of a league.

Tests cover points by place, best results, exact means, and who is one person.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.league import (
    DEFAULT_POINTS,
    EventResult,
    LeagueRegistration,
    PointsTable,
    compute_points,
    fold_name,
    group_registrations,
    rank_league,
)


def results(*points: int) -> list[EventResult]:
    return [EventResult(event, 1, each) for event, each in enumerate(points, 1)]


def test_our_default_table_of_points() -> None:
    assert [compute_points(DEFAULT_POINTS, place) for place in (1, 2, 3, 4, 5, 8, 9, 16, 17, 200)] == [
        20, 16, 13, 11, 8, 8, 5, 5, 2, 2,
    ]  # fmt: skip


def test_players_who_share_a_place_get_the_exact_mean_of_the_places_they_take() -> None:
    odd = PointsTable(((1, 1, 10), (2, 2, 5)), others=1)
    assert compute_points(odd, 1, sharing=2) == Fraction(15, 2)
    assert compute_points(odd, 1, sharing=3) == Fraction(16, 3)
    assert compute_points(DEFAULT_POINTS, 5, sharing=4) == 8


def test_only_the_best_results_count_and_the_others_stay_on_show() -> None:
    (row,) = rank_league({"Ann": results(5, 20, 8)}, best_of=2)
    assert row.points == 28
    assert [each.counts for each in row.results] == [False, True, True]


def test_equal_sums_are_parted_by_the_best_single_result() -> None:
    rows = rank_league({"Ann": results(10, 10), "Bo": results(15, 5)})
    assert [(row.rank, row.person) for row in rows] == [(1, "Bo"), (2, "Ann")]


def test_equal_in_everything_share_a_rank_and_the_next_one_is_left_out() -> None:
    rows = rank_league({"Ann": results(10, 5), "Bo": results(5, 10), "Cy": results(1)})
    assert [(row.rank, row.person, row.is_shared) for row in rows] == [
        (1, "Ann", True), (1, "Bo", True), (3, "Cy", False),
    ]  # fmt: skip


@given(
    st.dictionaries(st.integers(), st.lists(st.integers(0, 30), max_size=6), max_size=8), st.integers(1, 4)
)
def test_sum_is_that_of_the_highest_results(points_by_player: dict[int, list[int]], best_of: int) -> None:
    rows = rank_league({person: results(*points) for person, points in points_by_player.items()}, best_of)
    assert {row.person: row.points for row in rows} == {
        person: sum(sorted(points, reverse=True)[:best_of]) for person, points in points_by_player.items()
    }
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)


def test_name_is_the_same_without_case_accents_and_doubled_spaces() -> None:
    assert fold_name("  José  ÁLVAREZ ") == fold_name("jose alvarez") == "jose alvarez"


def groups(
    *registrations: LeagueRegistration, same: tuple[tuple[int, int], ...] = ()
) -> tuple[tuple[int, ...], ...]:
    return group_registrations(registrations, same).groups


def test_one_address_is_one_person_whatever_the_name() -> None:
    assert groups(
        LeagueRegistration(1, 1, "Ann", "ann@example.org"),
        LeagueRegistration(2, 2, "Anna B.", "ANN@example.org"),
    ) == ((1, 2),)


def test_registrations_without_address_are_joined_by_name() -> None:
    registrations = [
        LeagueRegistration(1, 1, "José"),
        LeagueRegistration(2, 2, "jose"),
        LeagueRegistration(3, 2, "Bo"),
    ]
    assert groups(*registrations) == (
        (1, 2), (3,),
    )  # fmt: skip


def test_registration_without_address_joins_the_only_person_of_that_name() -> None:
    assert groups(LeagueRegistration(1, 1, "Ann", "ann@example.org"), LeagueRegistration(2, 2, "Ann")) == (
        (1, 2),
    )


def test_two_addresses_of_one_name_are_two_people_until_the_organizer_says_otherwise() -> None:
    bearers = (
        LeagueRegistration(1, 1, "Ann", "a@example.org"),
        LeagueRegistration(2, 2, "Ann", "b@example.org"),
    )
    assert group_registrations(bearers).groups == ((1,), (2,))
    assert group_registrations(bearers).namesakes == ((1, 2),)
    assert group_registrations(bearers, [(1, 2)]).groups == ((1, 2),)
    assert group_registrations(bearers, [(1, 2)]).namesakes == ()


def test_two_of_one_name_in_one_event_are_never_joined_by_name() -> None:
    bearers = (
        LeagueRegistration(1, 1, "Ann"),
        LeagueRegistration(2, 1, "Ann"),
        LeagueRegistration(3, 2, "Ann"),
    )
    assert groups(*bearers) == ((1,), (2,), (3,))


def test_word_about_a_registration_that_left_the_league_is_passed_over() -> None:
    assert groups(LeagueRegistration(1, 1, "Ann"), same=((1, 99),)) == ((1,),)
