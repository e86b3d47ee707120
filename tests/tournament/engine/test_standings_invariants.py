"""Invariants of standings.

These are the oracle's values, the order, and changes that must not matter.
"""

from __future__ import annotations

import random
from fractions import Fraction as Q
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tests import machine
from tests.everyday import each_case
from tests.tournament.engine.events import random_event
from tests.tournament.engine.standings_oracle import Oracle
from tests.tournament.engine.words import explain_value
from tournament.engine.records import Event, Match, Result
from tournament.engine.seeded_random import draw_random_numbers
from tournament.engine.standings.explanation import explain_values
from tournament.engine.standings.standing import StandingRow, compute_standings
from tournament.engine.standings.systems.custom import TIEBREAKER_CHOICES, own_system
from tournament.engine.standings.systems.loading import load_system, parse_system, system_names
from tournament.engine.standings.systems.system import System
from tournament.engine.standings.tiebreakers import MODULES

PLAIN = parse_system({"tiebreakers": [{"kind": "buchholz"}, {"kind": "sosos"}, {"kind": "sonneborn_berger"}]})
SYSTEMS = [load_system(name) for name in system_names()]

events = st.builds(
    lambda seed, players, rounds: random_event(random.Random(seed), players, rounds),
    st.integers(0, 2**32),
    st.integers(0, 9),
    st.integers(0, 5),
)
systems = st.sampled_from(SYSTEMS)


def facts(rows: tuple[StandingRow, ...]) -> list[tuple[object, ...]]:
    return [row.facts() for row in rows]


@settings(max_examples=machine.examples(5), deadline=None)
@given(events)
def test_values_are_those_of_the_oracle(event: Event) -> None:
    oracle = Oracle(event)
    third = Q(1, 3)
    for row in compute_standings(event, load_system("ufs")):
        player = row.player
        expected_values = (
            oracle.omw(player, third, False),
            oracle.game_win(player, Q(0), False),
            oracle.ogw(player, Q(0), False),
        )
        assert (row.points, row.values[:3]) == (oracle.points(player), expected_values)
    for row in compute_standings(event, load_system("magic")):
        player, floor = row.player, Q(33, 100)
        assert row.values == (
            oracle.omw(player, floor, True),
            oracle.game_win(player, Q(0), True),
            oracle.ogw(player, floor, True),
        )
    for row in compute_standings(event, PLAIN):
        assert row.values == (oracle.sos(row.player), oracle.sosos(row.player), oracle.sodos(row.player))


BOARDS = parse_system(
    {
        "tiebreakers": [{"kind": kind} for kind in MODULES["boards"]]
        + [{"kind": "board_win", "key": "played", "byes": "ignored"}]
    }
)


@settings(max_examples=machine.examples(5), deadline=None)
@given(events)
def test_values_of_boards_are_those_of_the_oracle(event: Event) -> None:
    oracle = Oracle(event)
    for row in compute_standings(event, BOARDS):
        player, opponents = row.player, oracle.opponents(row.player)
        assert row.values == (
            oracle.board_points(player),
            oracle.board_win(player, True),
            sum(map(oracle.board_points, opponents), Q(0)),
            oracle.mean([oracle.board_win(other, True) for other in opponents]),
            oracle.board_win(player, False),
        )


@settings(max_examples=machine.examples(5), deadline=None)
@given(events)
def test_values_of_go_carrom_and_netrunner_are_those_of_the_oracle(event: Event) -> None:
    go, carrom = Oracle(event, Q(1), Q(1, 2)), Oracle(event, Q(2), Q(1))
    netrunner = Oracle(event, Q(6), Q(3), by_games=True)
    for row in compute_standings(event, load_system("go")):
        player = row.player
        assert (row.points, *row.values) == (go.points(player), go.sos(player), go.sosos_with_the_bye(player))
        assert row.shown_scores == (go.sodos(player),)
    for row in compute_standings(event, load_system("carrom")):
        player, (wins, losses) = row.player, carrom.games(row.player)
        assert (row.points, *row.values) == (carrom.points(player), carrom.sos(player), wins - losses, wins)
    for row in compute_standings(event, load_system("netrunner")):
        player = row.player
        assert (row.points, *row.values) == (
            netrunner.points(player),
            netrunner.mean_sos(player),
            netrunner.mean_esos(player),
        )


@settings(max_examples=machine.examples(5), deadline=None)
@given(events, systems, st.randoms())
def test_the_order_of_players_matches_and_sides_does_not_matter(event: Event, system: System, dice) -> None:
    assert facts(compute_standings(shuffle_event(event, dice), system)) == facts(
        compute_standings(event, system)
    )


def shuffle_event(event: Event, dice: random.Random) -> Event:
    rounds = tuple(
        tuple(swap_sides(m, dice) for m in dice.sample(matches, len(matches))) for matches in event.rounds
    )
    return event._replace(players=tuple(dice.sample(event.players, len(event.players))), rounds=rounds)


