"""The corrections of the errata: complete, found for the right card, and put in the place of the print."""

from __future__ import annotations

import pytest

from rules import CardFacts, Deck, Entry, check_deck, load_format, shipped_editions
from rules.games.highlander.card_view import CardReader, ErrataIndex
from rules.games.highlander.names import (
    is_master_title,
    normalize_id,
    parse_edition,
    parse_gems,
    parse_kinds,
    parse_mark,
)
from tests.rules.test_highlander_properties import CARDS, SLOTS

LISTS = load_format("highlander", "standard").lists
ENTRIES = LISTS.entries("errata")


def about(title: str, **facts: object) -> list[str]:
    """The numbers of the corrections that speak of a card."""
    return [
        str(entry["id"])
        for entry in ErrataIndex.of(LISTS).about(CardFacts.of("x", {"title": title, **facts}))
    ]


def test_all_one_hundred_and_three_are_there():
    assert [entry["id"] for entry in ENTRIES] == [f"HL-E{number:03}" for number in range(1, 104)]


def test_every_correction_has_a_clause_and_a_sentence_of_its_own_words():
    assert all(str(entry["clause"]).startswith("l.") for entry in ENTRIES)
    assert all(str(entry["says"]).endswith(".") for entry in ENTRIES)


def test_the_lists_are_dated_editions_of_1_7():
    kinds = {edition.kind: edition for edition in shipped_editions("highlander")}

    assert sorted(kinds) == ["allowances", "bans", "errata", "factions", "groups", "misprints", "weapons"]
    assert {edition.versions for edition in kinds.values()} == {("1.7",)}
    assert len(kinds["bans"].entries) == 4


FOUND = (
    ("Alertness", {"id": "4H-030"}, ["HL-E001"]),
    ("Alertness", {"id": "HSFV-055"}, ["HL-E002"]),
    ("Alertness", {"id": "HS4-024 DvK"}, ["HL-E001"]),
    ("Alertness", {"id": "HS4-024"}, []),
    ("Alertness", {}, []),
    ("Alert Block", {"id": "P04-022"}, ["HL-E003"]),
    ("Arms and Tactics", {"id": "HTG-187"}, ["HL-E007"]),
    ("Alex Johnson", {"owner": "Connor MacLeod"}, ["HL-E004"]),
    ("Alex Johnson", {"owner": "Amanda"}, []),
    ("Alex Johnson", {}, []),
    ("Amergan", {}, ["HL-E006"]),
    ("Auberon's Blade", {"id": "LG2020"}, ["HL-E010"]),
    ("Upper Center Attack", {"owner": ""}, []),
    ("Upper Center Attack", {"owner": "", "variant": "promo"}, ["HL-E013"]),
    ("English Longsword", {"owner": ""}, ["HL-E036"]),
    ("English Longsword", {"owner": "Amanda"}, []),
    ("Hand Axe", {"variant": "foil"}, ["HL-E049"]),
    ("Master's Disarm", {"id": "HM3-202"}, ["HL-E066"]),
)


@pytest.mark.parametrize(("title", "facts", "expected"), FOUND)
def test_a_correction_is_found_for_its_own_card(title, facts, expected):
    assert about(title, **facts) == expected


def test_a_correction_fills_in_what_nobody_entered():
    view = CardReader(LISTS).view(CardFacts.of("x", {"title": "Bear Attack", "id": "HS3-166"}))

    assert (view.owner, view.owner_kind, view.mark, view.restriction) == ("may ling shen", "persona", "R", 2)


def test_a_correction_takes_the_place_of_the_print():
    printed = {"title": "Auberon's Blade", "id": "LG2-020", "owner": "Antonius Kalas", "mark": "R"}
    view = CardReader(LISTS).view(CardFacts.of("x", printed))

    assert (view.owner, view.mark, view.restriction) == ("kalas", "S", 2)


