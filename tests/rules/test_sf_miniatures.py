"""Street Fighter miniatures: battle decks and registered matches.

What is not known of them is covered too.
"""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import CardFacts, Deck, Entry, check_deck, format_names, load_format
from rules.cases import answer_cases
from rules.fixes import apply_fix
from tests import machine
from tests.everyday import each_case
from tests.rules.builders import CASES, rows_kept_and_broken

WRITTEN = tomllib.loads((CASES / "sf_miniatures.toml").read_text(encoding="utf-8"))["cases"]
DECK_ROWS = {f"SFM-L{number:02}" for number in range(1, 16)}
# Rules that only advise, or change nothing.
ONE_SIDED = {"SFM-L03", "SFM-L09", "SFM-L15"}

CARDS = {
    **{
        kind: {"name": f"Ryu's {kind}", "kind": kind, "owner": "Ryu"}
        for kind in ("attack", "character_event")
    },
    **{kind: {"name": f"Ryu's {kind}", "kind": kind, "owner": "Ryu"} for kind in ("super", "character_card")},
    "bait": {"name": "Bait!", "kind": "bait"},
    "focus": {"name": "Focus Attack", "kind": "focus"},
    "attack_of_ken": {"name": "Ken's attack", "kind": "attack", "owner": "Ken"},
}


def _case(written_case: dict[str, Any]) -> dict[str, Any]:
    case_values = {
        "id": written_case["id"],
        "game": "sf_miniatures",
        "pool": "own",
        **written_case.get("options", {}),
    }
    if "deck" in written_case:
        main = [{"card": key, "qty": qty} for key, qty in written_case["deck"].items()]
        return {
            **case_values,
            "kind": "battle_deck",
            "format": "battle_deck",
            "character": "Ryu",
            "main": main,
        }
    sides = [{"characters": side} for side in written_case["sides"]]
    return {
        **case_values,
        "kind": "match_registration",
        "format": written_case["mode"],
        "mode": written_case["mode"],
        "sides": sides,
    }


@pytest.fixture(scope="module")
def answers_by_case() -> dict[str, dict[str, Any]]:
    file = {"pools": {"own": {"cards": CARDS}}, "cases": [_case(written_case) for written_case in WRITTEN]}
    return {answer["id"]: answer for answer in answer_cases(file)}


@each_case("written_case", WRITTEN)
def test_a_case_breaks_exactly_the_rules_it_names(written_case, answers_by_case):
    answer = answers_by_case[written_case["id"]]
    values = {"error": [], "warning": []}
    for finding in answer.get("findings", ()):
        values[finding["severity"]].append(finding["rule"])

    assert (answer.get("verdict"), sorted(values["error"]), values["warning"], answer.get("error")) == (
        "illegal" if written_case.get("broken") else "legal",
        sorted(written_case.get("broken", ())),
        written_case.get("warned", []),
        None,
    )


def test_every_answer_can_be_written_as_json(answers_by_case):
    assert all(json.loads(json.dumps(answer)) == answer for answer in answers_by_case.values())


def test_no_deck_rule_of_the_digest_is_without_a_case():
    assert DECK_ROWS - {row for written_case in WRITTEN for row in written_case["rows"]} == set()


def test_a_row_that_can_be_broken_has_a_case_on_either_side():
    kept_rows, broken_rules = rows_kept_and_broken(WRITTEN)

    assert DECK_ROWS - ONE_SIDED - (kept_rows & broken_rules) == set()


def test_every_mode_is_a_format():
    assert format_names("sf_miniatures") == (
        *("battle_deck", "versus", "classic_arcade", "3-on-3", "ffa"),
        *("2v2", "3v3", "2v2v2", "tag2", "tag3", "tag2v2v2"),
    )


def _deck(*counted_cards: tuple[int, CardFacts], **options: object) -> Deck:
    main = tuple(Entry(card, qty, line) for line, (qty, card) in enumerate(counted_cards, 1))
    return Deck("sf_miniatures", main, options={"character": "Ryu", **options})


def _ryu(kind: str, **more: object) -> CardFacts:
    return CardFacts.of(f"ryu_{kind}", {"name": f"Ryu {kind}", "kind": kind, "owner": "Ryu", **more})


BAIT = CardFacts.of("bait", {"name": "Bait!", "kind": "bait"})
FOCUS = CardFacts.of("focus", {"name": "Focus Attack", "kind": "focus"})
WHOLE = ((26, _ryu("attack")), (6, _ryu("character_event")), (4, BAIT), (2, FOCUS), (2, _ryu("super")))


def test_a_deck_without_a_named_character_cannot_be_checked():
    verdict = check_deck(_deck(*WHOLE, character=None), load_format("sf_miniatures", "battle_deck"))

    assert verdict.outcome == "unknown"
    assert [fact.fact for fact in verdict.unknowns] == ["character"]


def test_a_card_of_unknown_kind_may_be_the_missing_bait():
    riddle = CardFacts.of("riddle", {"name": "Riddle", "owner": "Ryu"})
    counted_cards = (*WHOLE[:2], (3, BAIT), *WHOLE[3:], (1, riddle))
    verdict = check_deck(_deck(*counted_cards), load_format("sf_miniatures", "battle_deck"))

    assert verdict.outcome == "unknown"
    assert [(fact.fact, fact.card) for fact in verdict.unknowns] == [("kind", "riddle")]


