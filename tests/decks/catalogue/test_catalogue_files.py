"""Catalogue files of every kind.

Catalogues are read, other files are refused, and nothing breaks.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decks.catalogue.importing.files import CatalogueFile, read_catalogue
from decks.catalogue.importing.plan import make_plan
from decks.catalogue.importing.stored import StoredCatalogue
from decks.shared.refusals import Refused
from tests import machine
from tests.everyday import each_case


def describe_cards(data: str | bytes, game: str = "ufs") -> list[tuple[str, str, str, int | None]]:
    catalogue_file = read_catalogue(data, game=game)
    assert catalogue_file.problems == []
    return [(each.key, each.name, each.set_code, each.number) for each in catalogue_file.card_records]


EXPECTED = [("ZZ1-007", "Anvil Stance", "ZZ1", 7), ("ZZ1-008", "Ember, Vow", "ZZ1", 8)]


@each_case(
    "table",
    [
        'name,set,number\nAnvil Stance,ZZ1,7\n"Ember, Vow",ZZ1,8\n',
        "Name;Set;Number\nAnvil Stance;ZZ1;7\nEmber, Vow;ZZ1;8\n",
        "Name\tSet\tNumber\tImageFile\nAnvil Stance\tZZ1\t7\ta.jpg\nEmber, Vow\tZZ1\t8\tb.jpg\n",
        '\ufeffCard Name,Set Code,Collector Number\r\nAnvil Stance,ZZ1,007\r\n\r\n"Ember, Vow",ZZ1,8\r\n',
    ],
)
def test_tables_are_read_whatever_their_separator_and_column_names(table):
    assert describe_cards(table) == EXPECTED
    assert describe_cards(table.encode("utf-16")) == EXPECTED


def test_cells_become_the_kind_of_fact_they_stand_for():
    table = (
        "name,dots,unique,keywords,gems,split,vitality\n"
        'One,2,yes,Kick; Multiple,"{""A"": 3}",action/foundation,25\nTwo,,no,,,,\n'
    )
    one, two = read_catalogue(table, game="highlander").card_records
    assert one.card_facts == {
        "dots": 2,
        "unique": True,
        "keywords": ["Kick", "Multiple"],
        "split": ["action", "foundation"],
        "vitality": 25,
    }
    assert one.printing_facts == {"gems": {"A": 3}}
    assert two.card_facts == {"unique": False}


@pytest.mark.parametrize(
    ("printed_number", "number", "size"), [("38/143", 38, 143), ("073/143", 73, 143), ("C01", None, None)]
)
def test_numbers_are_compared_as_numbers_and_kept_as_printed(printed_number, number, size):
    (one,) = read_catalogue(f"name,set,number\nOne,ZZ1,{printed_number}\n", game="ufs").card_records
    assert (one.number, one.set_size, one.number_as_printed) == (number, size, printed_number)


def test_a_file_in_an_old_encoding_is_read_and_the_guess_is_told():
    catalogue_file = read_catalogue("name\nCafé Brawl\n".encode("cp1252"), game="ufs")
    assert [each.name for each in catalogue_file.card_records] == ["Café Brawl"]
    assert [problem.code for problem in catalogue_file.problems] == ["encoding_guessed"]


@pytest.mark.parametrize(
    ("depth", "codes"), [(20, []), (21, ["text_unstorable"]), (700, ["text_unstorable"])]
)
def test_a_fact_nested_too_deep_to_be_written_out_again_is_told(depth, codes):
    catalogue_file = read_catalogue(
        '{"cards":{"a":{"name":"One","odd":' + "[" * depth + "]" * depth + "}}}", game="ufs"
    )
    assert [problem.code for problem in catalogue_file.problems] == codes


FRAGMENTS = st.sampled_from(
    [
        "{", "}", "[", "]", '"cards":', '"game": "ufs"', '"name"', ":", ",", "null", "1e999", "NaN", "name",
        "\n", "\t", ";", '"', "<set", ' name="x"', ">", "<cards>", '<card name="y" id="z">', "</card>",
        "</cards></set>", "<!DOCTYPE", "&lol;", "\x00", "\ud800", "set", "number", "9" * 400, "é",
    ]
)  # fmt: skip
VALUES = st.recursive(
    st.sampled_from([None, True, 0, -1, 7, 1.5, 10**30, "", "x", "Mara ●●", "7/9", "\ud800", "\x00"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.just("octgn"), inner, max_size=1),
    max_leaves=3,
)
FIELDS = (
    "name", "title", "type", "dots", "set", "set_size", "number", "variant", "external_ids",
    "aliases", "text",
)  # fmt: skip
GAMES = ("ufs", "highlander", "cfc", "sf_miniatures")


def outcome(data: str | bytes, game: str = "ufs") -> CatalogueFile | Refused:
    try:
        return read_catalogue(data, game=game)
    except Refused as refusal:
        return refusal


@settings(max_examples=machine.examples(8), deadline=None)
@given(st.one_of(st.binary(max_size=80), st.lists(FRAGMENTS, max_size=14).map("".join)))
def test_no_file_breaks_the_reader(data):
    answer = outcome(data)
    assert isinstance(answer, CatalogueFile) or answer.sentence.endswith(".")


@settings(max_examples=machine.examples(8), deadline=None)
@given(
    st.dictionaries(st.sampled_from(FIELDS), VALUES),
    st.sampled_from(GAMES),
)
def test_no_record_breaks_the_reader_and_each_is_taken_in_or_told(facts, game):
    catalogue_file = read_catalogue(json.dumps({"game": game, "cards": {"one": facts}}))
    assert (len(catalogue_file.card_records) == 1) != (len(catalogue_file.problems) >= 1)
    make_plan(game, catalogue_file.card_records, StoredCatalogue())


@each_case(
    "header",
    [
        "Kartenname;Erweiterung;Nummer;Kartentyp",
        "Nom de la carte;Extension;Numéro;Type de carte",
        "Nombre;Edición;Número;Tipo",
        "NOME CARTA;Espansione;Numero;Tipo di carta",
        "Name;Set;Number;Type",
    ],
)
@each_case("declared", ["", "sep=;\r\n", '"sep=;"\n', "SEP=;\n\n"])
def test_headings_are_read_in_five_languages_with_a_declared_separator(header, declared):
    table = f"{declared}{header}\nAnvil Stance;ZZ1;7;Attack\nEmber, Vow;ZZ1;8;Attack\n"
    assert describe_cards(table) == EXPECTED
    assert {each.card_facts["type"] for each in read_catalogue(table, game="ufs").card_records} == {"attack"}


def test_a_declared_separator_counts_even_where_another_is_more_frequent():
    table = "sep=;\nname;set;number;a,b,c,d\nAnvil Stance;ZZ1;7;\nEmber, Vow;ZZ1;8;\n"
    assert describe_cards(table) == EXPECTED


CARDS = [
    {"name": "Anvil Stance", "set": {"code": "ZZ1", "name": "First Bell", "size": 20}, "number": 7},
    {"cardName": "Ember, Vow", "setCode": "ZZ1", "collectorNumber": "8"},
]


@pytest.mark.parametrize("content", [CARDS, {"game": "ufs", "cards": CARDS}])
def test_an_array_of_cards_is_read_with_sets_that_are_objects(content):
    catalogue_file = read_catalogue(json.dumps(content), game="ufs")
    assert describe_cards(json.dumps(content)) == EXPECTED
    assert (catalogue_file.card_records[0].set_name, catalogue_file.card_records[0].set_size) == (
        "First Bell",
        20,
    )


def test_a_card_with_a_key_may_have_a_set_that_is_an_object():
    cards = {"K1": {"name": "Anvil Stance", "set": {"id": "ZZ1"}, "number": 7}}
    assert describe_cards(json.dumps({"cards": cards})) == [("K1", "Anvil Stance", "ZZ1", 7)]


def test_an_entry_of_an_array_that_is_no_card_is_named_by_its_place():
    catalogue_file = read_catalogue(json.dumps([CARDS[0], "Ember"]), game="ufs")
    assert [(each.code, each.place.params) for each in catalogue_file.problems] == [
        ("card_not_an_object", {"card": "2"})
    ]


def test_a_saved_object_of_tabletop_simulator_gives_the_names_of_its_cards():
    card = {"Name": "Card", "CardID": 100, "Nickname": "Ken ●●", "Description": "Text of a card"}
    deck = {"Name": "DeckCustom", "Nickname": "My deck", "ContainedObjects": [card, card, {"CardID": 1}]}
    state = {"Name": "CardCustom", "CardID": 2, "Nickname": "Adon  ●", "States": {"2": {"CardID": 3}}}
    data = {"SaveName": "", "ObjectStates": [{"Name": "Bag", "ContainedObjects": [deck]}, state]}
    catalogue_file = read_catalogue(json.dumps(data), game="ufs")
    assert [(each.name, each.card_facts) for each in catalogue_file.card_records] == [
        ("Ken", {"dots": 2}),
        ("Adon", {"dots": 1}),
    ]
    assert (catalogue_file.kind, [(note.code, note.params) for note in catalogue_file.notes]) == (
        "tabletop", [("cards_without_name", {"count": 2})],
    )  # fmt: skip
