"""Examples that the project was given, if they are at hand.

They concern timed rounds, Highlander and Street Fighter.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rules import timed
from rules.cases import answer_cases

REAL = Path(os.environ.get("RINGSIDE_REAL_DATA", "nowhere"))
needs_real_data = pytest.mark.skipif(not REAL.is_dir(), reason="RINGSIDE_REAL_DATA names no folder")


@needs_real_data
def test_every_given_timed_example_has_the_demanded_answer():
    cases = json.loads((REAL / "cases" / "timed.json").read_text(encoding="utf-8"))["cases"]
    answers_by_id = {case["id"]: timed.answer(case) for case in cases}

    assert len(cases) == 69
    for case in cases:
        assert {key: answers_by_id[case["id"]].get(key, "no such key") for key in case["expect"]} == case[
            "expect"
        ], case["id"]


@needs_real_data
@pytest.mark.parametrize(("game", "number"), [("highlander", 64), ("sf_miniatures", 20)])
def test_every_given_deck_case_has_the_demanded_verdict_and_rules(game, number):
    data = json.loads((REAL / "cases" / "decks.json").read_text(encoding="utf-8"))
    cases = [case for case in data["cases"] if case["game"] == game]
    verdicts = {}
    for answer in answer_cases({**data, "cases": cases}):
        broken_rules = sorted(f["rule"] for f in answer.get("findings", ()) if f["severity"] == "error")
        verdicts[answer["id"]] = (answer.get("verdict"), broken_rules)

    assert len(cases) == number
    assert verdicts == {
        case["id"]: (case["expect"], sorted(violation["digest"] for violation in case["violations"]))
        for case in cases
    }