def test_a_card_of_unknown_kind_may_be_one_bait_too_many():
    riddle = CardFacts.of("riddle", {"name": "Riddle", "owner": "Ryu"})
    verdict = check_deck(
        _deck((25, _ryu("attack")), (1, riddle), *WHOLE[1:]), load_format("sf_miniatures", "battle_deck")
    )

    assert [finding.message for finding in verdict.findings] == [
        "Cannot check whether the deck has 4 Bait!, 2 Focus Attack and 2 Super."
    ]


def test_a_card_with_a_type_of_attack_is_an_attack_card():
    blow = CardFacts.of("blow", {"name": "Blow", "owner": "Ryu", "attack_type": "Strike"})
    deck = _deck((25, _ryu("attack")), (1, blow), *WHOLE[1:])

    assert check_deck(deck, load_format("sf_miniatures", "battle_deck")).outcome == "legal"


def test_a_card_of_unknown_kind_does_not_save_a_deck_with_too_many_baits():
    riddle = CardFacts.of("riddle", {"name": "Riddle", "owner": "Ryu"})
    counted_cards = ((24, _ryu("attack")), WHOLE[1], (5, BAIT), WHOLE[3], (1, _ryu("super")), (2, riddle))
    verdict = check_deck(_deck(*counted_cards), load_format("sf_miniatures", "battle_deck"))

    assert [finding.rule for finding in verdict.errors] == ["SFM-L02"]


UNTOLD = (
    ("versus", {}, "sides"),
    ("2v2", {"sides": [["Ryu", "Ken"], ["Vega", "Sagat"]], "competitive": True}, "partners_preset"),
    ("versus", {"sides": [["Ryu"], ["Ken"]], "time_out": True}, "time_out_agreed"),
    ("versus", {"sides": [["Ryu"], ["Ryu"]], "mirror": True}, "core_sets"),
    ("versus", {"sides": [["Boss X"], ["Boss X"]], "mirror": True}, "expansion_sets"),
)


@each_case(("mode", "options", "fact"), UNTOLD)
def test_what_a_registration_does_not_tell_is_named(mode, options, fact):
    verdict = check_deck(Deck("sf_miniatures", (), options=options), load_format("sf_miniatures", mode))

    assert (verdict.outcome, [f.fact for f in verdict.unknowns]) == ("unknown", [fact])


MENDABLE = [
    written_case for written_case in WRITTEN if written_case.get("broken") and "deck" not in written_case
]


@each_case("written_case", MENDABLE)
def test_the_smallest_change_mends_its_finding(written_case):
    case = _case(written_case)
    options = {
        key: value for key, value in case.items() if key not in ("id", "game", "pool", "kind", "format")
    }
    form = load_format("sf_miniatures", written_case["mode"])
    deck = Deck("sf_miniatures", (), options=options)

    for finding in check_deck(deck, form).errors:
        assert finding.fix is not None, finding
        if finding.fix.changes:
            mended_deck = apply_fix(deck, finding.fix, lambda change: BAIT)
            assert finding.rule not in [error.rule for error in check_deck(mended_deck, form).errors]


SIDES = st.lists(
    st.lists(st.sampled_from(("Ryu", "Ken", "Boss X")), min_size=3, max_size=3), min_size=2, max_size=2
)
SETS = st.sampled_from((None, 1, 2, 3))


@settings(max_examples=machine.examples(10), deadline=None)
@given(SIDES, st.sampled_from((None, True, False)), SETS, SETS)
def test_a_character_fights_as_often_as_sets_and_a_declared_mirror_allow(
    sides: list[list[str]], mirror: bool | None, core: int | None, expansion: int | None
) -> None:
    options = {"sides": sides, "mirror": mirror, "core_sets": core, "expansion_sets": expansion}
    verdict = check_deck(Deck("sf_miniatures", (), options=options), load_format("sf_miniatures", "3-on-3"))
    fighters = [name for side in sides for name in side]
    counts = [
        (fighters.count(name), expansion if name == "Boss X" else core)
        for name in set(fighters)
        if fighters.count(name) > 1
    ]

    assert {finding.rule for finding in verdict.errors} == {
        *(("SFM-L07",) if mirror and any(sets and often > sets for often, sets in counts) else ()),
        *(("SFM-L06",) if mirror is False and counts else ()),
        *(("SFM-L06",) if mirror is None and any(often > (sets or 1) for often, sets in counts) else ()),
    }
    assert bool(verdict.unknowns) == (mirror is True and any(sets is None for _, sets in counts))


def test_what_the_rulebook_leaves_open_is_marked_as_a_reading() -> None:
    form = load_format("sf_miniatures", "3-on-3")
    two_players = load_format("sf_miniatures", "3-on-3", overlay={"readings": {"time_out": "two_players"}})
    bases = {condition.key: condition.basis for condition in form.conditions()}
    agreed_options = {"sides": [["Ryu", "Ken", "Vega"], ["Sagat", "Chun-Li", "Zangief"]], "time_out": True}
    deck = Deck("sf_miniatures", (), options={**agreed_options, "time_out_agreed": True})
    rule = form.rule("time_out")

    assert (rule.basis if rule else None, bases["power_up"], bases["power_up_rounds"]) == (
        "reading",
        "stated",
        "reading",
    )
    assert [f.rule for f in check_deck(deck, form).errors] == ["SFM-L14"]
    assert check_deck(deck, two_players).outcome == "legal"
