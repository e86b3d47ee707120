"""With numpy, standings are faster, and the same to the last digit and type."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple
from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import machine
from tests.everyday import each_case
from tests.tournament.engine.events import random_event
from tournament.engine.problems import EngineError
from tournament.engine.records import Event, Match, Player, Result
from tournament.engine.standings import arrays
from tournament.engine.standings.arrays import Limbs
from tournament.engine.standings.explanation import explain_values
from tournament.engine.standings.standing import StandingRow, compute_standings
from tournament.engine.standings.systems.custom import TIEBREAKER_CHOICES, own_system
from tournament.engine.standings.systems.loading import load_system
from tournament.engine.standings.systems.system import System

needs_numpy = pytest.mark.skipif(not arrays.is_installed, reason="numpy (the extra “fast”) is not installed")
SHIPPED = [load_system(name) for name in ("ufs", "magic", "netrunner", "go", "carrom", "fide")]
CHOICES = {
    "floor": ["0", "1/3", "33/100", "997/1000", "1"],
    "cut_low": [0, 1, 2, 3],
    "cut_high": [0, 1, 2],
    "byes": ["counted", "ignored"],
    "per": ["points", "round"],
    "year": [2024, 2026],
    "drawn_games": [0, 1],
}
POINTS = ("draw", "loss", "bye", "double_loss", "unopposed", "game_win", "game_draw")


@contextmanager
def arrays_from(seats: int) -> Iterator[None]:
    fewest_seats, arrays.FEWEST_SEATS = arrays.FEWEST_SEATS, seats
    try:
        yield
    finally:
        arrays.FEWEST_SEATS = fewest_seats


def by_both(
    event: Event, system: System, lots: dict[int, int] | None = None
) -> tuple[list[StandingRow], list[StandingRow]]:
    with arrays_from(0):
        fast = list(compute_standings(event, system, lots=lots))
    with arrays_from(10**9):
        return fast, list(compute_standings(event, system, lots=lots))


def list_typed_values(row: StandingRow) -> list[tuple[object, type]]:
    """Return all values of a row, each with its type.

    1, True and a numpy number are not the same.
    """
    row_facts = (
        *row[:5],
        *row.values,
        *row.shown_scores,
        *astuple(row.record),
        row.ranking_data.byes[row.row],
    )
    return [(each, type(each)) for each in row_facts]


def assert_same(event: Event, system: System, lots: dict[int, int] | None = None) -> bool:
    """Return whether arrays were used at all."""
    fast, slow = by_both(event, system, lots)
    assert [list_typed_values(row) for row in fast] == [list_typed_values(row) for row in slow]
    return bool(fast) and fast[0].ranking_data.table.arrays is not None


def random_system(dice: random.Random) -> System:
    entries = []
    for choice in dice.sample(TIEBREAKER_CHOICES, dice.randrange(1, 6)):
        entry = choice.entry()
        entries.append(entry | {key: dice.choice(CHOICES[key]) for key in entry if key in CHOICES})
    worth = {key: str(Q(dice.randrange(4), dice.choice([1, 2, 3]))) for key in dice.sample(POINTS, 3)}
    win = str(dice.choice([1, 3, Q(7, 3), 1000, Q(1, 97)]))
    return own_system({"points": worth | {"win": win}, "tiebreakers": entries})


def unusual(event: Event, dice: random.Random) -> Event:
    """Return an event with unusual matches.

    Some have scores written on them, some are still running, and some have many games.
    """

    def change(m: Match) -> Match:
        lot = dice.random()
        if m.p2 is None or lot > 0.3:
            return m
        if lot < 0.1:
            return m._replace(
                p1_score=dice.choice([0, 25, Q(1, 2)]), p2_score=dice.choice([7, Q(1, 3), None])
            )
        if lot < 0.15:
            return Match(m.p1, m.p2)
        return m._replace(p1_games=dice.randrange(40), p2_games=dice.randrange(40), draws=dice.randrange(9))

    return event._replace(rounds=tuple(tuple(map(change, matches)) for matches in event.rounds))


seeds = st.integers(0, 2**32)


@needs_numpy
@settings(max_examples=machine.examples(5), deadline=None)
@given(seeds, st.integers(0, 11), st.integers(0, 6), st.sampled_from(SHIPPED))
def test_shipped_systems_give_the_same_rows(seed: int, players: int, rounds: int, system: System) -> None:
    dice = random.Random(seed)
    event = random_event(dice, players, rounds)
    lots = {player.id: dice.randrange(4) for player in event.players} if seed % 2 else None
    assert_same(event, system, lots)


@needs_numpy
@settings(max_examples=machine.examples(8), deadline=None)
@given(seeds)
def test_systems_of_ones_own_give_the_same_rows(seed: int) -> None:
    dice = random.Random(seed)
    event = unusual(random_event(dice, dice.randrange(13), dice.choice([1, 4, 9])), dice)
    assert_same(event, random_system(dice))


@needs_numpy
@each_case("system", SHIPPED)
def test_denominators_beyond_a_machine_word_stay_exact(system: System) -> None:
    dice = random.Random(5)
    event = unusual(random_event(dice, 30, 40), dice)
    assert assert_same(event, system)


@needs_numpy
def test_numbers_too_large_for_arrays_are_left_to_lists() -> None:
    dice = random.Random(6)
    event = random_event(dice, 8, 3, late=False)
    for huge in (1 << 17, 1 << 70):
        first = event.rounds[0][0]._replace(p1_score=huge, p2_score=0, result=Result.P1, forfeit=False)
        odd = event._replace(rounds=((first, *event.rounds[0][1:]), *event.rounds[1:]))
        assert not assert_same(odd, load_system("ufs"))
    assert assert_same(event, load_system("ufs"))
    assert assert_same(event, load_system("magic", floor="99999/300001"))


@needs_numpy
def test_a_large_event_is_reckoned_over_arrays_without_being_asked() -> None:
    event = random_event(random.Random(7), arrays.FEWEST_SEATS // 5, 5)
    fast = compute_standings(event, load_system("ufs"))
    assert fast[0].ranking_data.table.arrays is not None
    with arrays_from(10**9):
        assert [row.facts() for row in compute_standings(event, load_system("ufs"))] == [
            r.facts() for r in fast
        ]


@needs_numpy
def test_the_arithmetic_behind_a_value_is_shown_in_the_same_words() -> None:
    event, system = random_event(random.Random(8), 9, 6), load_system("fide")
    with arrays_from(0):
        fast = [explain_values(event, system, player.id) for player in event.players]
    assert fast == [explain_values(event, system, player.id) for player in event.players]


@needs_numpy
@each_case(
    ("matches", "sentence"),
    [
        ((Match(1, 9, Result.P1),), "round 1, match 1: Player 9 is not entered."),
        ((Match(0, 3, Result.P1),), "round 1, match 1: Player 0 is not entered."),
        ((Match(1, 4, Result.P1),), "round 1, match 1: Player 4 is not entered."),
        ((Match(1, None, Result.P1),), 'round 1, match 1: The result "p1" needs a second player.'),
        ((Match(1, 2, Result.P1), Match(2, 3, Result.P1)), "round 1: Player 2 is in 2 matches."),
        ((Match(1, 1, Result.P1),), "round 1, match 1: Player 1 is on both sides of the match."),
        ((Match(1, 2, Result.BYE),), 'round 1, match 1: The result "bye" needs no second player.'),
    ],
)
def test_faults_of_an_event_are_the_same_faults(matches: tuple[Match, ...], sentence: str) -> None:
    event = Event(tuple(map(Player, (1, 2, 3, 5))), (matches,))
    for seats in (0, 10**9):
        with arrays_from(seats), pytest.raises(EngineError) as fault:
            compute_standings(event, load_system("ufs"))
        assert [str(problem) for problem in fault.value.problems] == [sentence]


@needs_numpy
@pytest.mark.parametrize("seats", [0, 10**9])
def test_standings_of_a_player_entered_twice_are_refused(seats: int) -> None:
    event = Event(tuple(map(Player, (1, 2, 3, 3))), ((Match(1, 2, Result.P1), Match(3, None, Result.BYE)),))
    with arrays_from(seats), pytest.raises(EngineError) as fault:
        compute_standings(event, load_system("ufs"))
    assert [problem.code for problem in fault.value.problems] == ["player-twice"]


@needs_numpy
@each_case("distance", [1, 10**6, 1 << 62])
def test_players_are_found_however_far_apart_their_ids_are(distance: int) -> None:
    event = random_event(random.Random(10), 9, 4)

    def move(match: Match) -> Match:
        return match._replace(p1=match.p1 * distance, p2=None if match.p2 is None else match.p2 * distance)

    moved_event = event._replace(
        players=tuple(Player(player.id * distance) for player in event.players),
        rounds=tuple(tuple(map(move, matches)) for matches in event.rounds),
        drops={player * distance: last for player, last in event.drops.items()},
    )
    assert assert_same(moved_event, load_system("magic"))


@needs_numpy
def test_columns_of_a_hundred_rounds_are_added_without_running_over() -> None:
    games = (Match(1, 2, Result.P1, 200, 90, 3), Match(3, 4, Result.DRAW, 2, 2))
    event = Event(tuple(map(Player, (1, 2, 3, 4))), (games,) * 100)
    assert assert_same(event, load_system("carrom"))
    rows = {row.player: row for row in compute_standings(event, load_system("carrom"))}
    assert [rows[player].values for player in (1, 2, 3)] == [
        (0, 11000, 20000),
        (20000, -11000, 9000),
        (10000, 0, 200),
    ]


def test_without_numpy_every_event_is_reckoned_over_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "is_installed", False)
    with arrays_from(0):
        rows = compute_standings(random_event(random.Random(9), 6, 3), load_system("ufs"))
    assert rows[0].ranking_data.table.arrays is None


# -- whole numbers of any size


numbers = st.lists(st.integers(0, 2**100), min_size=1, max_size=6)


def limbs_of(values: list[int]) -> Limbs:
    """Return the numbers as limbs, and no one's 0 behind them."""
    np = arrays.np
    rows = [*values, 0]
    return Limbs([np.array([n >> at * arrays.BITS & arrays.MASK for n in rows], np.int64) for at in range(4)])


