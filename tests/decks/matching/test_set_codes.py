"""A set is named by its own code, or by another that only it has."""

from __future__ import annotations

import json

import pytest

from decks.importers.parsing import parse
from decks.matching.catalogue import cards_of_file
from decks.matching.index import CardIndex
from decks.matching.model import IndexedPrinting
from decks.matching.reading import ReadList, read_list
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

    (entry,) = read_list(parse("4 Dark Hado (The Dark Path)"), known_cards, options={}).written_list.entries
    assert [card.key for card in entry.cards] == ["SF04-70"]


def test_a_search_takes_another_code_for_the_set(index: CardIndex) -> None:
    assert [each.card_key for each in index.search("DARKPATH dark")] == ["card SF04-070"]
    assert [each.card_key for each in index.search("SF03 15/90")] == ["card SF03-015"]


REPRINTED = json.dumps(
    {
        "game": "ufs",
        "sets": {"SF03": {"name": "The Next Level", "other_codes": ["nextlevel"]}},
        "cards": {
            "SF01-116": {"name": "Reversal", "set": "SF01", "number": 116},
            "SF05-7": {"name": "Reversal", "set": "SF05", "number": 7},
            "SF03-9": {"name": "Low Elbow", "set": "SF03", "number": 9},
            "SC03-90": {"name": "Taking the Bait", "set": "SC03", "number": 90, "variant": "starter"},
        },
    }
)


def read(text: str) -> ReadList:
    catalogue = read_catalogue(REPRINTED.encode(), get_game("ufs"))
    return read_list(parse(text), cards_of_file("ufs", catalogue.cards), options={})


STATING_ANOTHER_SET = (
    "4 Reversal [The Next Level]",
    "4 Reversal (The Next Level)",
    "4 [The Next Level] Reversal",
    '4 "Reversal" [The Next Level]',
    "4 Reversal [The Next Level, Foil]",
    "4 Reversal [The Next Level] [Ramp] (foil)",
    "4 Reversal [SF01] [The Next Level]",
    "4 Reversal [nextlevel]",
    "4 Reversal #nextlevel",
    "4 Reversal # The Next Level",
    "4 Reversal [SF03]",
    "4 Reversal|SF03|1",
    "4 Reversal {set: The Next Level}",
    "Quantity,Name,Set\n4,Reversal,The Next Level",
    '{"main": [{"card": "Reversal", "qty": 4, "set": "The Next Level"}]}',
    '<cockatrice_deck version="1"><zone name="main">'
    '<card number="4" name="Reversal" setShortName="SF03"/></zone></cockatrice_deck>',
    '<deck version="0.8"><superzone name="Deck"><card><name>Reversal</name><set>The Next Level</set></card>'
    "</superzone></deck>",
)


@pytest.mark.parametrize("text", STATING_ANOTHER_SET)
def test_a_set_without_that_card_is_asked_about_with_the_sets_that_have_it(text: str) -> None:
    (line,) = [each for each in read(text).lines if each.kind == "card"]

    assert (line.is_resolved, line.card_key) == (False, None)
    assert [(each.code, each.params["sets"]) for each in line.reasons] == [
        ("version_unknown.other_sets", ("SF01", "SF05"))
    ]
    assert [each.label for each in line.suggestions] == ["Reversal (SF01 116)", "Reversal (SF05 7)"]


@pytest.mark.parametrize(
    "text", ["4 Reversal [SF03 9]", "4 SF03-009 Reversal", "4 Reversal (The Next Level) 9", "4 Reversal #9"]
)
def test_a_number_of_another_card_is_asked_about(text: str) -> None:
    (line,) = read(text).lines

    assert (line.is_resolved, line.card_key) == (False, None)
    assert "Reversal (SF01 116)" in [each.label for each in line.suggestions]


@pytest.mark.parametrize(
    "text", ["4 Reversal [SF05]", "4 Reversal # SF05", "4 Reversal ^SF05^", "4 Reversal [Ramp] [SF05]"]
)
def test_a_set_beside_a_name_tells_the_printing(text: str) -> None:
    (line,) = read(text).lines

    assert (line.is_resolved, line.printing_key) == (True, "SF05-7")


def test_a_variant_that_no_printing_is_of_is_asked_about() -> None:
    (line,) = read("4 Taking the Bait [booster]").lines

    assert [each.code for each in line.reasons] == ["version_unknown.variant"]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("4 Reversal [Ramp]\n4 Low Elbow $2.00", ("[Ramp]", "$2.00")),
        ("4 Reversal [Nonsense Set]", ("[Nonsense Set]",)),
        ("4 Reversal (foil)\n4 Low Elbow [SF03]\n1 Reversal [Sideboard]", ()),
    ],
)
def test_what_tells_nothing_of_a_card_is_named(text: str, marks: tuple[str, ...]) -> None:
    unread = [each.params["marks"] for each in read(text).notices if each.code == "marks_not_read"]

    assert unread == ([marks] if marks else [])
