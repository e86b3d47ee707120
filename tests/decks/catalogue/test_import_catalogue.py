"""Importing a catalogue.

It covers new cards, new facts, contradictions, and a second import without effect.
"""

from __future__ import annotations

import json

import pytest

from decks.catalogue.models import Card, CardSet, CatalogueState, Printing
from decks.catalogue.services.catalogue import import_catalogue, preview_catalogue
from decks.shared.refusals import Refused
from rules.reason import Reason
from tests.everyday import each_case
from tests.scenarios.catalogue import FILLERS, SMALL_CATALOGUE, small_catalogue, write
from tests.scenarios.rollback import rolled_back

pytestmark = pytest.mark.django_db
ONE = {"ZZ1-001": {"name": "Anvil Stance", "type": "foundation", "set": "ZZ1", "number": 1}}


def stored_rows() -> list[object]:
    return [
        list(CardSet.objects.order_by("code").values("code", "name", "size", "is_hidden")),
        list(Card.objects.order_by("key").values("key", "name", "attributes", "identity")),
        list(Printing.objects.order_by("key").values("key", "card__key", "number", "variant", "attributes")),
    ]


def version() -> int:
    return CatalogueState.objects.get(game="ufs").version


def list_differences(differences) -> list[tuple[str, str, object, object]]:
    return [(each.key, each.fact, each.stored_value, each.incoming_value) for each in differences]


def test_new_cards_are_stored_with_their_facts_and_places():
    plan = import_catalogue(write(ONE, sets={"ZZ1": {"name": "First Bell", "size": 120}}))
    assert [record.key for record in plan.new_cards] == ["ZZ1-001"]
    assert stored_rows() == [
        [{"code": "ZZ1", "name": "First Bell", "size": 120, "is_hidden": False}],
        [
            {
                "key": "anvil-stance",
                "name": "Anvil Stance",
                "attributes": {"type": "foundation"},
                "identity": "anvil stance|0",
            }
        ],
        [{"key": "ZZ1-001", "card__key": "anvil-stance", "number": 1, "variant": "", "attributes": {}}],
    ]


def test_the_same_file_twice_changes_nothing():
    small_catalogue()
    before, number = stored_rows(), version()
    plan = import_catalogue(SMALL_CATALOGUE)
    assert (plan.new_cards, plan.changed_facts, plan.conflicts, plan.problems) == ([], [], [], [])
    assert plan.unchanged_count == 20
    assert (stored_rows(), version()) == (before, number)


def test_a_preview_writes_nothing():
    plan = preview_catalogue(write(ONE))
    assert len(plan.new_cards) == 1
    assert plan.writes_something
    assert stored_rows() == [[], [], []]


def test_figures_of_a_plan_are_a_code_with_params():
    figures = dict.fromkeys(["changed", "conflicts", "unchanged", "problems"], 0)
    assert preview_catalogue(write(ONE)).summary() == Reason("import_plan", {**figures, "new": 1})


def test_each_change_raises_the_version_once():
    small_catalogue()
    assert version() == 1
    import_catalogue(write({"ZZ9-001": {"name": "Newcomer"}}))
    assert version() == 2


def test_facts_that_were_unknown_are_added():
    import_catalogue(write(ONE))
    plan = import_catalogue(write({"ZZ1-001": {**ONE["ZZ1-001"], "unique": True}}))
    assert list_differences(plan.changed_facts) == [("ZZ1-001", "unique", None, True)]
    assert Card.objects.get().attributes == {"type": "foundation", "unique": True}


def test_a_fact_that_a_file_leaves_out_stays():
    import_catalogue(write(ONE))
    plan = import_catalogue(write({"ZZ1-001": {"name": "Anvil Stance"}}))
    assert plan.unchanged_count == 1
    assert Card.objects.get().attributes == {"type": "foundation"}


def test_a_contradiction_is_kept_as_stored_and_told():
    import_catalogue(write(ONE))
    plan = import_catalogue(write({"ZZ1-001": {**ONE["ZZ1-001"], "type": "asset"}}))
    assert list_differences(plan.conflicts) == [("ZZ1-001", "type", "foundation", "asset")]
    assert Card.objects.get().attributes == {"type": "foundation"}
    assert not plan.writes_something


def test_a_contradiction_is_replaced_when_so_asked():
    import_catalogue(write(ONE))
    changed_outcome = write({"ZZ1-001": {**ONE["ZZ1-001"], "type": "asset", "number": 2}})
    plan = import_catalogue(changed_outcome, on_conflict="replace")
    assert list_differences(plan.conflicts) == [
        ("ZZ1-001", "number", 1, 2),
        ("ZZ1-001", "type", "foundation", "asset"),
    ]
    assert Card.objects.get().attributes == {"type": "asset"}
    assert Printing.objects.get().number == 2


