"""Result fields of a game: values, words, slips, and lint of a declaration."""

from __future__ import annotations

import json

import pytest

from rules import get_game
from rules.result_fields import ResultField, describe_details, fill_slip_lines
from tests.everyday import each_case
from tests.rules.test_lint import GAME, toy

__all__ = ["toy"]

NAMES = {"p1": "Ada", "p2": "Bob", "winner": "Bob", "loser": "Ada"}
PEARLS = ResultField(
    "pearls", "whole", "Pearls", most=5, says="{winner} took {pearls} pearls", says_one="one"
)
TIDE = ResultField("tide", "whole_each", "Tide", most=9)
STORM = ResultField("storm", "yes_no", "A storm came up")


@each_case(
    ("field", "value", "kept_value"),
    [
        (PEARLS, 0, 0),
        (PEARLS, 5, 5),
        (PEARLS, None, None),
        (STORM, True, True),
        (STORM, False, None),
        (TIDE, {"p1": 3}, {"p1": 3, "p2": 0}),
        (TIDE, {"p1": None, "p2": None}, None),
        (TIDE, {}, None),
    ],
)
def test_value_of_its_kind_is_kept(field: ResultField, value: object, kept_value: object) -> None:
    assert field.clean(value) == kept_value


@each_case(
    ("field", "value"),
    [
        (PEARLS, 6), (PEARLS, -1), (PEARLS, True), (PEARLS, "3"), (PEARLS, 2.0), (PEARLS, [1]),
        (STORM, 1), (STORM, "yes"), (TIDE, 3), (TIDE, {"p1": 10}), (TIDE, {"p3": 1}), (TIDE, {"p1": True}),
    ],
)  # fmt: skip
def test_value_of_another_kind_is_refused(field: ResultField, value: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        field.clean(value)


@each_case(
    ("details", "words"),
    [
        ({}, []),
        ({"pearls": 0, "storm": False}, []),
        ({"pearls": 3}, ["Bob took 3 pearls"]),
        ({"pearls": 1}, ["one"]),
        ({"tide": {"p1": 0, "p2": 2}, "storm": True}, ["Tide: Ada 0, Bob 2", "A storm came up"]),
        ({"pearls": 99, "tide": "high", "moon": 1}, []),
    ],
)
def test_details_are_said_as_the_game_words_them(details: dict[str, object], words: list[str]) -> None:
    assert describe_details((PEARLS, TIDE, STORM), details, NAMES) == words


@each_case(
    ("details", "words"),
    [
        ({"quickenings": 1}, ["1 Quickening of Ada goes to Bob"]),
        ({"quickenings": 2, "quickenings_declined": True}, ["Bob declined 2 Quickenings"]),
        ({"quickenings": 1, "quickenings_declined": True}, ["Bob declined 1 Quickening"]),
        ({"quickenings_declined": True}, []),
    ],
)
def test_words_that_replace_others_are_said_in_their_place(
    details: dict[str, object], words: list[str]
) -> None:
    assert describe_details(get_game("highlander").result_fields, details, NAMES) == words


def test_slip_asks_what_the_game_asks_behind_its_last_line_while_there_is_room() -> None:
    lines = fill_slip_lines(("x" * 40,), (PEARLS, TIDE, STORM))
    assert lines == ("x" * 40 + "  Pearls: ____", "Tide: 1st ____  2nd ____  A storm came up: yes / no")
    assert fill_slip_lines((), (STORM,)) == ("A storm came up: yes / no",)


def game_with_field(**parts: object) -> str:
    table = {"key": "pearls", "kind": "whole", "label": "Pearls", **parts}
    lines = "\n".join(f"{name} = {json.dumps(value)}" for name, value in table.items())
    return f"{GAME}\n[[result_fields]]\n{lines}\n"


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        ({"lable": "x"}, "[[result_fields]] has the unknown part lable (nearest: label)."),
        ({"most": "many"}, "[[result_fields]] cannot have most 'many'. It must be a whole number."),
        ({"most": 0}, "[[result_fields]] pearls: most must be 1 or more."),
        ({"key": "Pearls!"}, "[[result_fields]] Pearls! needs a key of lowercase letters, digits and "
                             "underscores."),
        ({"mark": "q"}, "[[result_fields]] pearls: the mark q must be one to three letters, and none of "
                        "d, dl, c, n, q, id, t and ok."),
        ({"replaces": "gold"}, "[[result_fields]] pearls replaces gold, which is not one of pearls."),
        ({"says": "{gold} gold"}, "[[result_fields]] pearls: the text names gold, which is not one of "
                                  "loser, p1, p2, pearls and winner."),
        ({"says": "{gold"}, "[[result_fields]] pearls: the text cannot be read: expected '}' before end "
                            "of string."),
        ({"ending": "storm"}, "[[result_fields]] pearls: the ending storm is not one of time, concession, "
                              "agreed_draw, no_show, left, penalty and disqualified."),
    ],
)  # fmt: skip
def test_fault_in_a_declaration_is_found(toy, parts: dict[str, object], problem: str) -> None:
    assert toy("game.toml", game_with_field(**parts)) == [f"toy/game.toml: {problem}"]


@pytest.mark.parametrize("parts", [{"kind": "hole"}, {"label": ""}])
def test_declaration_that_cannot_be_read_is_said_with_its_file(toy, parts: dict[str, object]) -> None:
    (problem,) = toy("game.toml", game_with_field(**parts))
    assert problem.startswith("toy/game.toml: [[result_fields]] ")


def test_two_declarations_with_one_key_or_mark_are_found(toy) -> None:
    twice = game_with_field(mark="p") + game_with_field(mark="p").removeprefix(GAME)
    assert toy("game.toml", twice) == [
        "toy/game.toml: [[result_fields]] pearls is declared twice.",
        "toy/game.toml: [[result_fields]] pearls: the mark p is taken.",
    ]
