"""Printouts that a game declares.

Tests cover their parts, their values, and what lint says of wrong ones.
"""

from __future__ import annotations

import json

import pytest

from rules import get_game
from rules.games.highlander.gem_sheet import GEM_CAP, GEM_FACTOR
from rules.games.highlander.names import GEMS
from rules.sheets import fill_in
from tests.rules.test_lint import GAME, toy

__all__ = ["toy"]


def test_gem_sheet_of_the_data_counts_as_the_checks_do() -> None:
    (sheet,) = get_game("highlander").sheets
    table, note = sheet.blocks[-2:]
    assert [(row[0], row[2], row[-1]) for row in table.rows] == [
        (name, f"{{gem_assignment.{letter}}}", f"× {GEM_FACTOR} =" if letter != "M" else "Unchanged")
        for letter, name in GEMS.items()
    ]
    assert f"counts up to {GEM_CAP} and is multiplied by {GEM_FACTOR}." in note.text


def test_text_has_its_values_and_leaves_out_the_others() -> None:
    values = {"gem_assignment.A": 7, "p1": "Ada {x}"}
    assert fill_in("{p1}: {gem_assignment.A}/{gem_assignment.S} ____", values) == "Ada {x}: 7/ ____"


def game_with_sheet(block: dict[str, object], **parts: object) -> str:
    sheet = {"key": "log-book", "label": "Log book", "subject": "match", **parts}
    tables = (("[[sheets]]", sheet), ("[[sheets.blocks]]", {"kind": "note", **block}))
    return GAME + "".join(
        f"\n{head}\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in table.items())
        for head, table in tables
    )


@pytest.mark.parametrize(
    ("block", "parts", "problem"),
    [
        (
            {},
            {"key": "Log book"},
            "[[sheets]] Log book needs a key of lowercase letters, digits and hyphens.",
        ),
        ({}, {"subject": "team"}, "[[sheets]] log-book: the subject team is not one of player and match."),
        (
            {"kind": "poem"},
            {},
            "[[sheets]] log-book: the kind poem is not one of cards, table, note and lines.",
        ),
        ({"text": "{p3}"}, {}, "[[sheets]] log-book: the text names p3, which is not one of p1 and p2."),
        (
            {"text": "{p1"},
            {},
            "[[sheets]] log-book: the text cannot be read: expected '}' before end of string.",
        ),
        (
            {"kind": "table", "columns": ["", "{p1}"], "each_game": ["{game}"]},
            {},
            "[[sheets]] log-book: a row has 1 cell below 2 columns.",
        ),
        (
            {"kind": "table", "rows": ["a"]},
            {},
            "[[sheets.blocks]] cannot have rows ['a']. It must be a list of lists of words.",
        ),
        ({"colour": "red"}, {}, "[[sheets.blocks]] has the unknown part colour (nearest: columns)."),
    ],
)
def test_fault_in_a_sheet_is_found(
    toy, block: dict[str, object], parts: dict[str, object], problem: str
) -> None:
    assert f"toy/game.toml: {problem}" in toy("game.toml", game_with_sheet(block, **parts))


def test_sheet_that_fits_is_well_formed(toy) -> None:
    game = {"kind": "table", "columns": ["", "{p1}"], "each_game": ["{game}", ""], "extra": "Extra"}
    assert toy("game.toml", game_with_sheet(game, comes_with_rounds=True)) == []