def test_a_corrected_card_gets_a_note_not_a_fault():
    main = [Entry(CARDS[slot], 1) for slot in SLOTS]
    main += [Entry(CARDS[f"F{number:02}"], 6) for number in range(7, 12)]
    main += [Entry(CARDS["F13"], 4), Entry(CARDS["alert_dodge"], 1, 7)]
    deck = Deck("highlander", tuple(main), (), (Entry(CARDS["duncan"], 1),))
    verdict = check_deck(deck, load_format("highlander", "standard"))

    assert verdict.outcome == "legal"
    assert [(f.rule, f.severity, f.clause, f.lines) for f in verdict.findings] == [
        ("HL-E001", "note", "l.742", (7,))
    ]


IDS = (
    ("HtG #187", "HTG-187"),
    ("HTG-195", "HTG-195"),
    ("HS3175", "HS3-175"),
    ("HS3- 167", "HS3-167"),
    ("PO4-022", "P04-022"),
    ("RVR019", "RVR-019"),
    ("CVK024", "CVK-024"),
    ("8PP02", "8PP-02"),
    ("HN13-107", "HM3-107"),
    ("HM3-107", "HM3-107"),
    ("HN13-044 CvD", "HM3-044 CVD"),
    ("hs4-046 dvk", "HS4-046 DVK"),
    ("Q2015-006", "Q2015-006"),
    ("HTGQ-036", "HTGQ-036"),
    ("4H-030", "4H-030"),
    ("V01-056", "V01-056"),
    ("no number", "NO NUMBER"),
)


@pytest.mark.parametrize(("written", "expected"), IDS)
def test_a_card_number_is_read_however_it_is_written(written, expected):
    assert normalize_id(written) == expected


@pytest.mark.parametrize(
    ("title", "answer"),
    [
        ("master swordsman", True),
        ("a master's focus", True),
        ("masters attack", True),
        ("weapon master", True),
        ("masterpiece", False),
        ("schoolmaster", False),
        ("slash", False),
    ],
)
def test_which_titles_are_master_titles(title, answer):
    assert is_master_title(title) is answer


@pytest.mark.parametrize(
    ("written", "expected"),
    [("2E", 2), ("3rd", 3), (2, 2), ("second edition", 2), ("promo", None), ("", None), (None, None)],
)
def test_how_an_edition_is_read(written, expected):
    assert parse_edition(written) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [("R", "R"), ("S2", "S"), ("Signed", "S"), ("reserved", "R"), ("", ""), ("none", ""), (3, None)],
)
def test_how_a_mark_is_read(written, expected):
    assert parse_mark(written) == expected


def test_gems_are_read_by_letter_or_name_and_nothing_else():
    assert parse_gems({"Agility": 2, "m": 1}) == {"A": 2, "M": 1}
    assert parse_gems({"A": -1}) is None
    assert parse_gems({"Luck": 1}) is None
    assert parse_gems({"A": 1.5}) is None
    assert parse_gems([1, 2]) is None


def test_a_type_line_is_read_in_all_its_parts():
    assert parse_kinds("Situation: Mortal Ally", ["Cumulative"]) == {"situation", "mortal ally", "cumulative"}
    assert parse_kinds("Plot (stand-alone)", None) == {"plot", "stand-alone"}
    assert parse_kinds(None, None) is None


@pytest.mark.parametrize("nothing", ["", "none", "-", False])
def test_a_table_may_say_that_there_is_none(nothing):
    facts = (
        "owner",
        "mark",
        "restriction",
        "gems",
        "groups",
        "allowance",
        "admits",
        "raises",
        "lowers_minimum",
    )
    view = CardReader(LISTS).view(CardFacts.of("x", {"title": "Plain Card", **dict.fromkeys(facts, nothing)}))

    assert (view.owner, view.mark, view.restriction, view.gems, view.lowers_minimum) == ("", "", 0, {}, 0)
    assert (view.groups, view.allowance, view.admits, view.raises) == (
        frozenset(),
        frozenset(),
        frozenset(),
        {},
    )
    assert view.is_plain
