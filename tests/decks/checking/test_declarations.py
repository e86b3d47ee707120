"""Declarations besides the cards.

The tests cover which formats ask for them, which are read, and which are refused.
"""

from __future__ import annotations

import pytest

import rules
from decks.checking import declarations
from decks.shared.refusals import Refused
from rules.games.highlander.card_view import SLOT_WORDS
from rules.games.highlander.names import GEMS
from tests.everyday import each_case

HIGHLANDER = frozenset({"gem_assignment", "sleeved", "substitutions", "restriction_raise"})


@each_case(
    ("game", "format", "asked_keys"),
    [
        ("ufs", "constructed", set()),
        ("ufs", "sealed", {"pool"}),
        ("ufs", "draft", {"pool"}),
        ("highlander", "standard", HIGHLANDER),
        ("highlander", "plot_hilt", {*HIGHLANDER, "bonus"}),
        ("highlander", "sealed", {"pool", "sleeved"}),
        ("cfc", "standard", set()),
    ],
)
def test_each_format_asks_for_what_its_rules_judge(game: str, format: str, asked_keys: set[str]) -> None:
    assert declarations.required_declarations(rules.load_format(game, format)) == asked_keys


def test_altered_gems_that_are_registered_are_the_sheet() -> None:
    declared_values = declarations.read_declarations(
        {"gem_assignment": {"Agility": 7, "M": 2, "S": None}}, HIGHLANDER
    )
    assert declared_values == {"gem_assignment": {"A": 7, "M": 2}, "gem_sheet": True}


def test_what_is_left_empty_is_no_declaration() -> None:
    empty = {
        "gem_assignment": {},
        "sleeved": None,
        "substitutions": [],
        "restriction_raise": None,
        "bonus": {},
    }
    assert declarations.read_declarations(empty, HIGHLANDER) == {}


def test_a_basic_is_named_by_its_name_or_its_short_form() -> None:
    swaps = [
        {"for": "upper  left attack", "with": " Back Away "},
        {"for": "b-lc", "with": "Dodge", "crystal": "Ruby"},
    ]
    assert declarations.read_declarations({"substitutions": swaps}, HIGHLANDER) == {
        "substitutions": [
            {"for": "A-UL", "with": "Back Away"},
            {"for": "B-LC", "with": "Dodge", "crystal": "Ruby"},
        ]
    }


def test_every_wrong_declaration_is_named_at_once() -> None:
    wrong = {
        "gem_assignment": {"Luck": 3, "A": True},
        "sleeved": "perhaps",
        "substitutions": [{"for": "A-UL"}],
        "restriction_raise": "\0",
        "bonus": {"hilt": "Ivory Hilt"},
    }
    with pytest.raises(Refused) as excinfo:
        declarations.read_declarations(wrong, HIGHLANDER)
    assert [(problem.code, problem.field) for problem in excinfo.value.problems] == [
        ("declaration_wrong", "gem_assignment"),
        ("declaration_wrong", "gem_assignment"),
        ("declaration_wrong", "sleeved"),
        ("declaration_wrong", "substitutions"),
        ("declaration_wrong", "restriction_raise"),
        ("declaration_unknown", "bonus"),
    ]


def test_declarations_are_said_in_words() -> None:
    options = {
        "diversity": False,
        "gem_assignment": {"A": 7, "M": 2},
        "gem_sheet": True,
        "sleeved": True,
        "substitutions": [{"for": "A-UL", "with": "Back Away", "crystal": "Ruby"}],
        "restriction_raise": [{"card": "Slash", "by": 1}],
        "bonus": {"plot": "The Plot", "hilt": "Ivory Hilt"},
    }
    assert declarations.format_declarations(options) == {
        "Altered gems": "Agility 7 and Master 2",
        "Sleeves": "in sleeves",
        "Swapped basics": "Back Away for Upper Left Attack (Ruby)",
        "Raised restriction numbers": "Slash by 1",
        "Bonus cards": "hilt: Ivory Hilt; plot: The Plot",
    }


def test_short_forms_of_the_declarations_are_those_of_the_rules() -> None:
    declaration_by_key = {each.key: each for each in rules.get_game("highlander").cards.declarations}
    swapped_part = next(part for part in declaration_by_key["substitutions"].parts if part.key == "for")
    assert (dict(declaration_by_key["gem_assignment"].choices), dict(swapped_part.choices)) == (
        dict(GEMS),
        SLOT_WORDS,
    )
