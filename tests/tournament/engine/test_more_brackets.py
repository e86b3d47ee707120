"""Consolation brackets, a single grand final, and groups of four.

The groups are by double elimination.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rules import rendering
from tests.everyday import each_case, each_nth
from tests.tournament.engine.test_brackets import decide_all
from tests.tournament.engine.test_engine_commands import answer, run
from tests.tournament.engine.words import say
from tournament.engine.brackets.groups_of_four import build_elimination_groups
from tournament.engine.brackets.layout import Bracket, build_bracket
from tournament.engine.brackets.playing import BracketState, correct_result, play_bracket
from tournament.engine.problems import EngineError

WITH_CONSOLATION = [size for size in range(6, 65) if size not in (9, 17, 33)]


def play_at_random(bracket: Bracket, seed: int) -> BracketState:
    dice = random.Random(seed)
    winners: dict[int, int] = {}
    while ready := play_bracket(bracket, winners).ready_matches:
        match = dice.choice(ready)
        winners[match.id] = dice.choice(match.pair)
    return play_bracket(bracket, winners)


def defeats_of(state: BracketState) -> Counter[int]:
    return Counter(match.loser for match in state.matches if match.loser)


# -- consolation


@each_case("size", each_nth(31, WITH_CONSOLATION))
def test_those_beaten_in_round_one_play_on_until_they_are_beaten_again(size: int) -> None:
    bracket = build_bracket("single", size, consolation=True)
    first = [match for match in bracket.matches if match.side == "W" and match.round == 1]
    assert len(bracket.matches) == size - 1 + len(first) - 1
    state = play_at_random(bracket, size)
    beaten_players = {state.match(match.id).loser for match in first}
    defeats = defeats_of(state)
    twice = {seed for seed, times in defeats.items() if times == 2}
    assert twice < beaten_players
    assert len(beaten_players - twice) == 1
    assert [final.place for final in state.places] == list(range(1, size + 1))
    assert {final.seed for final in state.places[-len(beaten_players) :]} == beaten_players
    [best] = beaten_players - twice
    assert state.places[-len(beaten_players)].seed == best


def test_consolation_of_eight() -> None:
    bracket = build_bracket("single", 8, consolation=True)
    ways = [(m.id, m.side, m.round, m.winner_to, m.loser_to) for m in bracket.matches]
    assert ways == [
        (1, "W", 1, 7, 5),
        (2, "W", 1, 7, 5),
        (3, "W", 1, 8, 6),
        (4, "W", 1, 8, 6),
        (5, "C", 1, 9, None),
        (6, "C", 1, 9, None),
        (7, "W", 2, 10, None),
        (8, "W", 2, 10, None),
        (9, "C", 2, None, None),
        (10, "W", 3, None, None),
    ]
    assert say(play_bracket(bracket, {}).match(9).why) == (
        "Consolation bracket, round 2: winner of match 5 vs. winner of match 6"
    )


def test_third_place_and_consolation_go_together() -> None:
    bracket = build_bracket("single", 8, True, consolation=True)
    assert Counter(match.side for match in bracket.matches) == {"W": 7, "C": 3, "3P": 1}
    state = play_at_random(bracket, 3)
    assert [(final.place, final.level) for final in state.places] == [
        (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 7),
    ]  # fmt: skip


# -- one grand final


@each_case("size", [2, 3, 4, 5, 8, 11, 16, pytest.param(33, marks=pytest.mark.whole("smaller fields"))])
def test_without_a_reset_the_first_grand_final_decides(size: int) -> None:
    bracket = build_bracket("double", size, reset=False)
    assert len(bracket.matches) == 2 * size - 2
    assert not any(match.if_needed for match in bracket.matches)
    for seed in range(6):
        state = play_at_random(bracket, seed)
        last = state.matches[-1]
        assert (last.side, state.champion) == ("GF", last.winner)
        assert [final.place for final in state.places] == list(range(1, size + 1))
        assert [state.places[0].seed, state.places[1].seed] == [last.winner, last.loser]


def test_open_grand_final_without_a_reset_has_no_champion() -> None:
    bracket = build_bracket("double", 4, reset=False)
    winners = decide_all(bracket, min)
    assert (
        play_bracket(bracket, {k: v for k, v in winners.items() if k != len(bracket.matches)}).champion
        is None
    )


# -- groups


def test_group_of_four_is_five_matches() -> None:
    bracket = build_bracket("group", 4)
    ways = [(m.side, m.round, m.p1, m.p2, m.winner_to, m.loser_to) for m in bracket.matches]
    assert ways == [
        ("W", 1, 1, 4, 3, 4),
        ("W", 1, 2, 3, 3, 4),
        ("W", 2, None, None, None, 5),
        ("L", 1, None, None, 5, None),
        ("L", 2, None, None, None, None),
    ]
    names = [say(match.why).partition(":")[0] for match in play_bracket(bracket, {}).matches]
    assert names == ["opening match"] * 2 + [
        *(rendering.say("reason", f"group_{each}") for each in ("winners", "losers")), "deciding match"
    ]  # fmt: skip


@pytest.mark.parametrize("size", [3, 4])
def test_two_of_a_group_qualify_after_two_wins_and_the_others_have_lost_twice(size: int) -> None:
    bracket = build_bracket("group", size)
    for seed in range(20):
        state = play_at_random(bracket, seed)
        defeats = defeats_of(state)
        first, second, *others = [final.seed for final in state.places]
        assert (state.champion, defeats[first]) == (first, 0)
        assert defeats[second] == 1
        assert all(defeats[other] == 2 for other in others)
        assert [final.level for final in state.places] == list(range(1, size + 1))


def test_corrected_opening_match_of_a_group_makes_later_ones_fall() -> None:
    bracket = build_bracket("group", 4)
    corrected_bracket = correct_result(bracket, {1: 1, 2: 2, 3: 1, 4: 3, 5: 2}, 1, 4)
    assert corrected_bracket.invalid_results == (3, 4, 5)


@each_case("entrants", [3, 4, 6, 7, 8, *range(9, 66)])
def test_groups_have_each_player_once_and_are_even(entrants: int) -> None:
    groups = build_elimination_groups(entrants)
    assert sorted(seed for group in groups for seed in group.seeds) == list(range(1, entrants + 1))
    assert {len(group.seeds) for group in groups} <= {3, 4}
    assert [group.seeds[0] for group in groups] == list(range(1, len(groups) + 1))


# -- refusals and the command line


@each_case(
    ("arguments", "code"),
    [
        (("single", 4, False, True), "bracket-consolation"),
        (("single", 9, False, True), "bracket-consolation"),
        (("double", 8, False, True), "bracket-consolation"),
        (("group", 5, False, False), "bracket-group"),
        (("group", 4, True, False), "bracket-third"),
    ],
)
def test_shape_that_cannot_be_is_refused(arguments: tuple[str, int, bool, bool], code: str) -> None:
    kind, size, third, consolation = arguments
    with pytest.raises(EngineError) as refusal:
        build_bracket(kind, size, third, consolation=consolation)  # type: ignore[arg-type]
    assert [problem.code for problem in refusal.value.problems] == [code]


@each_case("entrants", [0, 2, 5, -3])
def test_number_that_fills_no_groups_is_refused(entrants: int) -> None:
    with pytest.raises(EngineError) as refusal:
        build_elimination_groups(entrants)
    assert [problem.code for problem in refusal.value.problems] == ["bracket-groups"]


def test_command_draws_each_of_them() -> None:
    def draw(*options: str) -> dict:
        return answer("bracket", "--entrants", "8", *options)

    assert len(draw("--kind", "double", "--no-reset")["matches"]) == 14
    sides = Counter(
        m["bracket"] for m in draw("--kind", "single", "--consolation", "--third-place")["matches"]
    )
    assert sides == {"W": 7, "C": 3, "3P": 1}
    groups = draw("--kind", "groups")
    assert groups["groups"] == [
        {"group": 1, "seeds": [1, 4, 5, 8], "qualify": 2},
        {"group": 2, "seeds": [2, 3, 6, 7], "qualify": 2},
    ]
    second = [match for match in groups["matches"] if match["group"] == 2]
    assert [(m["id"], m["p1"], m["p2"], m["winner_to"], m["loser_to"]) for m in second] == [
        (6, 2, 7, 8, 9),
        (7, 3, 6, 8, 9),
        (8, None, None, None, 10),
        (9, None, None, 10, None),
        (10, None, None, None, None),
    ]
    assert second[2]["p1_from"] == {"outcome": "winner", "match": 6}


@each_case(
    "options",
    [
        ("--kind", "single", "--no-reset"),
        ("--kind", "groups", "--third-place"),
        ("--kind", "groups", "--consolation"),
        ("--kind", "double", "--consolation"),
    ],
)
def test_command_refuses_what_its_kind_does_not_have(options: tuple[str, ...]) -> None:
    code, out, err = run("bracket", "--entrants", "8", *options)
    assert (code, out, len(err.splitlines())) == (3, "", 1)
