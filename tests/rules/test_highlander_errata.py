"""The corrections of the errata.

They are complete, found for the right card, and applied instead of the print.
"""

from __future__ import annotations

import re

from rules import CardFacts, Deck, Entry, check_deck, load_format, shipped_editions
from rules.games.highlander.card_view import CardReader
from rules.games.highlander.errata import ErrataIndex
from rules.games.highlander.names import (
    is_master_title,
    normalize_id,
    parse_edition,
    parse_gems,
    parse_kinds,
    parse_mark,
)
from tests.everyday import each_case
from tests.rules.test_highlander_properties import CARDS, SLOTS

LISTS = load_format("highlander", "standard").lists
ENTRIES = LISTS.entries("errata")


def about(title: str, **facts: object) -> list[str]:
    """Return the numbers of the corrections that speak of a card."""
    return [
        str(entry["id"])
        for entry in ErrataIndex.of(LISTS).about(CardFacts.of("x", {"title": title, **facts}))
    ]


def test_all_corrections_and_rulings_are_there():
    assert [entry["id"] for entry in ENTRIES] == [f"HL-E{number:03}" for number in range(1, 116)]


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
    ("Cat And Mouse", {"type": "Plot"}, ["HL-E104"]),
    ("Cat And Mouse", {"type": "Event"}, []),
    ("Quickening", {"of": "Colin MacLeod"}, ["HL-E105"]),
    ("James Horton", {"id": "TS1-037"}, ["HL-E106"]),
    ("James Horton", {"id": "TS1-038"}, []),
    ("Master's Disarm", {"owner": "Iman Fasil"}, ["HL-E107"]),
    ("Mako", {"type": "Persona"}, ["HL-E108"]),
    ("Mako", {"type": "Event"}, []),
    ("Anthony Galen", {"type": "Persona"}, ["HL-E109"]),
    ("Thrown Dagger", {"owner": "Grayson"}, ["HL-E115"]),
    ("Thrown Dagger", {"owner": "Kalas"}, []),
    ("Arms and Tactics", {"id": "HTG-187"}, ["HL-E007"]),
    ("Alex Johnson", {"owner": "Connor MacLeod"}, ["HL-E004"]),
    ("Alex Johnson", {"owner": "Amanda"}, []),
    ("Alex Johnson", {}, []),
    ("Amergan", {"type": "Event"}, ["HL-E006"]),
    ("Amergan", {"type": "Pre-Game"}, []),
    ("Amergan", {"type": "Pre-Game: Event"}, []),
    ("Amergan", {}, []),
    ("Chainsaw", {"type": "Pre-Game"}, ["HL-E023"]),
    ("Chainsaw", {"type": "Object"}, []),
    ("Thrust", {"owner": ""}, ["HL-E012"]),
    ("Thrust", {"owner_kind": "generic"}, ["HL-E012"]),
    ("Thrust", {"owner": "", "variant": "promo"}, []),
    ("Thrust", {"owner": "Broad-Bladed Spear"}, []),
    ("Thrust", {}, ["HL-E012"]),
    ("Thrust", {"variant": "promo"}, []),
    ("Thrust", {"owner_kind": "weapon", "owner": "Gladius"}, []),
    ("Extra Weapon", {}, ["HL-E042"]),
    ("Extra Weapon", {"owner": "Amanda"}, ["HL-E042"]),
    ("Cautious Advance", {"id": "V01-056"}, ["HL-E022"]),
    ("Cautious Advance", {"id": "V01-057"}, []),
    ("Kanwulf", {"id": "HS4-104"}, ["HL-E054"]),
    ("Kanwulf", {"id": "HS4-105", "type": "Persona Premium"}, ["HL-E054"]),
    ("Kanwulf", {"id": "HS4-105", "type": "Persona", "variant": "premium"}, ["HL-E054"]),
    ("Kanwulf", {"id": "HS4-105", "type": "Persona"}, []),
    ("Quickening", {"of": "Kanwulf", "id": "HTGQ-012"}, ["HL-E054"]),
    ("Quickening", {"of": "Talia Bauer"}, ["HL-E088"]),
    ("Quickening", {"of": "Amanda"}, []),
    ("Talia Bauer Q", {}, ["HL-E088"]),
    ("Talia Bauer", {"type": "Persona"}, []),
    ("Lower Left Block", {"variant": "Season Two"}, ["HL-E083"]),
    ("Lower Left Block", {"variant": "Season One"}, []),
    ("Lower Left Attack", {"variant": "Season Two"}, []),
    ("Pistol", {"set": "MC"}, ["HL-E078", "HL-E114"]),
    ("Pistol", {"set": "HS1"}, ["HL-E114"]),
    ("Hunter Prone", {}, ["HL-E052"]),
    ("Hunter", {"variant": "Disarmed"}, []),
    ("Kit O'Brady", {"id": "HS4-124"}, ["HL-E057"]),
    ("Kit O'Brady", {"id": "HS4-125"}, []),
    ("Dirty Trick", {"variant": "Bloodied Nose"}, ["HL-E027"]),
    ("Dirty Trick", {"variant": "Leg Sweep"}, []),
    ("Bear Attack", {"id": "HS3-168"}, []),
    ("Conqueror's Hilt", {"owner": "Amanda"}, []),
    ("Auberon's Blade", {"id": "LG2020"}, ["HL-E010"]),
    ("Upper Center Attack", {"owner": ""}, []),
    ("Upper Center Attack", {"owner": "", "variant": "promo"}, ["HL-E013"]),
    ("English Longsword", {"owner": ""}, ["HL-E036"]),
    ("English Longsword", {"owner": "Amanda"}, []),
    ("Hand Axe", {"variant": "foil", "type": "Weapon of Choice"}, ["HL-E049"]),
    ("Hand Axe", {"variant": "foil", "type": "Object"}, []),
    ("Hand Axe", {"type": "Weapon of Choice"}, []),
    ("Master's Disarm", {"id": "HM3-202"}, ["HL-E066"]),
)


