"""Playing a bracket and correcting a result after the fact."""

from __future__ import annotations

import pytest

from rules import rendering
from tests.everyday import each_case
from tests.tournament.engine.words import say
from tournament.engine.brackets.layout import build_bracket
from tournament.engine.brackets.playing import correct_result, get_seated_matches, play_bracket
from tournament.engine.problems import EngineError

EIGHT = build_bracket("double", 8)
# The favorites win throughout.
WINNERS = {1: 1, 2: 4, 3: 2, 4: 3, 5: 1, 6: 2, 7: 5, 8: 6, 9: 1, 10: 3, 11: 4, 12: 3, 13: 2, 14: 1}


def test_matches_are_ready_when_both_players_are_known() -> None:
    state = play_bracket(EIGHT, {1: 1, 2: 4})
    assert [(m.id, m.pair) for m in state.ready_matches] == [
        (3, (2, 7)),
        (4, (3, 6)),
        (5, (1, 4)),
        (7, (8, 5)),
    ]
    assert [m.id for m in get_seated_matches(state)] == [1, 2, 3, 4, 5, 7]
    assert (state.champion, state.invalid_results) == (None, ())


def test_the_second_grand_final_is_played_only_when_the_first_is_won_out_of_the_losers_side() -> None:
    once = play_bracket(EIGHT, WINNERS)
    assert (once.champion, once.match(15).pair, once.ready_matches) == (1, (None, None), ())
    again = play_bracket(EIGHT, WINNERS | {14: 2})
    assert (again.champion, [m.id for m in again.ready_matches], again.match(15).pair) == (None, [15], (2, 1))
    assert play_bracket(EIGHT, WINNERS | {14: 2, 15: 1}).champion == 1


def test_places_follow_the_last_defeat_and_then_the_seed() -> None:
    state = play_bracket(EIGHT, WINNERS)
    assert [(f.place, f.level, f.seed) for f in state.places] == [
        (1, 1, 1),
        (2, 2, 2),
        (3, 3, 3),
        (4, 4, 4),
        (5, 5, 5),
        (6, 5, 6),
        (7, 7, 7),
        (8, 7, 8),
    ]


def test_while_a_bracket_runs_only_those_who_are_out_have_a_place() -> None:
    state = play_bracket(build_bracket("single", 8), {1: 1, 2: 5})
    assert [(f.place, f.level, f.seed) for f in state.places] == [(7, 7, 4), (8, 7, 8)]


def test_third_place_is_played_for() -> None:
    bracket = build_bracket("single", 4, third_place=True)
    state = play_bracket(bracket, {1: 1, 2: 2, 3: 4, 4: 2})
    assert [(f.place, f.seed) for f in state.places] == [(1, 2), (2, 1), (3, 4), (4, 3)]
    open_third = play_bracket(bracket, {1: 1, 2: 2, 4: 2})
    assert (open_third.champion, [m.id for m in open_third.ready_matches]) == (2, [3])


def test_third_and_fourth_stand_between_the_finalists_and_the_rest() -> None:
    bracket = build_bracket("single", 8, third_place=True)
    state = play_bracket(bracket, {1: 8, 2: 4, 3: 2, 4: 3, 5: 8, 6: 2, 7: 3, 8: 8})
    assert [(f.place, f.level, f.seed) for f in state.places][:5] == [
        (1, 1, 8),
        (2, 2, 2),
        (3, 3, 3),
        (4, 4, 4),
        (5, 5, 1),
    ]


def test_a_changed_result_seats_others_behind_it_and_names_what_falls() -> None:
    corrected_bracket = correct_result(EIGHT, WINNERS, 2, 5)
    # 5 and 4 change places: every match that one of them played falls, and what came out of those
    assert corrected_bracket.invalid_results == (5, 7, 9, 10, 11, 12, 13, 14)
    assert {m.id: m.pair for m in corrected_bracket.state.ready_matches} == {5: (1, 5), 7: (8, 4)}
    assert dict(corrected_bracket.winners) == {1: 1, 2: 5, 3: 2, 4: 3, 6: 2, 8: 6}
    assert corrected_bracket.state.champion is None


def test_a_changed_result_leaves_alone_what_does_not_follow_from_it() -> None:
    corrected_bracket = correct_result(EIGHT, WINNERS, 13, 3)
    assert corrected_bracket.invalid_results == (14,)
    assert [m.pair for m in corrected_bracket.state.ready_matches] == [(1, 3)]


def test_a_result_falls_even_when_its_winner_still_sits_there() -> None:
    bracket = build_bracket("single", 4)
    corrected_bracket = correct_result(bracket, {1: 1, 2: 2, 3: 1}, 2, 3)
    assert (corrected_bracket.invalid_results, [m.pair for m in corrected_bracket.state.ready_matches]) == (
        (3,),
        [(1, 3)],
    )


def test_the_same_winner_again_changes_nothing() -> None:
    same = correct_result(EIGHT, WINNERS, 5, 1)
    assert (same.invalid_results, dict(same.winners)) == ((), WINNERS)


def test_a_result_can_be_taken_back() -> None:
    corrected_bracket = correct_result(EIGHT, WINNERS, 14, None)
    assert (corrected_bracket.invalid_results, corrected_bracket.state.champion) == ((), None)
    assert [m.id for m in corrected_bracket.state.ready_matches] == [14]


def test_a_won_first_grand_final_makes_the_second_fall() -> None:
    corrected_bracket = correct_result(EIGHT, WINNERS | {14: 2, 15: 2}, 14, 1)
    assert (corrected_bracket.invalid_results, corrected_bracket.state.champion) == ((15,), 1)


def test_recorded_winners_who_do_not_sit_there_fall() -> None:
    assert play_bracket(build_bracket("single", 4), {1: 2, 3: 1}).invalid_results == (1, 3)


@each_case(
    ("number", "winner", "code"),
    [
        (16, 1, "match-unknown"),
        (0, 1, "match-unknown"),
        (1, 2, "winner-not-seated"),
        (5, 8, "winner-not-seated"),
    ],
)
def test_a_result_that_cannot_be_is_refused(number: int, winner: int, code: str) -> None:
    with pytest.raises(EngineError) as excinfo:
        correct_result(EIGHT, WINNERS, number, winner)
    assert [problem.code for problem in excinfo.value.problems] == [code]


def test_each_match_says_why_these_two_meet() -> None:
    state = play_bracket(EIGHT, {})
    assert say(state.match(1).why) == "Winners' side, round 1: seed 1 vs. seed 8"
    assert say(state.match(10).why) == "Losers' side, round 2: loser of match 6 vs. winner of match 7"
    assert say(state.match(15).why) == "Second grand final: winner of match 14 vs. loser of match 14"
    names = [
        say(m.why).partition(":")[0]
        for m in play_bracket(build_bracket("single", 16, third_place=True), {}).matches
    ]
    assert names == ["Round of 16"] * 8 + ["Quarter-final"] * 4 + ["Semi-final"] * 2 + [
        rendering.say("reason", "third_place"),
        "Final",
    ]
