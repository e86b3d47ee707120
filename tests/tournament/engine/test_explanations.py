"""The arithmetic behind a value can be read line by line."""

from __future__ import annotations

from fractions import Fraction as Q

import pytest

from rules.reason import reason
from tests.tournament.engine.events import event
from tests.tournament.engine.words import explain_value
from tournament.engine.problems import EngineError
from tournament.engine.standings.systems.loading import load_system

PLAYED = event("1-2 2:1, 3 bye", "1-3 2:0, 2 bye", "2-3 0:2, 1 lost")
UFS = load_system("ufs")


def test_an_opponents_percentage_lists_every_opponent_with_their_share() -> None:
    explanation = explain_value(PLAYED, UFS, 1, "omw")
    assert [(t.round, t.opponent, t.value, t.note) for t in explanation.terms] == [
        (1, 2, Q(1, 3), reason("floor")),
        (2, 3, Q(1, 2), None),
    ]
    assert explanation.written_sum == "(1/3 + 1/2) / 2 = 5/12"
    assert (explanation.value, explanation.after_round, explanation.combine) == (Q(5, 12), 3, "mean")


def test_a_bye_without_weight_is_shown_but_not_counted() -> None:
    explanation = explain_value(PLAYED, UFS, 3, "gw")
    assert [(t.round, t.opponent, t.note, t.is_counted) for t in explanation.terms] == [
        (1, None, reason("bye_ignored"), False),
        (2, 1, reason("part_of", part=0, whole=6), True),
        (3, 2, reason("part_of", part=6, whole=6), True),
    ]
    assert explanation.written_sum == "(0 + 6) / (6 + 6) = 1/2"


def test_points_say_how_a_round_was_spent() -> None:
    explanation = explain_value(PLAYED, UFS, 1, "points")
    alone = reason("round_status", status="unopposed_loss")
    assert [(t.value, t.note) for t in explanation.terms] == [(3, None), (3, None), (0, alone)]
    assert explanation.written_sum == "3 + 3 + 0 = 6"


def test_a_past_round_is_explained_as_it_was() -> None:
    explanation = explain_value(PLAYED, UFS, 1, "omw", after_round=1)
    assert (explanation.written_sum, explanation.after_round) == ("(1/3) / 1 = 1/3", 1)


def test_without_anything_to_count_the_value_stands_alone() -> None:
    assert explain_value(PLAYED, UFS, 3, "omw", after_round=1).written_sum == "0"


def test_a_lot_is_what_was_drawn() -> None:
    explanation = explain_value(PLAYED, UFS, 2, "lot", lots={1: 3, 2: 1, 3: 2})
    assert (explanation.value, explanation.written_sum) == (1, "1 = 1")


def test_a_cut_value_is_shown_as_cut() -> None:
    explanation = explain_value(event("1-2 1:0, 3-4 1:0", "1-3 1:0, 2-4 1:0"), load_system("fide"), 1, "bhc1")
    assert [(t.opponent, t.value, t.note, t.is_counted) for t in explanation.terms] == [
        (2, 1, reason("value_cut"), False),
        (3, 1, None, True),
    ]


def test_buchholz_is_told_in_the_order_of_the_rounds() -> None:
    explanation = explain_value(event("1-2 1:0, 3-4 1:0", "1-3 1:0, 2-4 1:0"), load_system("go"), 1, "sos")
    assert [(t.round, t.opponent, t.value) for t in explanation.terms] == [(1, 2, 1), (2, 3, 1)]


def test_a_dummy_is_named() -> None:
    explanation = explain_value(
        event("1 bye, 2-3 1:0", "1-2 1:0, 3 lost"), load_system("fide"), 1, "buchholz"
    )
    assert [(t.round, t.opponent, t.note) for t in explanation.terms] == [
        (1, None, reason("against_dummy")),
        (2, 2, None),
    ]


@pytest.mark.parametrize(
    ("player", "key", "code"), [(1, "luck", "tiebreaker-unknown"), (9, "omw", "player-unknown")]
)
def test_what_is_not_there_cannot_be_explained(player: int, key: str, code: str) -> None:
    with pytest.raises(EngineError) as excinfo:
        explain_value(PLAYED, UFS, player, key)
    assert [problem.code for problem in excinfo.value.problems] == [code]