def swap_sides(match: Match, dice: random.Random) -> Match:
    if match.p2 is None or dice.random() < 0.5:
        return match
    other = {Result.P1: Result.P2, Result.P2: Result.P1}
    return match._replace(
        p1=match.p2,
        p2=match.p1,
        p1_games=match.p2_games,
        p2_games=match.p1_games,
        result=other.get(match.result, match.result),
    )


@settings(max_examples=machine.examples(5), deadline=None)
@given(events, systems, st.integers(0, 5))
def test_a_past_round_is_what_it_was(event: Event, system: System, number: int) -> None:
    drops = {player: last for player, last in event.drops.items() if last <= number}
    then = event._replace(rounds=event.rounds[:number], drops=drops)
    assert facts(compute_standings(event, system, after_round=number)) == facts(
        compute_standings(then, system)
    )


@settings(max_examples=machine.examples(5), deadline=None)
@given(events, systems)
def test_ranks_follow_points_and_values_and_equal_is_shared(event: Event, system: System) -> None:
    rows = compute_standings(event, system)
    assert sorted(row.player for row in rows) == [player.id for player in event.players]
    places: dict[int, list[StandingRow]] = {}
    for row in rows:
        places.setdefault(row.rank, []).append(row)
    keys = [(row.points, *row.values) for row in rows]
    assert keys == sorted(keys, reverse=True)
    for rank, level in places.items():
        assert rank == 1 + sum(len(others) for better, others in places.items() if better < rank)
        assert {(row.points, row.values) for row in level} == {(level[0].points, level[0].values)}
        assert all(row.is_shared == (len(level) > 1) for row in level)


@settings(max_examples=machine.examples(5), deadline=None)
@given(events, systems)
def test_every_explanation_adds_up_to_the_value(event: Event, system: System) -> None:
    rows = compute_standings(event, system)
    for row in rows[:3]:
        pairs = zip(
            (*system.tiebreakers, *system.extra_tiebreakers), (*row.values, *row.shown_scores), strict=True
        )
        for tiebreaker, value in pairs:
            explanation = explain_value(event, system, row.player, tiebreaker.key)
            if tiebreaker.kind_name != "lot":
                assert explanation.value == explanation.combined_value == value
        assert explain_value(event, system, row.player, "points").combined_value == row.points


@settings(max_examples=machine.examples(4), deadline=None)
@given(events, st.integers(0, 10**6))
def test_lots_separate_all_who_are_level_and_change_nothing_else(event: Event, seed: int) -> None:
    system = load_system("ufs")
    lots = draw_random_numbers((player.id for player in event.players), seed)
    drawn_rows, plain = compute_standings(event, system, lots=lots), compute_standings(event, system)
    assert [row.rank for row in drawn_rows] == list(range(1, len(drawn_rows) + 1))
    by_player = {row.player: row for row in plain}
    for better, worse in pairwise(drawn_rows):
        one, two = by_player[better.player], by_player[worse.player]
        assert one.rank < two.rank or (one.rank == two.rank and lots[better.player] < lots[worse.player])


@each_case("system", SYSTEMS)
def test_no_value_is_a_float(system: System) -> None:
    for row in compute_standings(random_event(random.Random(4), 12, 6), system):
        assert {type(value) for value in (row.points, *row.values, *row.shown_scores)} <= {int, Q}


def test_lots_are_the_same_everywhere_and_late_players_keep_the_order_of_the_others() -> None:
    assert draw_random_numbers((1, 2, 3, 4, 5), 7) == {4: 1, 3: 2, 2: 3, 1: 4, 5: 5}
    more = draw_random_numbers(range(1, 50), 7)
    assert sorted((1, 2, 3, 4, 5), key=more.__getitem__) == [4, 3, 2, 1, 5]


def test_shared_ranks_stand_in_the_order_of_their_lots() -> None:
    event = random_event(random.Random(0), 6, 0)
    lots = {1: 3, 2: 6, 3: 1, 4: 2, 5: 5, 6: 4}
    rows = compute_standings(event, load_system("magic"), lots=lots)
    assert [(row.rank, row.player) for row in rows] == [(1, 3), (1, 4), (1, 1), (1, 6), (1, 5), (1, 2)]


EVERY_KIND = [
    own_system({"tiebreakers": [choice.entry() for choice in part]})
    for part in (TIEBREAKER_CHOICES[:13], TIEBREAKER_CHOICES[13:26], TIEBREAKER_CHOICES[26:])
]


@settings(max_examples=machine.examples(3), deadline=None)
@given(events, st.sampled_from(EVERY_KIND), st.integers(0, 5))
def test_the_arithmetic_of_every_tiebreaker_adds_up_after_every_round(
    event: Event, system: System, number: int
) -> None:
    lots = draw_random_numbers((player.id for player in event.players), 3)
    for row in compute_standings(event, system, after_round=number, lots=lots)[:3]:
        explanations = explain_values(event, system, row.player, after_round=number, lots=lots)
        assert [each.value for each in explanations] == [row.points, *row.values]
        for each in explanations:
            floor = (
                each.tiebreaker.params.get("floor", 0) if each.combine == "quotient" else each.combined_value
            )
            assert max(each.combined_value, floor) == each.value, each.tiebreaker.key
