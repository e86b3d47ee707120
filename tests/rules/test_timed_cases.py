"""Worked examples of timed rounds.

An example that cannot be read is answered with a sentence.
"""

from __future__ import annotations

import json
import tomllib
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules import timed
from rules.cases import answer_cases
from rules.rendering import say
from tests import machine
from tests.everyday import each_case
from tests.rules.builders import CASES

WRITTEN = tomllib.loads((CASES / "timed.toml").read_text(encoding="utf-8"))["cases"]

TIMED_ROWS = {
    *(f"UFS-T{number:02}" for number in (1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12)),
    *(f"UFS-T{number:02}" for number in (15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25)),
    *(f"HL-T{number:02}" for number in range(1, 9)),
    *("HL-A02", "HL-F01", "HL-L40", "HL-L42"),
    *(f"SFM-T{number:02}" for number in range(3, 9)),
}


def _without_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_null(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_without_null(part) for part in value]
    return None if value == "null" else value


def _case(written_case: dict[str, Any]) -> dict[str, Any]:
    return {**_without_null(written_case), "rules_version": written_case.get("version")}


@each_case("written_case", WRITTEN)
def test_an_example_is_answered_as_it_says(written_case):
    case = _case(written_case)
    answer = timed.answer(case)

    assert {key: answer.get(key, "no such key") for key in case["expect"]} == case["expect"]


def test_no_timed_rule_of_the_digest_is_without_an_example():
    assert TIMED_ROWS - {row for written_case in WRITTEN for row in written_case["rows"]} == set()


def test_example_names_are_unique():
    names = [written_case["id"] for written_case in WRITTEN]

    assert len(names) == len(set(names))


def test_examples_run_through_the_file_of_cases_as_well():
    cases = [_case(written_case) for written_case in WRITTEN]
    case_answers = list(answer_cases({"cases": cases}))

    assert case_answers == [{"id": case["id"], **timed.answer(case)} for case in cases]
    assert json.loads(json.dumps(case_answers)) == case_answers


UNREADABLE = (
    ({}, say("problem", "case-no-input")),
    ({"input": {}, "game": "chess"}, "There is no game chess"),
    ({"input": {}, "game": "ufs", "kind": "nonsense"}, "ufs has no kind nonsense"),
    (
        {"input": {"stage": "swiss", "games_won": "two"}, "game": "ufs", "kind": "time_called"},
        "two whole numbers",
    ),
    ({"input": {"stage": "picnic"}, "game": "ufs", "kind": "time_called"}, "'picnic' is not a known stage"),
    ({"input": {}, "game": "ufs", "kind": "time_called"}, "stage is missing"),
    (
        {"input": {"stage": "swiss"}, "game": "ufs", "kind": "time_called", "rules_version": "7"},
        "no version 7",
    ),
    ({"input": {}, "game": "ufs", "kind": "clock_or_procedure"}, "names no known question"),
    ({"input": {"players": 1}, "game": "highlander", "kind": "double_elimination"}, "two players or more"),
    (
        {"input": {"final": "A"}, "game": "highlander", "kind": "double_elimination_state"},
        "A does not name two",
    ),
    ({"input": {"event": "rain"}, "game": "sf_miniatures", "kind": "round_end"}, "rain is not a known end"),
    ({"input": {"mode": "4v4"}, "game": "sf_miniatures", "kind": "round_end"}, "4v4 is not a mode."),
)


@each_case(("case", "sentence"), UNREADABLE)
def test_an_example_that_cannot_be_read_is_answered_with_a_sentence(case, sentence):
    error = timed.answer(case)["error"]

    assert sentence in str(error)


KINDS = sorted({(written_case["game"], written_case["kind"]) for written_case in WRITTEN})
KEYS = sorted({key for written_case in WRITTEN for key in written_case["input"]})
VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 40),
        st.sampled_from(("A", "B", "swiss", "versus", "draft", "draw from empty deck", "2016-01-01", "")),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(("A", "B", "rank", "turn")), inner, max_size=3),
    ),
    max_leaves=6,
)


@settings(max_examples=machine.examples(8), deadline=None)
@given(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=5))
def test_no_input_whatever_raises(kind: tuple[str, str], given_input: dict[str, Any]):
    answer = timed.answer({"game": kind[0], "kind": kind[1], "input": given_input})

    assert isinstance(answer, dict)
    assert answer
