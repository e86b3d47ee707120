"""Declarations of any game as form fields.

Tests cover names, typed lines, and values that come back.
"""

from __future__ import annotations

from rules.cards import CardData
from rules.lint_cards import card_misfits
from tests.everyday import each_case
from tournament.decklists.declaration_fields import (
    build_declaration_fields,
    field_names,
    format_record,
    initial_declarations,
    parse_record,
    read_declarations,
)

DATA = {
    "declarations": [
        {
            "key": "ballast", "label": "Ballast", "kind": "numbers", "checks": ["x.y"], "one": "hold",
            "unit": "tons", "choices": [["F", "Fore"], ["A", "Aft"]], "empty": "as built",
        },
        {
            "key": "flag", "label": "Flag", "kind": "yes_no", "checks": ["x.y"], "help": "Ask the harbor.",
            "choices": [["yes", "flies"], ["no", "struck"]],
        },
        {
            "key": "tows", "label": "Tows", "kind": "records", "checks": ["x.y"],
            "says": "{boat} behind {by}", "line": "{boat} < {by} [{rope}] x{knots}",
            "parts": [
                {"key": "boat", "is_required": True}, {"key": "by", "is_required": True}, {"key": "rope"},
                {"key": "knots", "kind": "whole", "otherwise": 1},
            ],
        },
        {
            "key": "swaps", "label": "Swaps", "kind": "records", "checks": ["x.y"],
            "says": "{one} for {other}",
            "parts": [{"key": "one", "is_required": True}, {"key": "other", "is_required": True}],
        },
        {
            "key": "mates", "label": "Mates", "kind": "cards", "checks": ["x.y"], "one": "mate",
            "choices": [["first", "First mate"], ["second", "Second mate"]],
        },
    ]
}  # fmt: skip
CARDS = CardData(DATA, "x/cards.toml")
BALLAST, FLAG, TOWS, SWAPS, MATES = CARDS.declarations
FILLED_IN = {
    "declared.ballast.F": 3, "declared.ballast.A": None, "declared.flag": "no",
    "declared.tows": "Gig < Skiff\nJolly (2) < Gig [hemp] x3", "declared.swaps": "Gig = Skiff",
    "declared.mates.first": "Anna", "declared.mates.second": None,
}  # fmt: skip
KEPT = {
    "ballast": {"F": 3},
    "flag": False,
    "tows": [{"boat": "Gig", "by": "Skiff"}, {"boat": "Jolly (2)", "by": "Gig", "rope": "hemp", "knots": 3}],
    "swaps": [{"one": "Gig", "other": "Skiff"}],
    "mates": {"first": "Anna"},
}  # fmt: skip


def test_declarations_are_well_formed() -> None:
    assert list(card_misfits(CARDS)) == []


def test_each_kind_has_its_fields_with_the_words_of_the_game() -> None:
    fields = build_declaration_fields(CARDS.declarations)
    assert {name: (type(field).__name__, field.label, field.help_text) for name, field in fields.items()} == {
        "declared.ballast.F": ("IntegerField", "Fore", ""),
        "declared.ballast.A": ("IntegerField", "Aft", ""),
        "declared.flag": ("ChoiceField", "Flag", "Ask the harbor."),
        "declared.tows": ("CharField", "Tows", ""),
        "declared.swaps": ("CharField", "Swaps", ""),
        "declared.mates.first": ("CharField", "First mate", ""),
        "declared.mates.second": ("CharField", "Second mate", ""),
    }
    assert fields["declared.ballast.F"].widget.attrs["placeholder"] == "as built"
    assert list(fields) == [name for each in CARDS.declarations for name in field_names(each)]


def test_what_is_filled_in_is_read_and_comes_back() -> None:
    assert read_declarations(CARDS.declarations, FILLED_IN) == KEPT
    assert initial_declarations(CARDS.declarations, KEPT) == FILLED_IN


@each_case(
    ("line", "record"),
    [
        ("Gig<Skiff", {"boat": "Gig", "by": "Skiff"}),
        ("Gig < Skiff x2", {"boat": "Gig", "by": "Skiff", "knots": 2}),
        ("Gig < Skiff [a] [b]", {"boat": "Gig", "by": "Skiff [a]", "rope": "b"}),
        ("Gig < Skiff []", {"boat": "Gig", "by": "Skiff"}),
        ("Gig", {"boat": "Gig"}),
        ("", {"boat": ""}),
    ],
)
def test_a_line_has_the_parts_that_it_names(line: str, record: dict[str, object]) -> None:
    assert parse_record(TOWS, line) == record


def test_a_record_is_written_without_the_parts_that_it_lacks() -> None:
    assert [format_record(TOWS, row) for row in KEPT["tows"]] == ["Gig < Skiff", "Jolly (2) < Gig [hemp] x3"]
    assert format_record(SWAPS, KEPT["swaps"][0]) == "Gig = Skiff"


def test_lint_names_a_part_that_the_line_lacks() -> None:
    (tows,) = (each for each in DATA["declarations"] if each["key"] == "tows")
    wrong = CardData({"declarations": [{**tows, "line": "{boat} <"}]}, "x/cards.toml")
    assert list(card_misfits(wrong)) == ["The line of [[declarations]] tows lacks its required part by."]
