"""Catalogue files: JSON, tables and OCTGN sets.

What a record leaves out stays unknown.
"""

from __future__ import annotations

import json

import pytest

from rules import UNKNOWN, get_game, load_format
from rules.catalogue import read_catalogue
from rules.catalogue_files.records import UnreadableCatalogue
from tests.everyday import each_case

UFS = load_format("ufs", "constructed").game
CFC = load_format("cfc", "standard").game


def _read(text: str, game=UFS):
    return read_catalogue(text.encode("utf-8"), game)


def test_json_keeps_keys_and_facts():
    record = {"name": "Ken", "type": "character", "dots": 2, "unique": False, "control": None}
    card = _read(json.dumps({"game": "ufs", "cards": {"SF01-38": record}})).cards["SF01-38"]

    assert (card.name, card.get("dots"), card.get("unique")) == ("Ken", 2, False)
    assert card.get("control") is UNKNOWN
    assert card.get("split") is UNKNOWN


def test_a_catalogue_of_another_game_is_refused():
    with pytest.raises(UnreadableCatalogue, match="for cfc, not for ufs"):
        _read(json.dumps({"game": "cfc", "cards": {"a": {"name": "A"}}}))


def test_a_record_without_a_name_is_a_problem_not_a_loss():
    catalogue = _read(json.dumps({"cards": {"a": {"name": "A"}, "b": {"type": "attack"}, "c": 5}}))

    assert list(catalogue.cards) == ["a"]
    assert tuple(map(str, catalogue.problems)) == (
        "card c: A card is a JSON object of facts.",
        "card b: The record has no name.",
    )


@each_case("delimiter", [",", ";", "\t"])
def test_a_table_has_its_facts_by_column(delimiter):
    rows = [
        ["Name", "Set", "Number", "Type", "Dots", "Character Only", "Unique"],
        ["Ken", "SF01", "38", "Character", "2", "", ""],
        ["Dragon", "SF01", "9", "Attack", "0", "Ryu|Ken", "yes"],
        ["", "SF01", "10", "", "", "", ""],
    ]
    catalogue = _read("\n".join(delimiter.join(row) for row in rows))

    assert catalogue.cards["SF01-38"].attributes == {
        "name": "Ken",
        "set": "SF01",
        "number": 38,
        "type": "Character",
        "dots": 2,
    }
    assert catalogue.cards["SF01-9"].get("character_only") == ["Ryu", "Ken"]
    assert catalogue.cards["SF01-9"].get("unique") is True
    assert tuple(map(str, catalogue.problems)) == ("line 4: The record has no name.",)


def test_dots_typed_into_the_name_of_a_character_are_read():
    cards = _read("name,type\nKen::.,Character\nWait...,Action\n").cards.values()

    assert [(card.name, card.get("dots")) for card in cards] == [("Ken", 5), ("Wait...", UNKNOWN)]


def test_two_records_of_one_printing_are_both_kept():
    cards = _read("name,set,number\nJab,SF01,126\nQuick Elbow,SF01,126\n").cards

    assert list(cards) == ["SF01-126", "SF01-126 (line 3)"]


def test_a_cell_may_hold_json():
    card = _read('name,gems,odd\nA,"{""A"": 2}",[not json\n').cards["A"]

    assert (card.get("gems"), card.get("odd")) == ({"A": 2}, "[not json")


SET = """<?xml version="1.0" encoding="utf-8"?>
<set name="Core"><cards>
  <card name="Nina" id="aa-1"><property name="Type" value="Character"/><property name="BP" value="400"/>
    <property name="Backup 3" value=""/></card>
  <card name="" id="aa-2"/>
</cards></set>"""


def test_an_octgn_set_is_read_by_identifier():
    catalogue = _read(SET, CFC)

    assert catalogue.cards["aa-1"].attributes == {
        "name": "Nina",
        "set": "Core",
        "type": "Character",
        "bp": 400,
    }
    assert tuple(map(str, catalogue.problems)) == ("card 2: The record has no name.",)


def test_utf_16_is_read():
    assert list(read_catalogue("name\nKén\n".encode("utf-16"), UFS).cards) == ["Kén"]


@each_case(
    "text",
    [
        SET.replace("<set", '<!DOCTYPE set [<!ENTITY a "b">]><set'),
        SET.replace("<set", '<!DOCTYPE set SYSTEM "http://example.org/set.dtd"><set'),
        SET[:-6],
        "<set/>",
        "type,number\nattack,3\n",
        "{]",
        '{"cards": []}',
    ],
)
def test_what_is_no_catalogue_is_refused_with_a_reason(text):
    with pytest.raises(UnreadableCatalogue) as problem:
        _read(text, CFC)

    assert str(problem.value)


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(UnreadableCatalogue, match="not text"):
        read_catalogue(b"\x80\x81\xff", UFS)


GEMS_TO_READ = {
    "A 1, S 2": {"A": 1, "S": 2},
    "A1 S2": {"A": 1, "S": 2},
    "A: 1; S = 2": {"A": 1, "S": 2},
    "1 A, 2 S": {"A": 1, "S": 2},
    "Agility 3": {"Agility": 3},
    '{"A": 1}': {"A": 1},
    "none": "none",
}


@pytest.mark.parametrize(("cell", "gems"), GEMS_TO_READ.items())
def test_a_cell_of_numbers_by_name_is_read_as_people_write_it(cell: str, gems: object):
    quoted_cell = cell.replace('"', '""')
    catalogue = read_catalogue(f'name\tgems\nFoo\t"{quoted_cell}"'.encode(), get_game("highlander"))

    assert ([card.get("gems") for card in catalogue.cards.values()], catalogue.problems) == ([gems], ())


@pytest.mark.parametrize("cell", ["A", "3", "X 9", "A 1, X 9", "A 1, A 2", "A 1 S", "A -1", "A 99999"])
def test_a_cell_that_is_no_table_of_its_fact_is_reported(cell: str):
    catalogue = read_catalogue(f"name\tgems\nFoo\t{cell}".encode(), get_game("highlander"))

    assert [card.get("gems") for card in catalogue.cards.values()] == [UNKNOWN]
    assert [each.reason.code for each in catalogue.problems] == ["value_not_understood"]


def test_a_column_that_is_there_twice_is_reported():
    catalogue = read_catalogue(b"name\tgems\tgems\nFoo\tA 1\tA 2", get_game("highlander"))

    assert [each.reason.code for each in catalogue.problems] == ["column_doubled"]