@needs_numpy
@settings(max_examples=machine.examples(5), deadline=None)
@given(numbers, st.lists(st.integers(0, 2**90), min_size=6, max_size=6))
def test_limbs_are_multiplied_as_whole_numbers_are(values: list[int], factors: list[int]) -> None:
    places = [at % 6 for at in range(len(values))]
    product = limbs_of(values).times(factors, arrays.np.array([*places, 0]))
    assert list(product) == [n * factors[at] for n, at in zip(values, places, strict=True)]
    assert [product[at] for at in range(len(product))] == list(product)


@needs_numpy
@settings(max_examples=machine.examples(5), deadline=None)
@given(numbers, st.integers(0, 2**130))
def test_limbs_are_replaced_and_stay_in_order(values: list[int], number: int) -> None:
    np = arrays.np
    mixed_limbs = limbs_of(values).replace_at(
        np.array([at % 2 == 0 for at in range(len(values) + 1)]), number
    )
    expected_numbers = [n if at % 2 else number for at, n in enumerate(values)]
    assert list(mixed_limbs) == expected_numbers
    order, _, _ = arrays.in_order(arrays.machine_words(mixed_limbs), range(len(values)))
    assert order == sorted(range(len(values)), key=expected_numbers.__getitem__, reverse=True)


@needs_numpy
@settings(max_examples=machine.examples(5), deadline=None)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 2**61), st.integers(0, 2)), max_size=12))
def test_rows_stand_by_their_keys_one_after_another_and_share_ranks(rows: list[tuple[int, int, int]]) -> None:
    keys = [arrays.np.array([row[at] for row in rows], arrays.np.int64) for at in range(3)]
    order, ranks, shared_ranks = arrays.in_order(keys, range(len(rows)))
    assert order == sorted(range(len(rows)), key=rows.__getitem__, reverse=True)
    assert ranks == [1 + sum(other > rows[at] for other in rows) for at in order]
    assert shared_ranks == [rows.count(rows[at]) > 1 for at in order]
