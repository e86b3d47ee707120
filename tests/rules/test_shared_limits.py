"""Limits, points, numbers of a type and affiliation.

Tests cover both sides, unknown facts, fixes and plans.
"""

from __future__ import annotations

from datetime import date

import pytest

from rules import CardFacts, Deck, Entry, check_deck
from rules.fixes import apply_fix
from rules.library import Library
from rules.plan import CardSupply, apply_plan, plan_deck
from tests.scenarios.fifth_game import EMBERHOLD, write_files

CARDS = {
    "fox": {"type": "banner", "house": "Fox"},
    "owl": {"type": "banner", "house": "Owl"},
    "mill": {"type": "holding", "house": "free"},
    "inn": {"type": "holding", "house": "Free"},
    "Old Road": {"type": "holding", "house": "free"},
    "Night Market": {"type": "holding", "house": ["Fox", "Owl"]},
    "Mirror Gate": {"type": "holding", "house": "Fox"},
    "knight": {"type": "champion", "house": "Fox", "fame": 2},
    "page": {"type": "champion", "house": "fox", "fame": 1},
    "sage": {"type": "champion", "house": "Owl", "fame": 1},
    "seer": {"type": "champion", "house": "Owl", "fame": 1},
    "giant": {"type": "champion", "house": "free", "fame": "5"},
    "Ember Crown": {"type": "event", "house": "free"},
    "Comet": {"type": "event", "house": "free"},
    "rain": {"type": "event", "house": "free"},
    "of no type": {"house": "free", "fame": 1},
    "of no house": {"type": "champion", "fame": 1},
    "of no fame": {"type": "champion", "house": "Fox"},
}


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Library:
    return Library(write_files(tmp_path_factory.mktemp("games"), EMBERHOLD))


@pytest.fixture
def duel(library):
    return library.format("emberhold", "duel", on=date(2026, 1, 1))


def facts(name: str) -> CardFacts:
    return CardFacts.of(name, {"name": name, **CARDS[name]})


def deck(deck_text: str) -> Deck:
    parts = (part.strip().split(" ", 1) for part in deck_text.split(","))
    main = tuple(Entry(facts(name), int(qty), line) for line, (qty, name) in enumerate(parts, 1))
    return Deck("emberhold", main)


LEGAL = "1 fox, 3 mill, 1 inn, 3 knight, 2 page, 2 rain"


def judge(deck_text: str, form) -> dict[str, str]:
    """Return what is broken or unknown, by its row."""
    findings = check_deck(deck(deck_text), form).findings
    return {finding.rule: finding.severity for finding in findings}


@pytest.mark.parametrize(
    ("change", "broken_rules"),
    [
        (("", ""), {}),
        (("1 inn", "1 Old Road"), {}),
        (("3 mill, 1 inn", "2 mill, 2 Old Road"), {}),
        (("3 mill, 1 inn", "1 mill, 3 Old Road"), {"EH-8": "error"}),
        (("1 inn", "1 Mirror Gate"), {}),
        (("3 mill, 1 inn", "2 mill, 2 Mirror Gate"), {"EH-8": "error"}),
        (("2 rain", "1 rain, 1 Comet"), {"EH-8": "error"}),
        (("3 mill, 1 inn, 3 knight", "2 mill, 1 Night Market, 1 inn, 2 knight, 1 Ember Crown"), {}),
        (("3 mill, 1 inn", "2 mill, 2 Night Market"), {}),
        (
            ("3 mill, 1 inn, 3 knight, 2 page", "2 mill, 2 Night Market, 3 knight, 1 page, 1 Ember Crown"),
            {"EH-9": "error"},
        ),
        (("2 page, 2 rain", "1 page, 3 rain"), {}),
        (("3 knight, 2 page, 2 rain", "3 knight, 3 rain, 1 Ember Crown"), {"EH-5": "error"}),
        (("1 inn, 3 knight, 2 page, 2 rain", "3 knight, 3 page, 2 rain"), {"EH-4": "error", "EH-7": "error"}),
        (("2 page", "2 sage"), {}),
        (("3 knight, 2 page", "2 knight, 2 sage, 1 seer"), {"EH-6": "error"}),
        (("3 knight", "2 knight, 1 owl"), {"EH-3": "error"}),
        (("1 fox, 3 mill", "1 rain, 3 mill"), {"EH-3": "error"}),
        (("2 page", "1 page, 1 giant"), {"EH-7": "error"}),
        (("3 knight", "2 knight, 1 giant"), {"EH-7": "error"}),
        (("3 knight, 2 page", "1 giant, 3 page, 1 inn"), {}),
        (("2 page", "1 page, 1 of no house"), {}),
        (("3 knight, 2 page", "2 knight, 2 sage, 1 of no house"), {"EH-6": "unknown"}),
        (("2 page", "1 page, 1 of no fame"), {"EH-7": "unknown"}),
        (("2 page, 2 rain", "2 page, 1 rain, 1 of no type"), {"EH-3": "unknown", "EH-7": "unknown"}),
    ],
)
def test_each_limit_has_two_sides(duel, change, broken_rules):
    old, new = change
    assert judge(LEGAL.replace(old, new) if old else LEGAL, duel) == broken_rules


