"""Texts that Ringside writes into rows are codes, which no text of people can be."""

from __future__ import annotations

import ast

import pytest
from django.contrib.auth.models import User
from django.utils import translation

from tests.everyday import each_case
from tests.style.sources import find_nodes, list_modules, name_file, read_text
from tournament.access.permissions import SYSTEM_ACTOR, VISITOR, Actor
from tournament.events.models.player import Player
from tournament.log.models import get_table_model
from tournament.shared import coded_texts
from tournament.shared.coded_texts import CODED_COLUMNS, LABELS, SIGN, format_coded_text, strip_sign

CODES = {
    value for value in vars(coded_texts).values() if isinstance(value, str) and value[:1] == SIGN != value
}
ANN = Player(name="Ann")
OLGA = User(username="olga@example.org", first_name="@@players")


def test_each_code_has_the_sign_and_a_label() -> None:
    assert {code[0] for code in LABELS} == {SIGN}
    assert set(LABELS) == CODES


def test_each_column_of_coded_texts_exists() -> None:
    assert [get_table_model(table)._meta.get_field(name).name for table, name in CODED_COLUMNS.items()] == [
        *CODED_COLUMNS.values()
    ]


@each_case(
    ("actor", "author"),
    [
        (Actor.of_player(ANN), coded_texts.BY_PLAYER),
        (Actor.of_user(OLGA, ANN), "players"),
        (SYSTEM_ACTOR, "Ringside"),
        (VISITOR, coded_texts.BY_VISITOR),
    ],
)
def test_author_is_the_name_of_an_account_or_a_code(actor: Actor, author: str) -> None:
    assert actor.author == author


@pytest.mark.parametrize("typed_text", ["@disqualified", "@@disqualified", "@"])
def test_typed_text_is_never_a_code(typed_text: str) -> None:
    assert strip_sign(typed_text) not in LABELS


def test_code_is_said_in_the_reader_s_language_and_text_stays() -> None:
    with translation.override("de"):
        assert format_coded_text(coded_texts.DISQUALIFIED) == "Disqualifiziert"
        assert format_coded_text("Disqualified") == "Disqualified"


def test_no_module_writes_a_code_by_its_letters() -> None:
    modules = {
        name_file(file)
        for file in list_modules("tournament")
        # Most modules hold none, and need no tree.
        if any(code in read_text(file) for code in LABELS)
        for node in find_nodes(file, ast.Constant)
        if node.value in LABELS
    }
    assert modules == {"tournament/shared/coded_texts.py"}
