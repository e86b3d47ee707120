"""Catalogue files of every kind: what they say is read, what is no catalogue is refused, nothing breaks."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decks.catalogue.importing.files import CatalogueFile, read_catalogue
from decks.catalogue.importing.plan import StoredCatalogue, make_plan
from decks.shared.refusals import Refused


def described(data: str | bytes, game: str = "ufs") -> list[tuple[str, str, str, int | None]]:
    found = read_catalogue(data, game=game)
    assert found.problems == []
    return [(each.key, each.name, each.set_code, each.number) for each in found.described]


EXPECTED = [("ZZ1-007", "Anvil Stance", "ZZ1", 7), ("ZZ1-008", "Ember, Vow", "ZZ1", 8)]


@pytest.mark.parametrize(
    "table",
    [
        'name,set,number\nAnvil Stance,ZZ1,7\n"Ember, Vow",ZZ1,8\n',
        "Name;Set;Number\nAnvil Stance;ZZ1;7\nEmber, Vow;ZZ1;8\n",
        "Name\tSet\tNumber\tImageFile\nAnvil Stance\tZZ1\t7\ta.jpg\nEmber, Vow\tZZ1\t8\tb.jpg\n",
        '\ufeffCard Name,Set Code,Collector Number\r\nAnvil Stance,ZZ1,007\r\n\r\n"Ember, Vow",ZZ1,8\r\n',
    ],
)
def test_tables_are_read_whatever_their_separator_and_column_names(table):
    assert described(table) == EXPECTED
    assert described(table.encode("utf-16")) == EXPECTED


def test_cells_become_the_kind_of_fact_they_stand_for():
    table = (
        "name,dots,unique,keywords,gems,split,vitality\n"
        'One,2,yes,Kick; Multiple,"{""A"": 3}",action/foundation,25\nTwo,,no,,,,\n'
    )
    one, two = read_catalogue(table, game="highlander").described
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
    ("printed", "number", "size"), [("38/143", 38, 143), ("073/143", 73, 143), ("C01", None, None)]
)
def test_numbers_are_compared_as_numbers_and_kept_as_printed(printed, number, size):
    (one,) = read_catalogue(f"name,set,number\nOne,ZZ1,{printed}\n", game="ufs").described
    assert (one.number, one.set_size, one.number_as_printed) == (number, size, printed)


def test_a_file_in_an_old_encoding_is_read_and_the_guess_is_told():
    found = read_catalogue("name\nCafé Brawl\n".encode("cp1252"), game="ufs")
    assert [each.name for each in found.described] == ["Café Brawl"]
    assert [problem.code for problem in found.problems] == ["encoding_guessed"]


@pytest.mark.parametrize(
    ("depth", "codes"), [(20, []), (21, ["text_unstorable"]), (700, ["text_unstorable"])]
)
def test_a_fact_nested_too_deep_to_be_written_out_again_is_told(depth, codes):
    found = read_catalogue(
        '{"cards":{"a":{"name":"One","odd":' + "[" * depth + "]" * depth + "}}}", game="ufs"
    )
    assert [problem.code for problem in found.problems] == codes


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
    except Refused as refused:
        return refused


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.binary(max_size=80), st.lists(FRAGMENTS, max_size=14).map("".join)))
def test_no_file_breaks_the_reader(data):
    answer = outcome(data)
    assert isinstance(answer, CatalogueFile) or answer.sentence.endswith(".")


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.sampled_from(FIELDS), VALUES),
    st.sampled_from(GAMES),
)
def test_no_record_breaks_the_reader_and_each_is_taken_in_or_told(facts, game):
    found = read_catalogue(json.dumps({"game": game, "cards": {"one": facts}}))
    assert (len(found.described) == 1) != (len(found.problems) >= 1)
    make_plan(game, found.described, StoredCatalogue())
