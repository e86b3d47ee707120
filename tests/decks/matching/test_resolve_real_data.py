"""Real catalogues and decks, where the machine has them.

RINGSIDE_REAL_DATA names their folder.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from decks.importers.names import split_dots
from decks.importers.parsing import parse
from decks.matching.index import CardIndex
from decks.matching.model import IndexedPrinting
from tests import machine
from tests.everyday import each_nth, some

HOMONYMS = {"Dark Hado"}


@pytest.fixture(scope="module")
def fighters(real_data: Path) -> CardIndex:
    """Return the index of Card Fighters' Clash.

    The cards of its hidden set are marked as cards that do not belong in decks.
    """
    folder = real_data / "data" / "cfc"
    return CardIndex([*_octgn_set(folder / "set.xml", True), *_octgn_set(folder / "set-hidden.xml", False)])


def _octgn_set(path: Path, is_deck_card: bool) -> list[IndexedPrinting]:
    cards = ElementTree.parse(path).getroot().iter("card")
    return [
        IndexedPrinting(
            card.attrib["id"], card.attrib["name"], card.attrib["name"], is_deck_card=is_deck_card
        )
        for card in cards
    ]


@pytest.fixture(scope="module")
def ufs(real_data: Path) -> list[IndexedPrinting]:
    with (real_data / "data" / "ufs" / "printings-2006-2008.csv").open(encoding="utf-8", newline="") as file:
        return [_printing(row) for row in csv.DictReader(file)]


@pytest.fixture(scope="module")
def index(ufs: list[IndexedPrinting]) -> CardIndex:
    return CardIndex(ufs)


def _printing(row: dict[str, str]) -> IndexedPrinting:
    name, dots = row["name"], 0
    if row["type"] == "Character":
        split_name = split_dots(name)
        name, dots = split_name.name, split_name.dots or 0
    card = f"{name}|{dots}|{row['set']}" if name in HOMONYMS else f"{name}|{dots}"
    return IndexedPrinting(
        f"{row['set']}-{row['number']}", card, name, row["set"], int(row["number"]), row["number"], dots
    )


def test_every_line_of_every_real_deck_is_found_by_identifier(fighters: CardIndex, real_data: Path) -> None:
    lines = 0
    for path in sorted((real_data / "data" / "cfc" / "decks").glob("*.o8d")):
        for line in parse(path.read_bytes()).cards:
            line_match = fighters.resolve(line)
            lines += 1
            assert (line_match.status, line_match.found_by, line_match.printing_key) == (
                "exact",
                "identifier",
                line.card_id,
            )
    assert lines > 400


def test_every_character_but_two_has_a_rank(real_data: Path) -> None:
    with (real_data / "data" / "ufs" / "printings-2006-2008.csv").open(encoding="utf-8", newline="") as file:
        names = {row["name"] for row in csv.DictReader(file) if row["type"] == "Character"}
    assert {name for name in names if split_dots(name).dots is None} == {
        "Gabe, Boy Wonder",
        "Tycho, Evil Genius",
    }


def test_every_printing_is_found_by_what_its_label_says(ufs: list[IndexedPrinting], index: CardIndex) -> None:
    for printing in some(31, ufs):
        label = f"{printing.name} {'●' * (printing.dots or 0)} ({printing.set_code} {printing.number_text})"
        (line,) = parse(f"1 {label}").lines
        assert index.resolve(line).card_key == printing.card_key


WAYS = [
    "3x {name}",
    "[3] {name}",
    "{name} x3",
    "{name} (3)",
    "{name}: 3",
    "{name} 3",
    "3 {name} *F* $1.00",
    "3 {name} (Attack)",
    "{code} {number} {name}",
    "3 {code}-{number} {name}",
    "3 {name} ({code} {number})",
    "3 {name} [{code}]",
]


@pytest.mark.parametrize("way", each_nth(4, WAYS))
def test_no_way_of_writing_a_line_makes_another_card_of_it(
    way: str, ufs: list[IndexedPrinting], index: CardIndex
) -> None:
    unread = 0
    for printing in ufs[:: 3 if machine.whole() else 13]:
        name = f"{printing.name} {'●' * (printing.dots or 0)}".strip()
        (line,) = parse(way.format(name=name, code=printing.set_code, number=printing.number_text)).lines
        line_match = index.resolve(line)
        assert line_match.card_key in {printing.card_key, None}
        assert line_match.card_key is None or line.qty == (3 if "3" in way else 1)
        unread += line_match.card_key is None
    assert unread <= 9


def test_every_name_of_every_game_stands_as_a_card_on_a_line(
    ufs: list[IndexedPrinting], real_data: Path
) -> None:
    facts = json.loads((real_data / "rules" / "catalogue.json").read_text(encoding="utf-8"))
    titles = {title for card in facts["highlander"]["cards"] for title in card["titles"]}
    fighters = {each.name for each in _octgn_set(real_data / "data" / "cfc" / "set.xml", True)}
    for name in some(7, sorted({printing.name for printing in ufs} | titles | fighters)):
        (line,) = parse(f"3 {name}").lines
        assert (line.kind, line.qty, line.written_text) == ("card", 3, name)


def test_every_name_is_found_or_asked_about_and_never_taken_for_another(
    ufs: list[IndexedPrinting], index: CardIndex
) -> None:
    names = set()
    for printing in ufs:
        (line,) = parse(f"2 {printing.name}").lines
        line_match = index.resolve(line)
        assert line_match.card_key in {printing.card_key, None}
        if line_match.card_key is None:
            assert line_match.status == "ambiguous"
            names.add(printing.name)
    unranked = {printing.name for printing in ufs if not printing.dots}
    assert names & unranked == HOMONYMS | {"Yoshimitsu"}
