"""Cards of a catalogue file are found and put together.

This is done as with those of the database.
"""

from __future__ import annotations

from decks.importers.parsing import parse
from decks.matching.catalogue import cards_of_file
from decks.matching.reading import read_list
from rules import CardFacts, ListEntry
from rules.catalogue import read_catalogue
from rules.library import get_shipped_library
from tests.everyday import each_case

RECORDS = {
    "SF01-38": {"name": "Ken", "type": "character", "dots": 2, "set": "SF01", "number": 38},
    "SF01-37": {"name": "Ken", "type": "character", "dots": 1, "set": "SF01", "number": 37},
    "SF03-15": {"name": "Dark Hado", "type": "foundation", "set": "SF03", "number": 15},
    "SF04-70": {"name": "Dark Hado", "type": "foundation", "set": "SF04", "number": 70},
    "SF04-70b": {"name": "Dark Hado", "type": "foundation", "set": "SF04", "number": 70, "rarity": "rare"},
    "SC03-107~starter": {"name": "Leave at Dawn", "set": "SC03", "number": 107, "variant": "starter"},
    "SC03-107~booster": {"name": "Leave at Dawn", "set": "SC03", "number": 107, "variant": "booster"},
    "SC01-71": {"name": "Lost Memories", "type": "foundation", "set": "SC01", "number": 71},
    "SC04-5": {"name": "Lost Memories", "type": "foundation", "set": "SC04", "number": 5},
    "SNK01-9": {"name": "Nakoruru", "type": "character", "dots": 1, "set": "SNK01", "number": 9},
    "SC01-99": {"name": "E.S.P.", "type": "foundation", "set": "SC01", "number": 99},
}
KNOWN = cards_of_file("ufs", {key: CardFacts.of(key, facts) for key, facts in RECORDS.items()})


def entry(text: str) -> ListEntry:
    (only,) = read_list(parse(text), KNOWN, options={}).written_list.entries
    return only


@each_case(
    ("line", "keys"),
    [
        ("1 Ken ●", ["SF01-37"]),
        ("1 ken ●●", ["SF01-38"]),
        ("1 Ken", ["SF01-38", "SF01-37"]),
        ("1 Ken ●●●", []),
        ("4 Dark Hado", ["SF03-15", "SF04-70"]),
        ("4 Dark Hado (SF04 070/144)", ["SF04-70"]),
        ("4 Dark Hado (SF05 1)", []),
        ("4 Dark Hadou", []),
        ("4 leave AT dawn", ["SC03-107~starter"]),
        ("4 E.S.P.", ["SC01-99"]),
        ("4 SF04 70", ["SF04-70"]),
    ],
)
def test_a_line_finds_the_cards_that_it_may_mean(line: str, keys: list[str]) -> None:
    assert [card.key for card in entry(line).cards] == keys


def test_a_card_without_a_named_printing_has_the_facts_that_all_share() -> None:
    (card,) = entry("4 Lost Memories").cards
    assert card.attributes == {"name": "Lost Memories", "type": "foundation"}


def test_a_character_without_dots_is_one_whichever_version_is_meant() -> None:
    known_version, other_version = entry("1 Nakoruru").cards

    assert (known_version.key, known_version.attributes["dots"]) == ("SNK01-9", 1)
    assert other_version.attributes == {"type": "character"}


def test_two_records_of_one_printing_are_that_printing() -> None:
    (card,) = entry("4 Dark Hado (SF04 70)").cards
    assert (card.get("number"), card.get("rarity")) == (70, "rare")


def test_a_contradiction_leaves_open_which_card_is_meant() -> None:
    assert [card.name for card in entry("4 E.S.P. (SF04 70)").cards] == ["Dark Hado", "E.S.P."]


def test_a_number_beside_the_size_of_its_set_is_a_number() -> None:
    game = get_shipped_library().game("ufs")
    ((_, card),) = read_catalogue(
        b'{"cards": {"F": {"name": "Fog", "set": "ZZ1", "number": "007/120"}}}', game
    ).cards.items()
    assert (card.get("number"), card.get("number_as_printed")) == (7, "007/120")
