"""The sides of a match and the match form that a format begins with."""

from __future__ import annotations

import rules
from rules import timed
from rules.sides import DUEL, LAST_STANDING, Sides, is_possible, parse_sides
from tests.everyday import each_case


def test_format_without_sides_is_a_duel() -> None:
    assert rules.load_format("ufs", "constructed").sides == DUEL
    assert DUEL.is_duel


@each_case(("mode", "least", "most"), [("ffa", 3, 6), ("2v2v2", 3, 3), ("tag2v2v2", 3, 3)])
def test_mode_of_several_sides_says_how_many_and_how_it_ends(mode: str, least: int, most: int) -> None:
    sides = rules.load_format("sf_miniatures", mode).sides
    assert (sides.least, sides.most, sides.ends, sides.is_duel) == (least, most, LAST_STANDING, False)


@each_case(
    ("mode", "form"),
    [("versus", "versus_25min"), ("classic_arcade", "versus_25min"), ("3-on-3", "one_round_25min")]
    + [(mode, "one_round_25min") for mode in ("ffa", "2v2", "3v3", "2v2v2", "tag2", "tag3", "tag2v2v2")],
)
def test_mode_begins_with_its_own_match_form(mode: str, form: str) -> None:
    assert rules.load_format("sf_miniatures", mode).match_form == form


def test_two_headed_giant_is_one_player() -> None:
    assert rules.load_format("highlander", "two_headed_giant").team_size is None


def test_time_called_in_a_match_of_one_round_asks_the_organizer_alone() -> None:
    questions = timed.questions("sf_miniatures", "1", "swiss", "one_round_25min", {})
    assert [question.key for question in questions] == ["organizer_ruling"]


@each_case(
    "sides",
    [
        Sides(least=1, most=3, usual=3),
        Sides(least=4, most=3, usual=4),
        Sides(least=3, most=6, usual=7),
        Sides(least=3, most=13, usual=4),
        Sides(ends="by_health"),
        Sides(points=(1, 3)),
        Sides(points=(-1,)),
    ],
)
def test_sides_that_make_no_sense_are_not_possible(sides: Sides) -> None:
    assert not is_possible(sides)


def test_sides_of_a_file_fill_what_is_not_said() -> None:
    assert parse_sides({"least": 3}) == Sides(3, 3, 3)
    assert parse_sides(None) == DUEL