def test_another_name_under_a_known_key_is_never_taken_over():
    import_catalogue(write(ONE))
    plan = import_catalogue(write({"ZZ1-001": {"name": "Somebody Else"}}), on_conflict="replace")
    assert list_differences(plan.conflicts) == [("ZZ1-001", "name", "Anvil Stance", "Somebody Else")]
    assert Card.objects.get().name == "Anvil Stance"


@pytest.mark.both_databases
def test_a_reprint_joins_its_card():
    import_catalogue(write({**ONE, "ZZ2-040": {"name": "ANVIL  STANCE", "set": "ZZ2", "number": 40}}))
    assert Card.objects.count() == 1
    assert [printing.key for printing in Card.objects.get().printings.all()] == ["ZZ1-001", "ZZ2-040"]


def test_a_reprint_that_differs_keeps_its_own_fact():
    other = {"ZZ2-040": {"name": "Anvil Stance", "type": "foundation", "unique": True}}
    import_catalogue(write({"ZZ1-001": {**ONE["ZZ1-001"], "unique": False}, **other}))
    assert Card.objects.get().attributes == {"type": "foundation", "unique": False}
    assert Printing.objects.get(key="ZZ2-040").attributes == {"unique": True}
    assert import_catalogue(write(other)).unchanged_count == 1


@pytest.mark.both_databases
def test_versions_of_a_character_are_cards_of_their_own():
    small_catalogue()
    keys = Card.objects.filter(name="Mara").values_list("key", flat=True)
    assert sorted(keys) == ["mara-1", "mara-2"]


def test_rank_marks_in_a_name_become_dots():
    rows = "set,number,name,type\nZZ1,7,Mara..,Character\nZZ1,8,Oto::.,Character\nZZ1,9,Wait...,Action\n"
    import_catalogue(rows, game="ufs")
    card_rows = Card.objects.order_by("name").values_list("name", "attributes")
    assert list(card_rows) == [
        ("Mara", {"type": "character", "dots": 2}),
        ("Oto", {"type": "character", "dots": 5}),
        ("Wait...", {"type": "action"}),
    ]


@pytest.mark.both_databases
def test_one_name_on_two_cards_is_split_where_the_catalogue_says_so():
    cards_of_one_name = {"ZZ3-015": {"name": "Dark Bell"}, "ZZ4-070": {"name": "Dark Bell"}}
    import_catalogue(write(cards_of_one_name))
    assert Card.objects.count() == 1
    apart = {key: {**facts, "distinct_from": ["the other"]} for key, facts in cards_of_one_name.items()}
    plan = import_catalogue(write(apart))
    assert {each.fact for each in plan.changed_facts} == {"card", "distinct_from"}
    assert sorted(Card.objects.values_list("identity", flat=True)) == [
        "dark bell|0|zz3-015",
        "dark bell|0|zz4-070",
    ]
    assert import_catalogue(write(apart)).unchanged_count == 2


@pytest.mark.both_databases
def test_a_row_without_key_finds_its_printing_by_place_and_name():
    import_catalogue(write({"house-key": {**ONE["ZZ1-001"]}}))
    plan = import_catalogue("name,set,number,rarity\nAnvil Stance,ZZ1,001/120,Rare\n", game="ufs")
    assert list_differences(plan.changed_facts) == [("ZZ1-001", "rarity", None, "Rare")]
    assert Printing.objects.get().attributes == {"rarity": "Rare"}
    assert CardSet.objects.get().size == 120


def test_two_names_at_one_place_are_two_printings_if_the_file_wins_the_conflict():
    rows = "name,set,number\nFirst Name,ZZ1,5\nSecond Name,ZZ1,5\n"
    assert list_differences(import_catalogue(rows, game="ufs").conflicts) == [
        ("ZZ1-005", "name_at_number", "First Name", "Second Name")
    ]
    assert list(Printing.objects.values_list("key", flat=True)) == ["ZZ1-005"]
    import_catalogue(rows, game="ufs", on_conflict="replace")
    assert sorted(Printing.objects.values_list("key", flat=True)) == ["ZZ1-005", "ZZ1-005~second-name"]
    assert import_catalogue(rows, game="ufs").unchanged_count == 2


def test_a_row_that_could_mean_two_variants_only_tells_of_the_card():
    both = {
        f"ZZ3-001~{variant}": {"name": "Twice Told", "set": "ZZ3", "number": 1, "variant": variant}
        for variant in ("starter", "booster")
    }
    import_catalogue(write(both))
    plan = import_catalogue("name,set,number,type\nTwice Told,ZZ3,1,Action\n", game="ufs")
    assert list_differences(plan.changed_facts) == [("ZZ3-001", "type", None, "action")]
    assert Printing.objects.count() == 2


def test_the_cards_of_a_hidden_set_are_no_deck_cards():
    xml = (
        '<?xml version="1.0" encoding="utf-8"?><set name="Buttons" hidden="true" id="x"><cards>'
        '<card name="Start" id="0F"><property name="Type" value="Button"/></card></cards></set>'
    )
    import_catalogue(xml.encode(), game="cfc")
    printing = Printing.objects.get()
    assert (printing.is_deck_card, printing.external_ids) == (False, {"octgn": "0f"})
    assert CardSet.objects.get().is_hidden


