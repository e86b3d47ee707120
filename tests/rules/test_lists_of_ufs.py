"""The dated facts of chapters 501 and 502."""

from __future__ import annotations

from rules import CardFacts, check_deck, load_format, shipped_editions
from tests.everyday import each_case
from tests.rules.builders import card, character, constructed

BANS, ERRATA, _, IDENTITIES = shipped_editions("ufs")

PARAGRAPHS = [
    *(f"501.{number}" for number in range(1, 20)),
    "501.20a",
    "501.20b",
    "501.21",
    "501.22",
    "501.23",
]
UNCHANGED_IN_PLAY = {"501.1", "501.2", "501.9", "501.13", "501.14", "501.15"}


def test_sixteen_cards_are_banned_four_of_them_in_one_version():
    cards = [entry["card"] for entry in BANS.entries]

    assert len(cards) == 16
    assert {c["name"]: c["dots"] for c in cards if "dots" in c} == {
        "Dhalsim": 3,
        "Cassandra": 2,
        "Zasalamel": 3,
        "Hugo": 3,
    }


def test_every_ban_cites_its_clause_and_printing():
    assert {entry["clause"] for entry in BANS.entries} == {"502.1"}
    assert {(e["printed"]["set"], e["printed"]["number"]) for e in BANS.entries} >= {
        ("SF02", 112),
        ("SC02", 39),
    }


def test_all_twenty_four_paragraphs_stand_in_order():
    clauses = list(dict.fromkeys(entry["clause"] for entry in ERRATA.entries))

    assert clauses == PARAGRAPHS


def test_ten_cards_share_the_paragraph_about_timing():
    assert sum(entry["clause"] == "501.9" for entry in ERRATA.entries) == 10


def test_corrections_that_change_no_play_are_marked():
    marked_clauses = {entry["clause"] for entry in ERRATA.entries if not entry["plays_differently"]}

    assert marked_clauses == UNCHANGED_IN_PLAY


def printed_card(entry, **others):
    """Return the card that a correction speaks of, or one that differs from it."""
    facts = {**entry["printed"], **others}
    name, dots = str(entry["card"]["name"]), entry["card"].get("dots")
    if dots is None:
        return card(name, type="foundation", **facts)
    return character(name, int(dots), **facts)


PLAYED_DIFFERENTLY = [entry for entry in ERRATA.entries if entry["plays_differently"]]
NEAR = ({"number": 999}, {"set": "ZZ9"}, {"set": None}, {"number": None})


@each_case("other", NEAR)
@each_case("entry", PLAYED_DIFFERENTLY)
def test_a_card_of_another_set_or_number_has_no_note(entry, other):
    near = CardFacts.of("near", printed_card(entry, **other).attributes)
    findings = check_deck(constructed((1, near)), load_format("ufs", "constructed")).findings

    assert entry["clause"] not in {f.clause for f in findings if near.key in f.cards}


@each_case(
    "entry",
    ERRATA.entries,
)
def test_a_correction_is_a_note_where_the_card_plays_differently(entry):
    held_printed_card = printed_card(entry)
    findings = check_deck(constructed((1, held_printed_card)), load_format("ufs", "constructed")).findings
    notes = [f for f in findings if f.clause == entry["clause"] and f.clause != "501.7"]

    if entry["plays_differently"] and entry["clause"] != "501.7":
        assert [(n.severity, n.rule, n.cards) for n in notes] == [
            ("note", entry["id"], (held_printed_card.key,))
        ]
        assert notes[0].message.endswith(str(entry["says"]))
    else:
        assert notes == []


def test_another_version_of_a_corrected_character_has_no_note():
    findings = check_deck(constructed((1, character("Guile", 1))), load_format("ufs", "constructed")).findings

    assert "501.3" not in {finding.clause for finding in findings}


def test_1_8_knows_no_corrections_and_says_so():
    verdict = check_deck(constructed(), load_format("ufs", "constructed", rules="1.8"))

    assert [(f.severity, f.rule, f.code) for f in verdict.findings] == [
        ("warning", "UFS-B20", "no-list-attached")
    ]
    assert verdict.findings[0].message == (
        "Rules 1.8 come with no ban or errata list. Ask the organizer which one applies."
    )
    assert verdict.outcome == "legal"


def test_the_identities_are_those_of_chapter_501():
    assert [entry["clause"] for entry in IDENTITIES.entries] == [
        "501.1",
        "501.2",
        "501.15",
        "501.13",
        "501.14",
    ]
