"""Properties of every Highlander list."""

from __future__ import annotations

import json
import random
import tomllib
from dataclasses import replace
from itertools import cycle
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules import CardFacts, Deck, Entry, check_deck, format_names, load_format
from rules.cases import answer_cases
from rules.finding import Change
from rules.fixes import apply_fix
from rules.library import get_shipped_library
from tests import machine
from tests.everyday import each_case
from tests.rules.builders import CASES
from tests.rules.test_highlander_cases import SLOTS, WRITTEN, case, pool

FEW = settings(max_examples=machine.examples(3), deadline=None, suppress_health_check=[HealthCheck.too_slow])
FORMATS = format_names("highlander")

DEFAULTS = get_shipped_library().game("highlander").case_defaults
RECORDS = pool(tomllib.loads((CASES / "highlander.toml").read_text(encoding="utf-8")))
CARDS = {key: CardFacts.of(key, {**DEFAULTS, **record}) for key, record in RECORDS.items()}
PREGAME = sorted(
    key
    for key, card in CARDS.items()
    if str(card.get("type"))
    in {"Persona", "Weapon of Choice", "Crystal", "Quickening", "Watcher", "Hunter", "other"}
)
IN_DECK = sorted(set(CARDS) - set(PREGAME) - {f"F{number:02}" for number in range(7, 21)})


def make_entries(counted_cards: list[tuple[str, int]]) -> tuple[Entry, ...]:
    return tuple(Entry(CARDS[key], qty, line) for line, (key, qty) in enumerate(counted_cards, 1))


@st.composite
def decks(draw: st.DrawFn) -> Deck:
    """Return decks of basics, fillers, some odd cards, and some pre-game cards.

    The fillers bring a deck up to about the size.
    """
    odd = draw(st.lists(st.tuples(st.sampled_from(IN_DECK), st.integers(1, 7)), max_size=5))
    fill = [(f"F{number:02}", 6) for number in range(7, draw(st.integers(11, 14)))]
    before = [
        ("duncan", 1),
        *draw(st.lists(st.tuples(st.sampled_from(PREGAME), st.integers(1, 2)), max_size=4)),
    ]
    options: dict[str, Any] = {
        "sleeved": draw(st.sampled_from((None, True, False))),
        "gem_sheet": draw(st.sampled_from((None, True, False))),
        "gem_assignment": draw(st.sampled_from((None, {"A": 14}, {"A": 7, "S": 3}))),
        "bonus": {"hilt": CARDS["hilt"]} if draw(st.booleans()) else {},
        "persona_has": draw(st.sampled_from((None, {}, {"hilt": True}))),
        "starting_ability": draw(st.sampled_from((None, 10, 15))),
    }
    slots = [(slot, 1) for slot in SLOTS]
    return Deck("highlander", make_entries(slots + fill + odd), (), make_entries(before), None, options)


@FEW
@given(decks(), st.sampled_from(FORMATS), st.randoms(use_true_random=False))
def test_the_order_of_lines_never_changes_a_verdict(deck: Deck, key: str, chance: random.Random):
    shuffled_deck = deck.with_zones(
        {zone: chance.sample(getattr(deck, zone), len(getattr(deck, zone))) for zone in ("main", "pregame")}
    )
    before, after = (check_deck(each, load_format("highlander", key)) for each in (deck, shuffled_deck))

    assert {(f.rule, f.severity) for f in after.findings} == {(f.rule, f.severity) for f in before.findings}


# Only errata bind cards to others, so a card that says nothing is not bound.
TAKEN_AS_TOLD = {"title", "persona_only", "needs_weapon", "forbids_titles"}


@FEW
@given(decks(), st.sampled_from(FORMATS), st.randoms(use_true_random=False))
def test_forgetting_facts_leaves_the_verdict_or_makes_it_unknown(deck: Deck, key: str, chance: random.Random):
    entries = (*deck.main, *deck.pregame)
    forgetful = {
        key: _forget(card, chance) for key, card in {each.card.key: each.card for each in entries}.items()
    }
    zones = {
        zone: [replace(entry, card=forgetful[entry.card.key]) for entry in getattr(deck, zone)]
        for zone in ("main", "pregame")
    }
    form = load_format("highlander", key)
    known_outcome, vague = check_deck(deck, form).outcome, check_deck(deck.with_zones(zones), form).outcome

    assert vague in {known_outcome, "unknown"}


def _forget(card: CardFacts, chance: random.Random) -> CardFacts:
    """Return a card with some unknown facts, or one that no catalogue has."""
    if chance.random() < 0.02:
        return CardFacts(card.key, card.name, {}, in_catalogue=False)
    if chance.random() < 0.8:
        return card
    known_facts = {
        fact: value
        for fact, value in card.attributes.items()
        if fact in TAKEN_AS_TOLD or chance.random() < 0.7
    }
    return CardFacts(card.key, card.name, known_facts)


@FEW
@given(decks(), st.sampled_from(IN_DECK), st.integers(1, 4))
def test_adding_a_card_never_mends_a_fault_of_too_many(deck: Deck, key: str, qty: int):
    more = deck.with_zones({"main": (*deck.main, Entry(CARDS[key], qty))})
    form = load_format("highlander", "standard")
    too_many = {"HL-L05", "HL-L06", "HL-L14", "HL-L17", "HL-L36", "HL-L37"}
    before, after = ({f.rule for f in check_deck(each, form).errors} for each in (deck, more))

    assert before & too_many <= after