@each_case(("title", "facts", "is_expected"), FOUND)
def test_a_correction_is_found_for_its_own_card(title, facts, is_expected):
    assert about(title, **facts) == is_expected


def test_a_correction_fills_in_facts_that_are_not_entered():
    view = CardReader(LISTS).view(CardFacts.of("x", {"title": "Bear Attack", "id": "HS3-166"}))

    assert (view.owner, view.owner_kind, view.mark, view.restriction) == ("may ling shen", "persona", "R", 2)


def test_a_correction_takes_the_place_of_the_print():
    printed_card = {"title": "Auberon's Blade", "id": "LG2-020", "owner": "Antonius Kalas", "mark": "R"}
    view = CardReader(LISTS).view(CardFacts.of("x", printed_card))

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


@each_case(("written_value", "is_expected"), IDS)
def test_a_card_number_is_read_however_it_is_written(written_value, is_expected):
    assert normalize_id(written_value) == is_expected


@each_case(
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


@each_case(
    ("written_value", "is_expected"),
    [("2E", 2), ("3rd", 3), (2, 2), ("second edition", 2), ("promo", None), ("", None), (None, None)],
)
def test_how_an_edition_is_read(written_value, is_expected):
    assert parse_edition(written_value) == is_expected


@each_case(
    ("written_value", "is_expected"),
    [("R", "R"), ("S2", "S"), ("Signed", "S"), ("reserved", "R"), ("", ""), ("none", ""), (3, None)],
)
def test_how_a_mark_is_read(written_value, is_expected):
    assert parse_mark(written_value) == is_expected


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


@each_case("nothing", ["", "none", "-", False])
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


def test_no_correction_makes_a_card_generic_that_the_document_does_not_call_so():
    generic = [entry["id"] for entry in ENTRIES if entry.get("owner_kind") == "generic"]

    assert generic == ["HL-E001", "HL-E002", "HL-E028", "HL-E036", "HL-E045"]


def test_a_correction_without_an_owner_leaves_the_owner_open():
    view = CardReader(LISTS).view(CardFacts.of("x", {"title": "Protected Resources", "id": "HSFV-134"}))

    assert (view.owner, view.restriction) == (None, 2)


@each_case("entry", [e for e in ENTRIES if e.get("ids")])
def test_a_number_off_by_one_is_another_card(entry):
    name = entry["card"]["name"]
    numbers = {normalize_id(number) for other in ENTRIES for number in other.get("ids", ())}
    for number in entry["ids"]:
        digits = re.search(r"(\d+)(\D*)$", number)
        near = f"{number[: digits.start(1)]}{int(digits[1]) + 1:03}{digits[2]}"
        assert about(name, id=number) == [entry["id"]]
        if normalize_id(near) not in numbers:
            assert about(name, id=near) == []
    assert about(f"{name} Again", id=entry["ids"][0]) == []


@each_case("entry", ENTRIES)
def test_every_sentence_of_a_note_is_short(entry):
    sentences = re.split(r"(?<=\.) ", str(entry["says"]))

    assert max(len(sentence.split()) for sentence in sentences) <= 20
    assert ";" not in str(entry["says"])