def test_findings_say_what_is_too_much(duel):
    text = "1 fox, 3 Old Road, 1 Comet, 2 Night Market, 1 Ember Crown, 1 mill, 2 sage, 1 seer"
    messages = {finding.rule: finding.message for finding in check_deck(deck(text), duel).errors}

    assert messages["EH-8"] == (
        "Limited by Limits of May (Emberhold balance list, in force from Wed 1 May 2024): "
        "3 Old Road (maximum 2) and 1 Comet (maximum 0)."
    )
    assert messages["EH-9"] == (
        "Too many points: 7 (2 Night Market for 2 points each and 1 Ember Crown for 3 points each). "
        "The maximum is 5."
    )
    assert (
        messages["EH-6"]
        == "Cards with a different house than the leader: 2 sage and 1 seer. Only 2 are allowed."
    )


@pytest.mark.parametrize(
    "deck_text",
    [
        "1 fox, 3 Old Road, 1 Comet, 1 mill, 3 knight, 2 page, 1 rain",
        "1 fox, 2 mill, 2 Night Market, 3 knight, 1 page, 1 Ember Crown, 2 rain",
        "1 fox, 3 mill, 1 inn, 2 knight, 2 sage, 1 seer, 2 rain",
        "1 fox, 3 mill, 1 inn, 3 knight, 3 rain, 1 Ember Crown",
    ],
)
def test_the_fix_of_a_finding_mends_it(duel, deck_text):
    given_deck = deck(deck_text)
    for finding in check_deck(given_deck, duel).errors:
        assert finding.fix
        mended_deck = apply_fix(given_deck, finding.fix, lambda change: facts("inn"))
        assert finding.rule not in {each.rule for each in check_deck(mended_deck, duel).errors}


@pytest.mark.parametrize(
    ("deck_text", "cost"),
    [
        ("1 fox, 3 Old Road, 1 mill, 3 knight, 2 page, 2 rain", 2),
        ("1 fox, 2 mill, 2 Night Market, 3 knight, 1 page, 1 Ember Crown, 2 rain", 2),
        ("1 fox, 3 mill, 1 inn, 3 sage, 3 seer, 1 rain", 2),
        ("1 fox, 3 mill, 1 inn, 1 giant, 3 knight, 1 page, 2 rain", 2),
    ],
)
def test_a_plan_makes_the_deck_legal_with_fewest_changes(duel, deck_text, cost):
    given_deck = deck(deck_text)
    plan = plan_deck(given_deck, duel, CardSupply.of(map(facts, CARDS)))

    assert (plan.status, plan.cost) == ("found", cost), plan.sentences
    assert check_deck(apply_plan(given_deck, plan), duel).outcome == "legal"
