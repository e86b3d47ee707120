"""The worked cases of the project.

No deck rule of the digest is left without one.
"""

from __future__ import annotations

import pytest

from rules.cases import answer_cases
from tests.everyday import each_case
from tests.rules.builders import case_file

FILES = ("ufs.toml", "cfc.toml")

# Rows of the digest that speak of a deck list, an exchange or the identity of cards.
DECK_ROWS = {
    "ufs.toml": {
        *(f"UFS-L{number:02}" for number in range(1, 27)),
        *(f"UFS-B{number}" for number in range(20, 24)),
        *(f"UFS-I{number:02}" for number in range(1, 8)),
        "UFS-T09",
        "UFS-T11",
    },
    "cfc.toml": {f"CFC-L{number:02}" for number in range(1, 8)},
}

# Rows that can be broken by a list, so that each needs both a legal and an illegal case.
TWO_SIDED = {
    "ufs.toml": {
        *("UFS-L01", "UFS-L02", "UFS-L03", "UFS-L04", "UFS-L06", "UFS-L08", "UFS-L09", "UFS-L13", "UFS-L15"),
        *("UFS-L17", "UFS-L22", "UFS-L23", "UFS-L24", "UFS-L25", "UFS-I01", "UFS-I02", "UFS-I04", "UFS-I05"),
        *("UFS-I06", "UFS-B21"),
    },
    "cfc.toml": {"CFC-L01", "CFC-L02", "CFC-L05"},
}

CASES = [(name, case) for name in FILES for case in case_file(name)["cases"]]


@pytest.fixture(scope="module")
def answers_by_case() -> dict[tuple[str, str], dict[str, object]]:
    return {(name, answer["id"]): answer for name in FILES for answer in answer_cases(case_file(name))}


@each_case(("name", "case"), CASES)
def test_a_case_breaks_exactly_the_rules_it_names(name, case, answers_by_case):
    answer = answers_by_case[name, case["id"]]
    broken_rules = [
        finding["rule"] for finding in answer.get("findings", ()) if finding["severity"] == "error"
    ]

    assert (answer.get("verdict"), sorted(broken_rules), answer.get("error")) == (
        "illegal" if case.get("broken") else "legal",
        sorted(case.get("broken", ())),
        None,
    )


@pytest.mark.parametrize("name", FILES)
def test_no_deck_rule_of_the_digest_is_without_a_case(name):
    rows = {row for case in case_file(name)["cases"] for row in case["rows"]}

    assert DECK_ROWS[name] - rows == set()


@pytest.mark.parametrize("name", FILES)
def test_a_rule_that_can_be_broken_has_a_case_on_either_side(name):
    cases = case_file(name)["cases"]
    rows = {row for case in cases if not case.get("broken") for row in case["rows"]}
    broken_rules = {row for case in cases if case.get("broken") for row in case["rows"]}

    assert TWO_SIDED[name] - (rows & broken_rules) == set()


@pytest.mark.parametrize("name", FILES)
def test_case_names_are_unique(name):
    names = [case["id"] for case in case_file(name)["cases"]]

    assert len(names) == len(set(names))
