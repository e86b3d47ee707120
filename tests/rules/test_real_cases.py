"""All given worked cases, if the folder of real data has them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rules.__main__ import main
from rules.cases import answer_cases
from tests.everyday import some

REAL = Path(os.environ.get("RINGSIDE_REAL_DATA", "nowhere"))
needs_real_data = pytest.mark.skipif(not REAL.is_dir(), reason="RINGSIDE_REAL_DATA names no folder")
GAMES = ("ufs", "cfc")


@needs_real_data
@pytest.mark.parametrize("game", GAMES)
def test_every_given_deck_case_has_the_demanded_verdict_and_rules(game):
    data = json.loads((REAL / "cases" / "decks.json").read_text(encoding="utf-8"))
    cases = {case["id"]: case for case in data["cases"] if case["game"] == game}
    verdicts = {}
    for answer in answer_cases({**data, "cases": list(cases.values())}):
        broken_rules = {f["rule"] for f in answer.get("findings", ()) if f["severity"] == "error"}
        verdicts[answer["id"]] = (answer.get("verdict"), broken_rules)

    assert verdicts == {
        name: (case["expect"], {violation["digest"] for violation in case["violations"]})
        for name, case in cases.items()
    }


@needs_real_data
def test_the_given_cfc_decks_are_legal(capsys):
    decks = sorted((REAL / "data" / "cfc" / "decks").glob("*.o8d"))
    cards = str(REAL / "data" / "cfc" / "set.xml")
    codes = {
        deck.name: main(["check", str(deck), "--game", "cfc", "--format", "standard", "--cards", cards])
        for deck in some(9, decks)
    }
    capsys.readouterr()

    assert len(decks) == 17
    assert set(codes.values()) == {0}


@needs_real_data
def test_the_given_printings_are_read_without_a_problem():
    from rules import load_format
    from rules.catalogue import read_catalogue

    data = (REAL / "data" / "ufs" / "printings-2006-2008.csv").read_bytes()
    catalogue = read_catalogue(data, load_format("ufs", "constructed").game)

    assert (len(catalogue.cards), catalogue.problems) == (1527, ())
    assert (catalogue.cards["SF01-38"].name, catalogue.cards["SF01-38"].get("dots")) == ("Ken", 2)
