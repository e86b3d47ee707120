"""Tables of more than two sides.

Tests cover sizes, the search, and the best seating compared with brute force.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import pytest

from tests import machine
from tests.everyday import each_case
from tournament.engine.pairing.model import Entrant, PairingError
from tournament.engine.pods import seating
from tournament.engine.pods.model import PodCost, PodField, PodHistory, PodRound
from tournament.engine.pods.seating import seat_round
from tournament.engine.pods.sizes import choose_sizes

FREE_FOR_ALL = {"least": 3, "most": 6, "usual": 4}
THREE_SIDES = {"least": 3, "most": 3, "usual": 3}


@each_case(
    ("count", "sizes"),
    [
        (3, (3,)),
        (5, (5,)),
        (6, (3, 3)),
        (7, (4, 3)),
        (8, (4, 4)),
        (9, (3, 3, 3)),
        (10, (5, 5)),
        (11, (4, 4, 3)),
    ],
)
def test_sizes_are_even_and_near_the_usual(count: int, sizes: tuple[int, ...]) -> None:
    assert choose_sizes(count, **FREE_FOR_ALL).sizes == sizes


@each_case("count", range(40))
def test_sizes_seat_everyone_they_can(count: int) -> None:
    free, three = choose_sizes(count, **FREE_FOR_ALL), choose_sizes(count, **THREE_SIDES)
    assert sum(free.sizes) + free.resting_count == sum(three.sizes) + three.resting_count == count
    assert free.resting_count == (count if count < 3 else 0)
    assert three.resting_count == count % 3
    assert max(free.sizes, default=0) - min(free.sizes, default=0) <= 1


def _seatings(
    players: tuple[int, ...], sizes: tuple[int, ...], resting: int
) -> Iterator[tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]]:
    """Yield all seatings in the plainest way."""
    for resting_players in combinations(players, resting):
        players_left = tuple(player for player in players if player not in resting_players)
        for tables in _tables(players_left, sizes):
            yield tables, resting_players


def _tables(players: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    if not sizes:
        yield ()
        return
    for table in combinations(players, sizes[0]):
        if len(set(sizes)) == 1 and players[0] not in table:
            continue
        players_left = tuple(player for player in players if player not in table)
        for others in _tables(players_left, sizes[1:]):
            yield (table, *others)


def _situation(rng: random.Random, count: int, mode: dict[str, int]) -> tuple[list[Entrant], PodHistory]:
    history = PodHistory()
    for _ in range(rng.randrange(4)):
        order = rng.sample(range(count), count)
        sizes = choose_sizes(count, **mode).sizes
        history.add_round([order[sum(sizes[:at]) : sum(sizes[: at + 1])] for at in range(len(sizes))])
    scores = [rng.choice([0, 1, 3, Fraction(3, 2), 6]) for _ in range(count)]
    return [Entrant(at, score, byes=rng.randrange(2)) for at, score in enumerate(scores)], history


def _field(entrants: Sequence[Entrant], history: PodHistory, mode: dict[str, int]) -> PodField:
    ordered_entrants = tuple(sorted(entrants, key=lambda entrant: entrant.id))
    return PodField(ordered_entrants, history, choose_sizes(len(ordered_entrants), **mode))


def _check_whole(result: PodRound, entrants: Sequence[Entrant], mode: dict[str, int]) -> None:
    seated_players = [player for pod in result.pods for player in pod.players]
    assert sorted([*seated_players, *result.resting_players]) == sorted(entrant.id for entrant in entrants)
    assert all(mode["least"] <= len(pod.players) <= mode["most"] for pod in result.pods)
    assert [pod.number for pod in result.pods] == list(range(1, len(result.pods) + 1))


@each_case("mode", [FREE_FOR_ALL, THREE_SIDES])
@each_case("count", [3, 4, 5, 6, 7, 8, 9])
def test_seating_of_a_small_field_costs_what_brute_force_finds(count: int, mode: dict[str, int]) -> None:
    rng = random.Random(f"{count} {mode}")
    for seed in range(machine.examples(1)):
        entrants, history = _situation(rng, count, mode)
        result = seat_round(entrants, history, seed=seed, **mode)
        _check_whole(result, entrants, mode)
        field = _field(entrants, history, mode)
        sizes = field.table_sizes
        best = min(
            field.cost(tables, resting_players)
            for tables, resting_players in _seatings(tuple(range(count)), sizes.sizes, sizes.resting_count)
        )
        assert result.cost == best
        assert result.certificate.is_proved


def test_third_meeting_happens_only_where_no_seating_avoids_it() -> None:
    history = PodHistory()
    entrants = [Entrant(at) for at in range(7)]
    for number in range(5):
        result = seat_round(entrants, history, seed=number, **FREE_FOR_ALL)
        field = _field(entrants, history, FREE_FOR_ALL)
        seatings = _seatings(tuple(range(7)), (4, 3), 0)
        fewest = min(
            field.cost(tables, resting_players).third_meetings for tables, resting_players in seatings
        )
        assert result.cost.third_meetings == fewest
        history.add_round(pod.players for pod in result.pods)


def test_same_seed_gives_the_same_round_whatever_the_order() -> None:
    entrants = [Entrant(at, at % 3) for at in range(9)]
    first = seat_round(entrants, PodHistory(), seed=5, **FREE_FOR_ALL)
    assert seat_round(entrants[::-1], PodHistory(), seed=5, **FREE_FOR_ALL) == first
    assert any(
        seat_round(entrants, PodHistory(), seed=seed, **FREE_FOR_ALL).pods != first.pods for seed in (6, 7, 8)
    )


def test_bye_goes_to_someone_who_had_none_and_then_to_the_lowest() -> None:
    entrants = [Entrant(0, 0, byes=1), Entrant(1, 1), Entrant(2, 3), Entrant(3, 3)]
    assert seat_round(entrants, PodHistory(), seed=1, **THREE_SIDES).resting_players == (1,)


def test_forbidden_pair_sits_apart_before_all_else() -> None:
    entrants = [Entrant(0, 9), Entrant(1, 9), Entrant(2), Entrant(3), Entrant(4), Entrant(5)]
    result = seat_round(entrants, PodHistory(), seed=1, forbidden=[(1, 0)], **FREE_FOR_ALL)
    assert not any({0, 1} <= set(pod.players) for pod in result.pods)


def test_those_who_sat_at_a_smaller_table_sit_at_a_larger_one() -> None:
    entrants, small = [Entrant(at) for at in range(7)], {0: 1, 1: 1, 2: 1}
    result = seat_round(entrants, PodHistory(), seed=1, small_seats=small, **FREE_FOR_ALL)
    assert not {0, 1, 2} & set(next(pod.players for pod in result.pods if len(pod.players) == 3))


@pytest.mark.parametrize("count", [25, 64])
def test_search_seats_everyone_and_its_bound_holds(count: int) -> None:
    rng, history = random.Random(count), PodHistory()
    scores = dict.fromkeys(range(count), 0)
    for number in range(3):
        entrants = [Entrant(at, score) for at, score in scores.items()]
        result = seat_round(entrants, history, seed=number, **FREE_FOR_ALL)
        _check_whole(result, entrants, FREE_FOR_ALL)
        assert result.certificate.lower_bound <= result.cost
        assert result.cost.repeats == 0
        history.add_round(pod.players for pod in result.pods)
        for pod in result.pods:
            scores[rng.choice(pod.players)] += 3


def test_search_is_as_good_as_all_seatings_or_says_that_it_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    for seed in range(6):
        entrants, history = _situation(rng, 8, FREE_FOR_ALL)
        exact = seat_round(entrants, history, seed=seed, **FREE_FOR_ALL)
        with monkeypatch.context() as patch:
            patch.setattr(seating, "MOST_EXHAUSTIVE", 0)
            found_seating = seat_round(entrants, history, seed=seed, **FREE_FOR_ALL)
        assert found_seating.certificate.lower_bound <= exact.cost <= found_seating.cost
        assert not found_seating.certificate.is_proved or found_seating.cost == exact.cost


def test_too_few_and_doubled_entrants_are_refused() -> None:
    with pytest.raises(PairingError):
        seat_round([Entrant(1), Entrant(2)], PodHistory(), seed=1, **FREE_FOR_ALL)
    with pytest.raises(PairingError):
        seat_round([Entrant(1), Entrant(1), Entrant(2)], PodHistory(), seed=1, **FREE_FOR_ALL)


def test_cost_compares_by_its_first_difference() -> None:
    one = PodCost(0, (0, 0, 1, 0), 0, 0, 0, 0, 0)
    assert one > PodCost(0, (0, 0, 0, 9), 9, 9, 9, 9, 9)
