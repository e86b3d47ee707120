"""A written line finds its card by identifier, printing or name, and nothing is guessed."""

from __future__ import annotations

from rules import CardFacts, load_format
from rules.lookup import CardLookup, WrittenCard

RECORDS = {
    "SF01-38": {"name": "Ken", "type": "character", "dots": 2, "set": "SF01", "number": 38},
    "SF01-37": {"name": "Ken", "type": "character", "dots": 1, "set": "SF01", "number": 37},
    "SF03-15": {"name": "Dark Hado", "type": "foundation", "set": "SF03", "number": 15},
    "SF04-70": {"name": "Dark Hado", "type": "foundation", "set": "SF04", "number": 70},
    "SC03-107~starter": {"name": "Leave at Dawn", "type": "foundation", "set": "SC03", "number": 107},
    "SC01-99": {"name": "E.S.P.", "type": "foundation", "set": "SC01", "number": 99},
    "SC03-107~booster": {"name": "Leave at Dawn", "type": "foundation", "set": "SC03", "number": 107},
}
LOOKUP = CardLookup(
    {key: CardFacts.of(key, facts) for key, facts in RECORDS.items()}, load_format("ufs", "constructed").lists
)


def _find(name: str, **told: object) -> CardFacts:
    return LOOKUP.find(WrittenCard(name, 3, **told))


def test_an_identifier_finds_its_card_whatever_unknown_words_stand_beside_it():
    assert _find("Something Else", card_id="sf01-38").key == "SF01-38"


def test_an_identifier_beside_the_name_of_another_card_leaves_both_open():
    found = _find("Dark Hado", card_id="sf01-38")
    assert (found.key, found.get("may_be")) == ("Dark Hado (line 3)", 3)


def test_a_word_that_is_a_key_and_a_name_of_several_cards_leaves_them_open():
    records = {"Watcher": {"name": "Watcher", "restriction": 1}, "W2": {"name": "Watcher", "restriction": 2}}
    lists = load_format("highlander", "standard").lists
    lookup = CardLookup({key: CardFacts.of(key, facts) for key, facts in records.items()}, lists)
    assert "restriction" not in lookup.find(WrittenCard("Watcher", 1)).attributes
    one_word = WrittenCard("Watcher", 1, card_id="Watcher", is_key_or_name=True)
    assert "restriction" not in lookup.find(one_word).attributes
    assert lookup.find(WrittenCard("Watcher", 1, card_id="W2")).get("restriction") == 2


def test_a_key_may_stand_for_a_name():
    assert _find("SF04-70").key == "SF04-70"


def test_a_name_with_dots_is_one_version():
    assert _find("Ken ●").key == "SF01-37"
    assert _find("ken", dots=2).key == "SF01-38"


def test_dots_that_no_version_has_find_nothing():
    assert not _find("Ken ●●●").in_catalogue


def test_a_printing_is_met_or_missed():
    assert _find("Dark Hado", set_code="SF04", number="070/144").key == "SF04-70"
    assert not _find("Dark Hado", set_code="SF05", number="1").in_catalogue


def test_a_name_of_several_cards_keeps_their_common_facts():
    found = _find("Dark Hado")

    common = {"name": "Dark Hado", "type": "foundation", "may_be": 2}
    assert (found.in_catalogue, found.attributes) == (True, common)


def test_two_lines_of_a_shared_name_are_two_cards():
    assert _find("Ken").key == "Ken (line 3)"
    assert _find("Ken").attributes == {"name": "Ken", "type": "character", "set": "SF01", "may_be": 2}


def test_printings_of_one_card_are_that_card():
    assert _find("leave AT dawn").key == "SC03-107~starter"


def test_a_name_that_is_not_there_is_missing():
    found = _find("Dark Hadou")

    assert (found.key, found.in_catalogue) == ("Dark Hadou", False)


def test_a_name_that_ends_in_a_dot_is_no_rank():
    assert _find("E.S.P.").key == "SC01-99"


def test_set_and_number_alone_name_a_printing():
    assert _find("", set_code="SF01", number="038/143").key == "SF01-38"
    assert not _find("", set_code="SF01", number="39").in_catalogue
    assert not _find("", set_code="SF01").in_catalogue
