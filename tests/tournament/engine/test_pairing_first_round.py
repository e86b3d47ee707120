"""First rounds by lot and by seeding, accelerated rounds, and teams."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from rules.reason import reason
from tests.everyday import each_case
from tests.tournament.engine.pairing_oracle import Case
from tournament.engine.pairing.model import Entrant, PairingError, PairingPreferences
from tournament.engine.pairing.round_plan import accelerate, compute_virtual_points
from tournament.engine.pairing.swiss import FirstRoundMethod, pair_first_round, pair_round

EIGHT = [Entrant(at) for at in range(1, 9)]
SEEDS = tuple(range(1, 9))


@each_case(
    ("method", "expected_pairs"),
    [
        ("fold", [(1, 8), (2, 7), (3, 6), (4, 5)]),
        ("slide", [(1, 5), (2, 6), (3, 7), (4, 8)]),
        ("adjacent", [(1, 2), (3, 4), (5, 6), (7, 8)]),
    ],
)
def test_a_seeded_first_round_follows_its_scheme(
    method: FirstRoundMethod, expected_pairs: list[tuple[int, int]]
) -> None:
    pairing = pair_first_round(EIGHT, seed=1, method=method, seeding=SEEDS)
    assert [table.players for table in pairing.tables] == expected_pairs
    assert (pairing.bye, pairing.certificate.method) == (None, "table")
    assert pairing.tables[0].why == (reason("scheduled"),)


def test_the_last_seed_without_a_bye_rests() -> None:
    entrants = [Entrant(1), Entrant(2), Entrant(3), Entrant(4), Entrant(5, byes=1)]
    pairing = pair_first_round(entrants, seed=1, method="fold", seeding=[1, 2, 3, 4, 5])
    assert [table.players for table in pairing.tables] == [(1, 5), (2, 3)]
    assert pairing.bye == 4


def test_players_who_are_not_seeded_follow_by_lot() -> None:
    opponents = {
        pair_first_round(EIGHT, seed=seed, method="adjacent", seeding=[3, 1]).tables[1].players
        for seed in range(8)
    }
    first = pair_first_round(EIGHT, seed=1, method="adjacent", seeding=[3, 1]).tables[0]
    assert first.players == (3, 1)
    assert len(opponents) > 3


def test_a_first_round_by_lot_is_the_round_of_equals() -> None:
    assert pair_first_round(EIGHT, seed=5) == pair_round(EIGHT, [], seed=5)


def test_clubs_are_kept_apart_by_the_nearest_exchange() -> None:
    entrants = [Entrant(at, group="club" if at in (1, 8) else "") for at in SEEDS]
    pairing = pair_first_round(
        entrants, seed=1, method="fold", seeding=SEEDS, preferences=PairingPreferences(groups_apart=True)
    )
    assert [table.players for table in pairing.tables] == [(1, 7), (2, 8), (3, 6), (4, 5)]


def test_team_mates_do_not_meet_in_a_seeded_first_round() -> None:
    entrants = [Entrant(at, group="ab"[at % 2]) for at in SEEDS]
    pairing = pair_first_round(entrants, seed=1, method="slide", seeding=SEEDS, own_group_forbidden=True)
    assert pairing.cost.forbidden_count == 0


@each_case("method", ["fold", "slide", "adjacent"])
def test_a_seeded_first_round_parts_all_who_can_be_parted(method: FirstRoundMethod) -> None:
    rng = random.Random(7)
    for seed in range(60):
        entrants = [Entrant(at, group=rng.choice("abcd")) for at in range(1, rng.randrange(3, 9))]
        pairs = list(combinations([entrant.id for entrant in entrants], 2))
        barred_pairs = [pair for pair in pairs if rng.random() < 0.2]
        pairing = pair_first_round(
            entrants,
            seed=seed,
            method=method,
            seeding=SEEDS,
            forbidden=barred_pairs,
            own_group_forbidden=True,
        )
        playing_entrants = [entrant for entrant in entrants if entrant.id != pairing.bye]
        least = (
            Case(playing_entrants, forbidden=[*barred_pairs, *_mates(playing_entrants)]).least()
            if playing_entrants
            else (0,)
        )
        assert (pairing.bye, pairing.cost.forbidden_count) == (
            None if len(entrants) % 2 == 0 else len(entrants),
            least[0],
        )


def _mates(entrants: list[Entrant]) -> list[tuple[int, int]]:
    return [(a.id, b.id) for a, b in combinations(entrants, 2) if a.group == b.group]


def test_as_few_scheduled_tables_change_as_parting_takes() -> None:
    entrants = [Entrant(1, group="a"), *map(Entrant, (2, 3)), Entrant(4, group="a")]
    pairing = pair_first_round(
        entrants, seed=1, method="fold", seeding=SEEDS, forbidden=[(1, 3)], own_group_forbidden=True
    )
    assert [table.players for table in pairing.tables] == [(1, 2), (4, 3)]


def test_a_large_field_is_parted_by_exchanges_of_any_two() -> None:
    """80 of 140 players are of one club, so that ten of its tables cannot be avoided."""
    entrants = [Entrant(at, group="club" if at <= 80 else "") for at in range(1, 141)]
    pairing = pair_first_round(
        entrants, seed=1, method="adjacent", seeding=range(1, 141), own_group_forbidden=True
    )
    assert pairing.cost.forbidden_count == 10
    assert {tuple(each.code for each in t.why) for t in pairing.tables} == {
        ("scheduled",),
        ("scheduled", "drawback_forbidden.scheduled"),
    }


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(PairingError) as excinfo:
        pair_first_round(EIGHT, seed=1, method="swirl")
    assert [(each.code, each.reason.params) for each in excinfo.value.problems] == [
        ("first-round-unknown", {"method": "swirl"})
    ]


# -- accelerated rounds


@each_case(("place", "points"), [(1, 3), (82, 3), (83, 0), (161, 0)])
def test_the_upper_half_is_rounded_up_to_an_even_number(place: int, points: int) -> None:
    assert compute_virtual_points(place, 161, round_number=1, rounds=9) == points


def test_half_of_the_rounds_are_accelerated_and_half_of_those_fully() -> None:
    by_round = [
        compute_virtual_points(1, 100, round_number=r, rounds=11, win=2, draw=1) for r in range(1, 12)
    ]
    assert by_round == [2, 2, 2, 1, 1, 1, 0, 0, 0, 0, 0]


def test_an_accelerated_first_round_pairs_each_half_within_itself() -> None:
    entrants = accelerate(EIGHT, SEEDS, round_number=1, rounds=5)
    pairing = pair_round(entrants, [], seed=1)
    assert all((table.p1 <= 4) == (table.p2 <= 4) for table in pairing.tables)


def test_who_enters_late_counts_as_seeded_last() -> None:
    assert [e.score for e in accelerate([Entrant(1), Entrant(99)], SEEDS, round_number=1, rounds=5)] == [
        3,
        0,
    ]