@FEW
@given(decks(), st.sampled_from(FORMATS))
def test_every_finding_is_a_sentence_with_a_clause_and_comes_once(deck: Deck, key: str):
    findings = check_deck(deck, load_format("highlander", key)).findings
    places = [(f.rule, f.severity) for f in findings]

    assert len(places) == len(set(places))
    for finding in findings:
        assert finding.message[0].isupper() or finding.message[0].isdigit()
        assert finding.message.endswith((".", "!"))
        assert finding.clause
        assert finding.version == "1.7"


# Fillers that no deck here holds, so that a fix never causes another fault.
FRESH = cycle(f"F{number}" for number in range(15, 21))


def supply(change: Change) -> CardFacts:
    """Return a card that fits what a fix asks for.

    It is a basic, a persona, a lean card, or a filler.
    """
    wanted_facts = dict(change.wanted_facts or {})
    if "basic" in wanted_facts:
        return CARDS[str(wanted_facts["basic"])]
    if wanted_facts.get("type") == "Persona":
        return CARDS["amanda" if wanted_facts.get("gender") == "F" else "duncan"]
    if wanted_facts.get("type") == "Weapon of Choice":
        own = {"title": "Own Weapon", "edition": "2E", "hand_icons": 1, "owner_kind": "persona"}
        return CardFacts.of("own weapon", {**DEFAULTS, **own, **wanted_facts})
    named_cards = (
        card
        for card in CARDS.values()
        if card.name == wanted_facts.get("title") and wanted_facts.get("id") in (None, card.get("id"))
    )
    return next(named_cards, None) or CARDS[next(FRESH)]


BROKEN = [written_case for written_case in WRITTEN if written_case.get("broken")]


@each_case("written_case", BROKEN)
def test_the_smallest_change_mends_its_finding(written_case):
    built_case = case(written_case)
    form = load_format("highlander", built_case["format"])
    options = {
        k: v
        for k, v in built_case.items()
        if k not in ("id", "game", "format", "pool", "main", "pregame", "card_pool")
    }
    if "bonus" in options:
        options["bonus"] = {kind: CARDS.get(str(key), key) for kind, key in options["bonus"].items()}
    pairs_by_zone = {
        zone: [(e["card"], e["qty"]) for e in built_case.get(zone, ())]
        for zone in ("main", "pregame", "card_pool")
    }
    pool_text = make_entries(pairs_by_zone["card_pool"]) if "card_pool" in built_case else None
    deck = Deck(
        "highlander",
        make_entries(pairs_by_zone["main"]),
        (),
        make_entries(pairs_by_zone["pregame"]),
        pool_text,
        options,
    )

    for finding in check_deck(deck, form).errors:
        assert finding.fix is not None, finding
        if finding.fix.changes:
            mended_deck = apply_fix(deck, finding.fix, supply)
            assert finding.rule not in {error.rule for error in check_deck(mended_deck, form).errors}, (
                finding.fix
            )


ODD = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-2, 20), st.sampled_from(("", "Persona", "A", "Kalas", "R2"))
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(st.sampled_from(("A", "hilt")), inner, max_size=2)
    ),
    max_leaves=4,
)
ATTRIBUTES = sorted({name for record in RECORDS.values() for name in record} | set(DEFAULTS))
OPTIONS = (
    *("sleeved", "gem_sheet", "gem_assignment", "bonus", "persona_has", "starting_ability"),
    *("substitutions", "restriction_raise"),
)


@settings(max_examples=machine.examples(4), deadline=None)
@given(
    st.lists(st.dictionaries(st.sampled_from(ATTRIBUTES), ODD, max_size=6), max_size=3),
    st.dictionaries(st.sampled_from(OPTIONS), ODD, max_size=3),
    st.sampled_from(FORMATS),
)
def test_no_card_and_no_option_whatever_raises(
    records: list[dict[str, Any]], options: dict[str, Any], key: str
):
    odd = [Entry(CardFacts.of(f"odd{place}", {**record}), 2, place) for place, record in enumerate(records)]
    deck = Deck(
        "highlander",
        (*make_entries([("two", 3)]), *odd),
        (),
        (*make_entries([("duncan", 1)]), *odd),
        None,
        options,
    )

    verdict = check_deck(deck, load_format("highlander", key))

    assert verdict.outcome in ("legal", "illegal", "unknown")
    assert json.dumps(verdict.to_json())


def test_a_case_of_odd_shape_is_answered_not_raised():
    odd = [
        {
            "id": 1,
            "game": "highlander",
            "format": "standard",
            "main": [{"card": "two"}, {"card": "two"}, "two", 3],
        },
        {"id": 2, "game": "highlander", "format": "plot_hilt", "main": None, "pregame": 5, "bonus": "hilt"},
        {"id": 3, "game": "highlander", "format": "sealed", "card_pool": []},
        {"id": 4, "game": "highlander", "format": "nonsense"},
    ]
    case_answers = list(answer_cases({"pools": {}, "cases": odd}))

    assert [answer["id"] for answer in case_answers] == [1, 2, 3, 4]
    assert [answer.get("verdict") for answer in case_answers[:3]] == ["illegal", "illegal", "legal"]
    assert "nonsense" in str(case_answers[3]["error"])


@FEW
@given(decks(), st.sampled_from(FORMATS))
def test_the_smallest_change_mends_its_finding_in_any_deck(deck: Deck, key: str):
    form = load_format("highlander", key)
    for finding in check_deck(deck, form).errors:
        assert finding.fix is not None, finding
        if finding.fix.changes:
            mended_deck = apply_fix(deck, finding.fix, supply)
            assert finding.rule not in {error.rule for error in check_deck(mended_deck, form).errors}, (
                finding.fix
            )
