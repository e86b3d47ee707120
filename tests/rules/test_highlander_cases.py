"""Worked cases of Highlander.

Each row of the digest about deck lists has a case too.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Any

import pytest

from rules.cases import answer_cases
from tests.everyday import each_case
from tests.rules.builders import CASES, list_entries, rows_kept_and_broken

PLACES = {"UL": "Upper Left", "UC": "Upper Center", "UR": "Upper Right"}
LOWER = {"LL": "Lower Left", "LC": "Lower Center", "LR": "Lower Right"}
SLOTS = {
    **{f"A-{place}": f"{words} Attack" for place, words in (PLACES | LOWER).items()},
    **{f"B-{place}": f"{words} Block" for place, words in (PLACES | LOWER).items()},
    "A-ML": "Middle Left Attack",
    "A-MC": "Thrust",
    "A-MR": "Middle Right Attack",
}
COPIES = 6

DECK_ROWS = {
    *(f"HL-L{number:02}" for number in range(1, 64)),
    *("HL-F01", "HL-F02"),
    *(f"HL-I{number:02}" for number in range(1, 8)),
}
# Rows that no list alone can break: definitions, limits in play, and what is off by default.
ONE_SIDED = {
    *("HL-L09", "HL-L40", "HL-L41", "HL-L58", "HL-L59", "HL-L60", "HL-L56", "HL-F01", "HL-F02", "HL-I07"),
}


def pool(data: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the cards of the file, the fifteen basics and the fillers.

    All are of the second edition unless given otherwise.
    """
    cards = {key: {"edition": "2E", **card} for key, card in data["pool"].items()}
    for slot, title in SLOTS.items():
        kind = "Basic Block" if slot.startswith("B-") else "Basic Attack"
        cards[slot] = {"title": title, "type": kind, "edition": "2E", "basic": slot}
    # Every second Thrust plays as corrected.
    cards["A-MC"]["variant"] = "promo"
    for number in range(1, 21):
        cards[f"F{number:02}"] = {"title": f"Filler {number}", "type": "Situation", "edition": "2E"}
    return cards


def case(written_case: Mapping[str, Any]) -> dict[str, Any]:
    """Return a short case in the shape that `rules.cases` reads."""
    if "bare" in written_case:
        main = list_entries(written_case["bare"], COPIES)
    else:
        basics = [{"card": slot, "qty": 1} for slot in SLOTS if slot not in written_case.get("without", ())]
        added_cards = list_entries(written_case.get("add", ""), COPIES)
        rest = int(written_case.get("size", 50)) - len(basics) - sum(entry["qty"] for entry in added_cards)
        main = basics + added_cards + (list_entries(f"{rest} filler", COPIES) if rest > 0 else [])
    case_values = {
        "id": written_case["id"],
        "game": "highlander",
        "format": written_case.get("format", "standard"),
        "pool": "own",
        "main": main,
        "pregame": list_entries(written_case.get("pregame", "1 duncan"), COPIES),
        **written_case.get("options", {}),
    }
    parts = [part for part in ("card_pool", "sideboard") if part in written_case]
    return case_values | {part: list_entries(written_case[part], COPIES) for part in parts}


DATA = tomllib.loads((CASES / "highlander.toml").read_text(encoding="utf-8"))
WRITTEN = DATA["cases"]


@pytest.fixture(scope="module")
def answers_by_case() -> dict[str, dict[str, Any]]:
    file = {
        "pools": {"own": {"cards": pool(DATA)}},
        "cases": [case(written_case) for written_case in WRITTEN],
    }
    return {answer["id"]: answer for answer in answer_cases(file)}


@each_case("written_case", WRITTEN)
def test_a_case_breaks_exactly_the_rules_it_names(written_case, answers_by_case):
    answer = answers_by_case[written_case["id"]]
    broken_rules = [
        finding["rule"] for finding in answer.get("findings", ()) if finding["severity"] == "error"
    ]

    assert (answer.get("verdict"), sorted(broken_rules), answer.get("error")) == (
        "illegal" if written_case.get("broken") else "legal",
        sorted(written_case.get("broken", ())),
        None,
    )


def test_every_answer_can_be_written_as_json(answers_by_case):
    assert all(json.loads(json.dumps(answer)) == answer for answer in answers_by_case.values())


def test_no_deck_rule_of_the_digest_is_without_a_case():
    assert DECK_ROWS - {row for written_case in WRITTEN for row in written_case["rows"]} == set()


def test_a_row_that_can_be_broken_has_a_case_on_either_side():
    kept_rows, broken_rules = rows_kept_and_broken(WRITTEN)

    assert DECK_ROWS - ONE_SIDED - (kept_rows & broken_rules) == set()


def test_case_names_are_unique():
    names = [written_case["id"] for written_case in WRITTEN]

    assert len(names) == len(set(names))