def test_an_octgn_set_brings_its_properties():
    xml = (
        '<set name="Core" id="x" gameId="e3d56d9e-900d-49c6-b6ae-22cbb51be153"><cards>'
        '<card name="Nina" id="ab"><property name="BP" value="400"/><property name="Number" value="C001"/>'
        '<property name="Ability Type" value="o"/>'
        '<property name="Backup 1" value="Wing"/><property name="Backup 2" value=""/></card></cards></set>'
    )
    import_catalogue(xml)
    assert Card.objects.get().attributes == {"bp": 400, "ability_symbol": "o", "backups": ["Wing"]}
    printing = Printing.objects.get()
    assert (printing.number, printing.number_as_printed, printing.card_set.code) == (None, "C001", "Core")


@each_case(
    ("data", "code"),
    [
        ("", "catalogue_unreadable"),
        ("no table at all", "catalogue_unreadable"),
        ("{", "catalogue_unreadable"),
        ('{"cards": []}', "catalogue_unreadable"),
        ('{"cards": {}}', "game_unknown"),
        ('{"game": "chess", "cards": {}}', "game_unknown"),
        ('{"game": "ufs", "cards": {"a": {"name": "b", "dots": NaN}}}', "catalogue_unreadable"),
        ("[" * 100_000, "catalogue_unreadable"),
        ("<set>", "catalogue_unreadable"),
        ('<!DOCTYPE s [<!ENTITY a "b">]><set name="x"/>', "catalogue_unreadable"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "not_text"),
    ],
    around=rolled_back,
)
def test_what_is_no_catalogue_is_refused_with_a_code(data, code):
    with pytest.raises(Refused) as refusal:
        import_catalogue(data)
    assert refusal.value.code == code


def test_a_file_for_another_game_is_refused():
    with pytest.raises(Refused) as refusal:
        import_catalogue(write(ONE), game="cfc")
    assert refusal.value.code == "game_differs"


@each_case(
    ("facts", "code"),
    [
        ({}, "name_missing"),
        ({"name": ""}, "name_missing"),
        ({"name": ["x"]}, "name_not_text"),
        ({"name": "x", "type": 3}, "name_not_text"),
        ({"name": "x", "dots": "two"}, "dots_not_a_number"),
        ({"name": "x", "dots": 2.0}, "dots_not_a_number"),
        ({"name": "x", "dots": -1}, "dots_not_a_number"),
        ({"name": "x" * 201}, "name_too_long"),
        ({"name": "x", "set": "y" * 33}, "set_too_long"),
        ({"name": "x", "variant": "y" * 33}, "variant_too_long"),
        ({"name": "nul \x00 byte"}, "text_unstorable"),
        ({"name": "half \ud800 pair"}, "text_unstorable"),
        ({"name": "x", "external_ids": "y"}, "ids_not_an_object"),
    ],
    around=rolled_back,
)
def test_records_that_cannot_be_taken_are_named_and_the_others_come_in(facts, code):
    plan = import_catalogue(write({"bad": facts, **ONE}))
    assert [problem.code for problem in plan.problems] == ([code] if code else [])
    assert {problem.where for problem in plan.problems} <= {"card bad"}
    assert Card.objects.filter(key="anvil-stance").exists()


def test_a_key_that_stands_twice_is_told():
    text = '{"game": "ufs", "cards": {"a": {"name": "One"}, "a": {"name": "Two"}}}'
    plan = import_catalogue(text)
    assert [problem.code for problem in plan.problems] == ["key_repeated"]
    assert Card.objects.get().name == "Two"


@pytest.mark.both_databases
def test_rows_that_cannot_be_read_are_told_with_their_line():
    rows = "name,dots\nMara,many\nOto,2,3\nLast,1\n"
    plan = import_catalogue(rows, game="ufs")
    assert [(problem.where, problem.code) for problem in plan.problems] == [
        ("line 2", "value_not_understood"),
        ("line 3", "row_too_long"),
    ]
    assert sorted(Card.objects.values_list("name", flat=True)) == ["Last", "Mara"]


@pytest.mark.both_databases
def test_cards_with_names_that_give_one_address_get_keys_of_their_own():
    import_catalogue(write({"a": {"name": "Really?"}, "b": {"name": "Really!"}, "c": {"name": "???"}}))
    assert sorted(Card.objects.values_list("key", flat=True)) == ["card", "really", "really-no2"]


@pytest.mark.parametrize("cards", [1, 16])
def test_an_import_costs_the_same_queries_for_one_card_and_for_many(cards, django_assert_num_queries):
    file = write(dict(list(FILLERS.items())[:cards]))
    with django_assert_num_queries(19):
        import_catalogue(file)


def test_null_counts_as_not_given():
    import_catalogue(write({"a": {"name": "One", "type": None}}))
    assert Card.objects.get().attributes == {}
    assert json.loads(write({"a": {"name": "One"}}))["game"] == "ufs"
