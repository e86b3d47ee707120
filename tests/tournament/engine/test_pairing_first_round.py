"""First rounds by lot and by seeding, accelerated rounds, and teams."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from tests.tournament.engine.pairing_oracle import Case, pairs_of
from tournament.engine.pairing.acceleration import accelerated, virtual_points
from tournament.engine.pairing.first_round import Method, first_round, seeding_by
from tournament.engine.pairing.records import Entrant, PairingError, Wishes
from tournament.engine.pairing.swiss import pair_round
from tournament.engine.pairing.teams import Board, everybody_against_everybody, pair_teams

EIGHT = [Entrant(at) for at in range(1, 9)]
SEEDS = tuple(range(1, 9))


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("fold", [(1, 8), (2, 7), (3, 6), (4, 5)]),
        ("slide", [(1, 5), (2, 6), (3, 7), (4, 8)]),
        ("adjacent", [(1, 2), (3, 4), (5, 6), (7, 8)]),
    ],
)
def test_a_seeded_first_round_follows_its_scheme(method: Method, expected: list[tuple[int, int]]) -> None:
    pairing = first_round(EIGHT, seed=1, method=method, seeding=SEEDS)
    assert [table.players for table in pairing.tables] == expected
    assert (pairing.bye, pairing.certificate.method) == (None, "table")
    assert pairing.tables[0].why == "The schedule puts them together."


def test_the_last_seed_without_a_bye_rests() -> None:
    entrants = [Entrant(1), Entrant(2), Entrant(3), Entrant(4), Entrant(5, byes=1)]
    pairing = first_round(entrants, seed=1, method="fold", seeding=[1, 2, 3, 4, 5])
    assert [table.players for table in pairing.tables] == [(1, 5), (2, 3)]
    assert pairing.bye == 4


def test_players_who_are_not_seeded_follow_by_lot() -> None:
    drawn = {
        first_round(EIGHT, seed=seed, method="adjacent", seeding=[3, 1]).tables[1].players
        for seed in range(8)
    }
    first = first_round(EIGHT, seed=1, method="adjacent", seeding=[3, 1]).tables[0]
    assert first.players == (3, 1)
    assert len(drawn) > 3


def test_a_first_round_by_lot_is_the_round_of_equals() -> None:
    assert first_round(EIGHT, seed=5) == pair_round(EIGHT, [], seed=5)


def test_clubs_are_kept_apart_by_the_nearest_exchange() -> None:
    entrants = [Entrant(at, group="club" if at in (1, 8) else "") for at in SEEDS]
    pairing = first_round(entrants, seed=1, method="fold", seeding=SEEDS, wishes=Wishes(groups_apart=True))
    assert [table.players for table in pairing.tables] == [(1, 7), (2, 8), (3, 6), (4, 5)]


def test_team_mates_do_not_meet_in_a_seeded_first_round() -> None:
    entrants = [Entrant(at, group="ab"[at % 2]) for at in SEEDS]
    pairing = first_round(entrants, seed=1, method="slide", seeding=SEEDS, own_group_forbidden=True)
    assert pairing.cost.forbidden == 0


@pytest.mark.parametrize("method", ["fold", "slide", "adjacent"])
def test_a_seeded_first_round_parts_all_who_can_be_parted(method: Method) -> None:
    rng = random.Random(7)
    for seed in range(60):
        entrants = [Entrant(at, group=rng.choice("abcd")) for at in range(1, rng.randrange(3, 9))]
        pairs = list(combinations([entrant.id for entrant in entrants], 2))
        barred = [pair for pair in pairs if rng.random() < 0.2]
        pairing = first_round(
            entrants, seed=seed, method=method, seeding=SEEDS, forbidden=barred, own_group_forbidden=True
        )
        playing = [entrant for entrant in entrants if entrant.id != pairing.bye]
        least = Case(playing, forbidden=[*barred, *_mates(playing)]).least() if playing else (0,)
        assert (pairing.bye, pairing.cost.forbidden) == (
            None if len(entrants) % 2 == 0 else len(entrants),
            least[0],
        )


def _mates(entrants: list[Entrant]) -> list[tuple[int, int]]:
    return [(a.id, b.id) for a, b in combinations(entrants, 2) if a.group == b.group]


def test_as_few_scheduled_tables_change_as_parting_takes() -> None:
    entrants = [Entrant(1, group="a"), *map(Entrant, (2, 3)), Entrant(4, group="a")]
    pairing = first_round(
        entrants, seed=1, method="fold", seeding=SEEDS, forbidden=[(1, 3)], own_group_forbidden=True
    )
    assert [table.players for table in pairing.tables] == [(1, 2), (4, 3)]


def test_a_large_field_is_parted_by_exchanges_of_any_two() -> None:
    """Of 140 players 80 are of one club, so that ten of its tables cannot be helped."""
    entrants = [Entrant(at, group="club" if at <= 80 else "") for at in range(1, 141)]
    pairing = first_round(
        entrants, seed=1, method="adjacent", seeding=range(1, 141), own_group_forbidden=True
    )
    assert pairing.cost.forbidden == 10
    assert {t.why for t in pairing.tables} == {
        "The schedule puts them together.",
        "The schedule puts them together. "
        "They must not meet, but no exchange of players leaves fewer such tables.",
    }


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(PairingError, match="no first round by 'swirl'"):
        first_round(EIGHT, seed=1, method="swirl")


def test_seeding_by_rating_draws_between_equals() -> None:
    ratings = {1: 1500, 2: 1800, 3: 1500, 4: 1900}
    assert {seeding_by(ratings, seed=seed) for seed in range(12)} == {(4, 2, 1, 3), (4, 2, 3, 1)}


def test_seeding_by_last_seasons_place_puts_the_lowest_number_first() -> None:
    assert seeding_by({5: 2, 6: 1, 7: 3}, seed=1, higher_is_better=False) == (6, 5, 7)


# -- accelerated rounds


@pytest.mark.parametrize(("place", "points"), [(1, 3), (82, 3), (83, 0), (161, 0)])
def test_the_upper_half_is_rounded_up_to_an_even_number(place: int, points: int) -> None:
    assert virtual_points(place, 161, round_number=1, rounds=9) == points


def test_half_of_the_rounds_are_accelerated_and_half_of_those_fully() -> None:
    by_round = [virtual_points(1, 100, round_number=r, rounds=11, win=2, draw=1) for r in range(1, 12)]
    assert by_round == [2, 2, 2, 1, 1, 1, 0, 0, 0, 0, 0]


def test_an_accelerated_first_round_pairs_each_half_within_itself() -> None:
    entrants = accelerated(EIGHT, SEEDS, round_number=1, rounds=5)
    pairing = pair_round(entrants, [], seed=1)
    assert all((table.p1 <= 4) == (table.p2 <= 4) for table in pairing.tables)


def test_who_enters_late_counts_as_seeded_last() -> None:
    assert [e.score for e in accelerated([Entrant(1), Entrant(99)], SEEDS, round_number=1, rounds=5)] == [
        3,
        0,
    ]


# -- teams


def test_members_of_two_teams_sit_down_by_board() -> None:
    result = pair_teams([Entrant(1), Entrant(2)], {1: [11, 12], 2: [21, 22, 23]}, [], seed=1)
    first, second = result.pairing.tables[0].players
    lines = {1: [11, 12, None], 2: [21, 22, 23]}
    assert result.boards == tuple(Board(1, at + 1, lines[first][at], lines[second][at]) for at in range(3))


def test_a_team_with_the_bye_rests_whole() -> None:
    result = pair_teams(
        [Entrant(1), Entrant(2), Entrant(3)], {1: [11], 2: [21], 3: [31, 32]}, [(1, 2)], seed=1
    )
    assert result.resting == {1: (11,), 2: (21,), 3: (31, 32)}[result.pairing.bye or 0]


def test_teams_that_met_do_not_meet_again() -> None:
    teams, line_ups = [Entrant(at) for at in range(1, 5)], {at: [10 * at] for at in range(1, 5)}
    result = pair_teams(teams, line_ups, [(1, 2), (3, 4), (1, 3), (2, 4)], seed=1)
    assert pairs_of(result.pairing) == {frozenset((1, 4)), frozenset((2, 3))}


def test_every_problem_of_the_line_ups_is_reported() -> None:
    with pytest.raises(PairingError) as refusal:
        pair_teams([Entrant(1), Entrant(2), Entrant(3)], {1: [11], 2: [11]}, [], seed=1)
    assert refusal.value.problems == (
        "Team 3 has nobody in its line-up; name at least one player.",
        "Player 11 stands more than once in the line-ups (teams 1, 2).",
    )


def test_everybody_meets_everybody_of_the_other_team() -> None:
    rounds = everybody_against_everybody([1, 2, 3], [4, 5])
    met = {frozenset((board.p1, board.p2)) for boards in rounds for board in boards}
    assert met == {frozenset((a, b)) for a in (1, 2, 3) for b in (4, 5, None)}
    assert all(len({player for b in boards for player in (b.p1, b.p2)} - {None}) == 5 for boards in rounds)
