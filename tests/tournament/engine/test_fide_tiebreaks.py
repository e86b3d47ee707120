"""FIDE C.07: unplayed rounds in Buchholz and Sonneborn-Berger.

The regulations of 2024 and of 2026 are covered.
"""

from __future__ import annotations

import random
from fractions import Fraction as Q

import pytest

from tests import machine
from tests.tournament.engine.events import event, random_event
from tests.tournament.engine.fide_oracle import FideOracle
from tests.tournament.engine.words import explain_value
from tournament.engine.records import Event, Match, Player, Result
from tournament.engine.standings.standing import compute_standings
from tournament.engine.standings.systems.loading import load_system, parse_system

HALF = Q(1, 2)


def chess(
    rounds: list[list[Match]], players: int, kind: str = "fide_buchholz", **params: object
) -> list[object]:
    """Return the one tiebreaker of every player, in the order of the ids."""
    points = {"win": 1, "draw": "1/2", "bye": 1}
    system = parse_system({"points": points, "tiebreakers": [{"kind": kind, **params}]})
    whole = Event(tuple(Player(n) for n in range(1, players + 1)), tuple(map(tuple, rounds)))
    rows = {row.player: row.values[0] for row in compute_standings(whole, system)}
    return [rows[player] for player in sorted(rows)]


def win(one: int, two: int, *, forfeit: bool = False) -> Match:
    return Match(one, two, Result.P1, 1, 0, forfeit=forfeit)


def bye(player: int, kind: str | None = None, points: Q | int | None = None) -> Match:
    return Match(player, None, Result.BYE, bye_type=kind, bye_points=points)


def test_without_unplayed_rounds_it_is_the_plain_sum() -> None:
    rounds = [[win(1, 2), win(3, 4)], [win(1, 3), win(2, 4)], [win(1, 4), win(3, 2)]]
    assert chess(rounds, 4) == [1 + 2 + 0, 3 + 0 + 2, 0 + 3 + 1, 2 + 1 + 3]
    assert chess(rounds, 4, "fide_sonneborn_berger") == [3, 0, 1, 0]


@pytest.mark.parametrize(("year", "own"), [(2024, 3), (2026, Q(3, 2))])
def test_a_bye_is_played_against_a_dummy_that_2026_holds_at_draws(year: int, own: object) -> None:
    rounds = [[bye(1), win(2, 3)], [win(1, 2), win(3, 4)], [win(1, 3), win(2, 4)]]
    # 1 has three points, met 2 (two) and 3 (one), and the dummy; 4 was absent in round one.
    assert chess(rounds, 4, year=year)[0] == 2 + 1 + own


@pytest.mark.parametrize(("year", "dummy"), [(2024, 2), (2026, 1)])
def test_a_forfeit_is_reckoned_against_a_dummy_that_2026_holds_at_the_paired_opponent(
    year: int, dummy: int
) -> None:
    rounds = [[win(1, 2, forfeit=True), win(3, 4)], [win(1, 3), win(2, 4)]]
    # 1 won once by forfeit against 2, who ended on one point
    assert chess(rounds, 4, year=year)[0] == dummy + 1


def test_rounds_left_out_after_leaving_count_as_draws_for_the_opponents() -> None:
    rounds = [[win(1, 2), win(3, 4)], [win(1, 3)], [win(1, 4)]]
    # 2 lost round one and never came back: 0 + 1/2 + 1/2
    assert chess(rounds, 4, year=2024)[0] == 1 + (1 + HALF) + 0


def test_a_round_that_is_not_paired_yet_is_missed_by_no_player() -> None:
    rounds = [[win(1, 2), win(3, 4)], [bye(1), win(2, 3)]]
    for year in (2024, 2026):
        assert chess([*rounds, []], 4, year=year) == chess(rounds, 4, year=year)
    assert chess([[]], 2) == [0, 0]


def test_rounds_left_out_before_coming_back_count_as_they_were() -> None:
    rounds = [[win(1, 2), win(3, 4)], [win(1, 3)], [win(2, 4)]]
    # 2 missed round two but won round three; 3 left after it
    assert chess(rounds, 4, year=2024)[0] == 1 + (1 + HALF) + 2


def test_a_forfeit_loss_counts_as_it_was_even_after_the_last_game() -> None:
    rounds = [[win(1, 2), win(3, 4)], [win(3, 2, forfeit=True), win(1, 4)]]
    assert chess(rounds, 4, year=2024)[0] == 0 + 0


def test_a_late_half_point_bye_is_a_draw_and_an_allocated_bye_is_what_it_was() -> None:
    half = [[win(1, 2), win(3, 4)], [bye(2, "H", HALF), win(1, 3)]]
    full = [[win(1, 2), win(3, 4)], [bye(2, "U", 1), win(1, 3)]]
    assert chess(half, 4, year=2024)[0] == HALF + 1
    assert chess(full, 4, year=2024)[0] == 1 + 1


