"""A set is named by its own code, or by another that only it has."""

from __future__ import annotations

import json

import pytest

from decks.importers.parsing import parse
from decks.matching.catalogue import cards_of_file
from decks.matching.index import CardIndex
from decks.matching.model import IndexedPrinting
from decks.matching.reading import read_list
from rules import get_game
from rules.catalogue import read_catalogue

OTHER = {"SF04": ("darkpath", "path"), "SF03": ("nextlevel", "path"), "PA": ()}


def printing(set_code: str, number: int) -> IndexedPrinting:
    key = f"{set_code}-{number:03d}"
    return IndexedPrinting(
        key, f"card {key}", "Dark Hado", set_code, number, str(number), 0, other_set_codes=OTHER[set_code]
    )


@pytest.fixture
def index() -> CardIndex:
    return CardIndex([printing("SF03", 15), printing("SF04", 70), printing("PA", 1)])


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("4 Dark Hado (SF04) 70", "SF04-070"),
        ("4 Dark Hado (DARKPATH) 70", "SF04-070"),
        ("4 Dark Hado (darkpath 70)", "SF04-070"),
        ("4 Dark Hado [nextlevel]", "SF03-015"),
        ("4 Dark Hado (path)", None),
        ("4 Dark Hado (darkpath) 15", None),
    ],
)
def test_a_code_of_one_set_alone_names_it(index: CardIndex, line: str, key: str | None) -> None:
    assert index.resolve(parse(line).lines[0]).printing_key == key


def test_a_set_is_found_by_the_name_that_its_file_gives() -> None:
    cards = {
        "SF03-15": {"name": "Dark Hado", "set": "SF03", "number": 15},
        "SF04-70": {"name": "Dark Hado", "set": "SF04", "number": 70},
    }
    file = {"game": "ufs", "sets": {"SF04": {"name": "The Dark Path"}}, "cards": cards}
    catalogue = read_catalogue(json.dumps(file).encode(), get_game("ufs"))
    known_cards = cards_of_file("ufs", catalogue.cards)

    (entry,) = read_list(parse("4 Dark Hado (The Dark Path)"), known_cards, options={}).written.entries
    assert [card.key for card in entry.cards] == ["SF04-70"]


def test_a_search_takes_another_code_for_the_set(index: CardIndex) -> None:
    assert [each.card_key for each in index.search("DARKPATH dark")] == ["card SF04-070"]
    assert [each.card_key for each in index.search("SF03 15/90")] == ["card SF03-015"]
