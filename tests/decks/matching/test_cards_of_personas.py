"""Highlander by name.

Cards that no fact tells apart are one, and a persona's cards are named with it.
"""

from __future__ import annotations

import pytest

from decks.importers.parsing import parse
from decks.matching.catalogue import CatalogueCard, cards_of_file, index_printing
from decks.matching.index import CardIndex, SearchBudget
from decks.matching.reading import CheckedLine, read_list
from rules import CardFacts
from tests.everyday import each_case

RECORDS: dict[str, dict[str, object]] = {
    "4H-051": {"title": "Dirty Trick", "type": "Special Attack", "owner": "Kalas", "restriction": 2},
    "HS1-033": {"title": "Dirty Trick", "type": "Special Attack", "owner": "Kalas", "restriction": 2},
    "HS2-071": {"title": "Dirty Trick", "type": "Special Attack", "owner": "Amanda"},
    "HTG-031": {"title": "Dirty Trick", "type": "Special Attack"},
    "HTG-201": {"title": "Dirty Trick", "type": "Special Attack"},
    "HS1-001": {"title": "Kalas", "type": "Persona"},
    "HS2-001": {"title": "Amanda", "type": "Persona"},
    "HS1-050": {"title": "Back Away", "type": "Defense", "owner_kind": "generic"},
    "HS1-100": {"title": "Follow Up", "type": "Special Attack"},
    "HS2-100": {"title": "Follow Up", "type": "Special Attack", "gems": {"S": 1}},
    "HTGQ-001": {"title": "Quickening", "type": "Quickening"},
    "HTGQ-002": {"title": "Quickening", "type": "Quickening"},
    "HTGQ-003": {"title": "Quickening", "type": "Quickening", "of": "Kalas"},
    "HTGQ-004": {"title": "Quickening", "type": "Quickening", "owner": "Amanda"},
}


def facts(key: str) -> CardFacts:
    code, number = key.split("-")
    return CardFacts.of(key, {**RECORDS[key], "id": key, "set": code, "number": int(number)})


KNOWN = cards_of_file("highlander", {key: facts(key) for key in RECORDS})


def read(*lines: str) -> list[CheckedLine]:
    return list(read_list(parse("\n".join(lines)), KNOWN, options={}).lines)


@each_case(
    ("line", "key", "printing"),
    [
        ("6 Follow Up", "HS1-100", None),
        ("3 Dirty Trick (Kalas)", "4H-051", None),
        ("3 Dirty Trick: Kalas", "4H-051", None),
        ("3 dirty trick [amanda]", "HS2-071", "HS2-071"),
        ("3 Dirty Trick (HS1 33)", "HS1-033", "HS1-033"),
        ("3 HTG-201 Dirty Trick", "HTG-201", "HTG-201"),
    ],
)
def test_a_title_that_facts_do_not_tell_apart_is_one_card(line: str, key: str, printing: str | None) -> None:
    (checked_line,) = read(line)
    assert (checked_line.card_key, checked_line.printing_key, checked_line.is_resolved) == (
        key,
        printing,
        True,
    )


def test_one_card_of_several_numbers_has_the_facts_that_all_numbers_share() -> None:
    card_facts = KNOWN.card_facts("HS1-100")
    assert card_facts is not None
    assert {"id", "number", "set", "gems"}.isdisjoint(card_facts.attributes)
    assert card_facts.attributes["type"] == "Special Attack"


def test_a_limit_of_one_text_is_open_while_the_text_is() -> None:
    one, by_number = KNOWN.card_facts("4H-051"), KNOWN.card_facts("4H-051", "4H-051")
    assert one is not None
    assert by_number is not None
    assert ("restriction" in one.attributes, by_number.attributes["restriction"]) == (False, 2)


def test_two_quickenings_stay_two_cards() -> None:
    (checked_line,) = read("2 Quickening")
    assert checked_line.status == "ambiguous"
    assert checked_line.may_be == ("HTGQ-001", "HTGQ-002", "HTGQ-003", "HTGQ-004")


def test_suggestions_name_the_persona_and_every_card() -> None:
    (checked_line,) = read("3 Dirty Trick")
    labels = [each.label for each in checked_line.suggestions]
    assert labels == ["Dirty Trick (Kalas)", "Dirty Trick (Amanda)", "Dirty Trick (HTG 31)"]


def test_a_misspelled_title_brings_every_card_of_it_and_one_for_those_that_are_alike() -> None:
    owned_cards = {
        f"HS5-{number:03}": {"title": "Dirty Trick", "owner": f"Rival {number}"} for number in range(8)
    }
    alike_cards = {f"HS6-{number:03}": {"title": "Dirty Trick"} for number in range(8)}
    index = CardIndex(
        index_printing("highlander", key, CatalogueCard(key, "Dirty Trick", 0), {**each, "id": key})
        for key, each in (owned_cards | alike_cards).items()
    )
    match = index.resolve(parse("3 Dirty Trik").lines[0], SearchBudget())
    assert len(match.suggestions) == len(owned_cards) + 1


def test_every_suggestion_is_read_as_its_card() -> None:
    (question_line,) = read("3 Dirty Trick")
    read_back = [read(f"3 {each.label}")[0].card_key for each in question_line.suggestions]
    assert read_back == [each.card_key for each in question_line.suggestions]


@pytest.mark.parametrize(("persona", "key"), [("Kalas", "4H-051"), ("Amanda", "HS2-071")])
def test_a_persona_in_the_list_takes_its_own_card(persona: str, key: str) -> None:
    lines = read(f"1 {persona}", "3 Dirty Trick")
    assert (lines[1].card_key, lines[1].is_certain) == (key, False)
    assert [each.code for each in lines[1].reasons] == ["taken_of_owner"]


def test_two_personas_that_share_a_title_leave_it_open() -> None:
    assert read("1 Kalas", "1 Amanda", "3 Dirty Trick")[2].status == "ambiguous"


def test_a_persona_without_such_a_card_is_told_of_the_others() -> None:
    (checked_line,) = read("3 Back Away (Kalas)")
    assert [each.code for each in checked_line.reasons] == ["version_unknown.owner"]
    assert [each.label for each in checked_line.suggestions] == ["Back Away (HS1 50)"]


@pytest.mark.parametrize("line", ["3 Follow Up (Kalas)", "3 Follow Up: Kalas"])
def test_a_card_whose_owner_is_not_known_may_be_of_the_stated_persona(line: str) -> None:
    (checked_line,) = read(line)
    assert (checked_line.card_key, checked_line.is_certain) == ("HS1-100", False)
    assert [each.code for each in checked_line.reasons] == ["owner_unknown"]


@pytest.mark.parametrize(("persona", "key"), [("Kalas", "HTGQ-003"), ("Amanda", "HTGQ-004")])
def test_a_quickening_is_named_with_its_persona_whichever_fact_says_so(persona: str, key: str) -> None:
    (checked_line,) = read(f"1 Quickening ({persona})")
    assert checked_line.card_key == key


def test_a_persona_in_the_list_takes_no_quickening_of_its_own() -> None:
    assert read("1 Kalas", "1 Quickening")[1].status == "ambiguous"