def test_a_cut_takes_a_round_left_out_before_a_lower_played_one() -> None:
    rounds = [[win(1, 2), win(3, 4)], [win(1, 4), win(3, 2)], [bye(1, "half", HALF), win(3, 5)]]
    # 1 has 5/2; its half-point bye (5/2 in 2024) goes first although 2 and 4 ended on nothing but draws
    assert chess(rounds, 5, year=2024, cut_low=1)[0] == chess(rounds, 5, year=2024)[0] - Q(5, 2)
    assert chess(rounds, 5, year=2024, cut_low=2)[0] == HALF


def test_between_equal_contributions_the_round_left_out_is_cut() -> None:
    rounds = [[win(1, 2), win(3, 4)], [bye(1, "half", Q(0)), win(2, 3)], [win(4, 1), win(2, 3)]]
    points = {"win": 1, "draw": "1/2", "bye": 1}
    system = parse_system(
        {"points": points, "tiebreakers": [{"kind": "fide_sonneborn_berger", "cut_low": 1}]}
    )
    played_event = Event(tuple(map(Player, (1, 2, 3, 4))), tuple(map(tuple, rounds)))
    explanation = explain_value(played_event, system, 1, "fide_sonneborn_berger")
    # the lost game and the round left out both bring nothing
    assert [(term.round, term.value, term.is_counted) for term in explanation.terms] == [
        (1, 2, True),
        (2, 0, False),
        (3, 0, True),
    ]


def test_a_cut_of_a_bye_that_was_allocated_follows_the_value() -> None:
    rounds = [[bye(1), win(2, 3)], [win(1, 2), win(3, 4)]]
    assert chess(rounds, 4, year=2024, cut_low=1)[0] == 2
    assert chess(rounds, 4, year=2024, cut_low=1, cut_high=1)[0] == 0


def test_sonneborn_berger_weighs_the_dummy_with_the_points_of_the_round() -> None:
    rounds = [[bye(1, "H", HALF), win(2, 3)], [win(1, 2), win(3, 4)]]
    # 1 has 3/2: half of itself as the dummy, and 2 (one point) beaten
    assert chess(rounds, 4, "fide_sonneborn_berger", year=2024)[0] == HALF * Q(3, 2) + 1
    assert chess(rounds, 4, "fide_sonneborn_berger", year=2026)[0] == HALF * 1 + 1


def test_sonneborn_berger_keeps_a_left_out_round_that_is_worth_more_than_the_lowest() -> None:
    rounds = [[win(1, 2), win(3, 4)], [bye(1, "half", HALF), win(3, 2)], [win(4, 1), win(3, 5)]]
    # 2 ends on 1/2 (absent last), 4 on 1: terms 1/2, 3/4, 0; the least opponent's score belongs to the win
    whole = chess(rounds, 5, "fide_sonneborn_berger", year=2024)[0]
    assert whole == HALF + Q(3, 4) + 0
    assert chess(rounds, 5, "fide_sonneborn_berger", year=2024, cut_low=1)[0] == HALF


def test_an_unopposed_forfeit_keeps_its_nothing_and_an_unopposed_absence_becomes_a_draw() -> None:
    def score_after_end(kind: str | None) -> object:
        lost_match = Match(2, None, Result.LOSS_NO_OPPONENT, bye_type=kind)
        return chess([[win(1, 2), win(3, 4)], [lost_match, win(1, 3)]], 4, year=2024)[0]

    assert (score_after_end("forfeit_loss"), score_after_end("-"), score_after_end(None)) == (
        0 + 1,
        0 + 1,
        HALF + 1,
    )


def test_the_shipped_system_lists_the_cut_first_and_knows_both_years() -> None:
    played_event = event("1 bye, 2-3 1:0", "1-2 1:0, 3-4 1:0", "1-3 1:0, 2-4 1:0")
    rows = {year: compute_standings(played_event, load_system("fide", year=year))[0] for year in (2024, 2026)}
    assert [key.key for key in load_system("fide").tiebreakers][:2] == ["buchholz_cut1", "buchholz"]
    assert rows[2024].values[:2] == (5, 6)
    assert rows[2026].values[:2] == (Q(7, 2), Q(9, 2))


LISTED = [
    {"kind": "fide_buchholz", "key": f"bh{low}{high}", "cut_low": low, "cut_high": high}
    for low, high in ((0, 0), (1, 0), (2, 0), (1, 1), (2, 2), (0, 1), (9, 9))
]


@pytest.mark.parametrize("year", [2024, 2026])
def test_values_of_random_events_are_those_of_the_second_reading(year: int) -> None:
    entries = [{**entry, "year": year} for entry in [*LISTED, {"kind": "fide_sonneborn_berger"}]]
    system = parse_system({"points": {"win": 1, "draw": "1/2", "bye": 1}, "tiebreakers": entries})
    for seed in range(machine.examples(12)):
        dice = random.Random(seed)
        played_event = random_event(dice, dice.randrange(2, 11), dice.randrange(1, 7))
        oracle = FideOracle(played_event, year)
        for row in compute_standings(played_event, system):
            cuts = [oracle.buchholz(row.player, entry["cut_low"], entry["cut_high"]) for entry in LISTED]
            assert row.values == (*cuts, oracle.sonneborn_berger(row.player)), (seed, row.player)
