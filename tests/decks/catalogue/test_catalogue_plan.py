"""Properties of every import, planned on values alone, without a database."""

from __future__ import annotations

from copy import deepcopy

from hypothesis import given, settings
from hypothesis import strategies as st

from decks.catalogue.importing.plan import CatalogueImportPlan, make_plan
from decks.catalogue.importing.records import CardRecord, read_record
from decks.catalogue.importing.stored import StoredCatalogue
from decks.matching.catalogue import card_identity
from rules.catalogue_files.records import CatalogueRecord
from rules.reason import plain_reason, reason
from tests import machine

NAMES = st.sampled_from(["Mara", "mara", "Mara ●●", "Mara..", "Oto", "Dark Bell", "", "…", "E.S.P."])
FACTS = st.fixed_dictionaries(
    {},
    optional={
        "name": NAMES,
        "printed_name": NAMES,
        "type": st.sampled_from(["character", "Character", "attack", None]),
        "dots": st.sampled_from([0, 1, 2, None]),
        "set": st.sampled_from(["ZZ1", "ZZ2", ""]),
        "number": st.sampled_from([1, "1", "01/20", "C01", None]),
        "variant": st.sampled_from(["starter", "booster", ""]),
        "unique": st.booleans(),
        "rarity": st.sampled_from(["Rare", "Common"]),
        "distinct_from": st.just(["another"]),
    },
)
RECORDS = st.lists(
    st.builds(
        CatalogueRecord,
        place=st.just(plain_reason("here")),
        key=st.sampled_from([None, "K1", "K2", "K3"]),
        facts=FACTS,
    ),
    max_size=6,
)


def records_read(facts: dict[str, object], *, key: str | None, place: str = "here") -> CardRecord:
    record = read_record("ufs", CatalogueRecord(plain_reason(place), key, facts))
    assert isinstance(record, CardRecord)
    return record


def plan_import(
    records: list[CatalogueRecord], state: StoredCatalogue, on_conflict: str = "keep"
) -> CatalogueImportPlan:
    built_records = [read_record("ufs", record) for record in records]
    return make_plan(
        "ufs",
        [each for each in built_records if isinstance(each, CardRecord)],
        state,
        on_conflict=on_conflict,
    )


def reread_state(state: StoredCatalogue) -> StoredCatalogue:
    """Return the state as it is read back after the plan was written."""
    for number, row in enumerate((*state.sets.values(), *state.cards.values(), *state.printings.values())):
        row.pk, row.is_changed = row.pk or number + 1, False
    card_ids = {id(printing.card) for printing in state.printings.values()}
    state.cards = {key: card for key, card in state.cards.items() if id(card) in card_ids}
    return deepcopy(state)


@settings(max_examples=machine.examples(8), deadline=None)
@given(RECORDS)
def test_the_same_records_again_write_nothing(records):
    state = StoredCatalogue()
    plan_import(records, state)
    again = plan_import(records, reread_state(state))
    assert again.new_cards == []
    assert not again.writes_something


@settings(max_examples=machine.examples(8), deadline=None)
@given(RECORDS, RECORDS)
def test_a_fact_once_stored_is_never_lost_or_changed_by_a_further_import(before, after):
    state = StoredCatalogue()
    plan_import(before, state)
    values_by_key = {key: {**p.card.facts, **p.facts} for key, p in reread_state(state).printings.items()}
    plan_import(after, state)
    for key, facts in values_by_key.items():
        now = {**state.printings[key].card.facts, **state.printings[key].facts}
        assert facts.items() <= now.items()


@settings(max_examples=machine.examples(8), deadline=None)
@given(RECORDS)
def test_every_record_is_taken_in_or_named_as_a_problem(records):
    records_read = [read_record("ufs", record) for record in records]
    taken_described = [each for each in records_read if isinstance(each, CardRecord)]
    plan = plan_import(records, StoredCatalogue())
    touched_keys = {each.key for each in (*plan.changed_facts, *plan.conflicts)}
    assert len(plan.new_cards) + plan.unchanged_count + len(touched_keys) >= len(
        {record.key for record in taken_described}
    )
    assert all(problems for problems in records_read if isinstance(problems, list))


def test_a_card_of_a_file_called_set_is_no_set():
    """Another name under a known key is another card, wherever the record is."""
    record = records_read({"name": "Mara", "set": "ZZ1", "number": 1}, key="K1")
    other = records_read({"name": "Oto", "set": "ZZ1", "number": 1}, key="K1", place="set one.xml, card 1")
    state = StoredCatalogue()
    make_plan("ufs", [record], state)
    plan = make_plan("ufs", [other], reread_state(state), on_conflict="replace")
    assert [(each.fact, each.is_decidable) for each in plan.conflicts] == [("name", False)]
    assert plan.accepted_conflicts == []


def test_a_conflict_about_a_set_is_put_once_for_all_of_its_cards():
    state = StoredCatalogue()
    make_plan(
        "ufs", [records_read({"name": "Mara", "set": "ZZ1", "set_name": "First Bell"}, key="K1")], state
    )
    cards = [
        records_read({"name": f"Card {n}", "set": "ZZ1", "set_name": "Last Bell"}, key=f"C{n}")
        for n in range(9)
    ]
    plan = make_plan("ufs", cards, reread_state(state))
    assert [(each.place, each.fact, each.is_decidable) for each in plan.conflicts] == [
        (reason("catalogue_place.set", set="ZZ1"), "name", True)
    ]


def test_names_are_compared_without_case_spacing_or_shape_of_quotes():
    assert card_identity("ufs", None, "Beginner’s  LUCK", {}) == card_identity(
        "ufs", None, "beginner's luck", {}
    )


def test_a_highlander_id_stands_alone_until_its_text_is_known():
    first = card_identity("highlander", "4H-027", "Alertness", {"id": "4H-027"})
    second = card_identity("highlander", "4H-030", "Alertness", {"id": "4H-030"})
    assert first != second
    same = [card_identity("highlander", key, "Focus/Police", {"id": key, "text": "fp"}) for key in ("A", "B")]
    assert same[0] == same[1]


def test_a_fighter_card_belongs_to_its_owner():
    assert card_identity("sf_miniatures", None, "Jab", {"owner": "Ryu"}) != card_identity(
        "sf_miniatures", None, "Jab", {}
    )


DARK_HADO = {"name": "Dark Hado", "set": "darkpath", "number": 70}


def test_a_record_that_names_a_set_by_another_of_its_codes_is_in_that_set():
    state, records = StoredCatalogue(), [records_read(DARK_HADO, key=None)]
    codes = {"SF04": {"name": "The Dark Path", "other_codes": ["darkpath"]}}
    plan = make_plan("ufs", records, state, sets=codes)
    assert [(each.key, each.columns.card_set) for each in state.printings.values()] == [("SF04-070", "SF04")]
    assert [each.code for each in plan.new_sets] == ["SF04"]
    again = make_plan("ufs", records, reread_state(state), sets=codes)
    assert (again.new_cards, again.changed_facts, again.conflicts, again.unchanged_count) == ([], [], [], 1)


def test_other_codes_of_a_set_are_added_and_never_contradict():
    state = StoredCatalogue()
    make_plan("ufs", [], state, sets={"SF04": {"other_codes": ["darkpath"]}})
    state = reread_state(state)
    plan = make_plan("ufs", [], state, sets={"SF04": {"other_codes": ["darkpath", "SF04", "TDP"]}})
    assert [(each.fact, each.incoming_value) for each in plan.changed_facts] == [("other_codes", ["TDP"])]
    assert (plan.conflicts, state.sets["SF04"].other_codes) == ([], ["darkpath", "TDP"])


def test_a_record_under_a_further_name_of_a_card_is_that_card():
    state, place = StoredCatalogue(), {"set": "SF04", "number": 21}
    first = records_read(
        {"name": "One-Armed Maneuvers", "aliases": ["One-Armed Manuevers"], **place}, key="A"
    )
    make_plan("ufs", [first], state)
    plan = make_plan(
        "ufs", [records_read({"name": "one-armed manuevers", **place}, key=None)], reread_state(state)
    )
    assert (plan.new_cards, plan.conflicts, plan.unchanged_count) == ([], [], 1)


def of_table(*rows: tuple[str, int, str, str]) -> list[CardRecord]:
    """Return records of a table, which gives no keys."""
    names = ("set", "number", "name", "type")
    facts = [dict(zip(names, row, strict=True)) for row in rows]
    return [records_read(each, key=None, place=str(place)) for place, each in enumerate(facts)]


KEN = ("SF01", 38, "Ken..", "character")


def test_another_name_at_a_known_number_is_a_conflict_and_is_not_stored():
    state = StoredCatalogue()
    make_plan("ufs", of_table(KEN), state)
    plan = make_plan("ufs", of_table(("SF01", 38, "Not Ken At All", "character")), reread_state(state))
    assert [
        (each.fact, each.stored_value, each.incoming_value, each.is_decidable) for each in plan.conflicts
    ] == [("name_at_number", "Ken", "Not Ken At All", True)]
    assert (plan.new_cards, plan.writes_something) == ([], False)


def test_two_names_at_one_number_of_one_file_are_a_conflict_that_the_file_can_win():
    rows = of_table(("SF01", 136, "Beginner's Luck", "foundation"), ("SF01", 136, "Green", "foundation"))
    stored_catalogue, stored_catalogue = StoredCatalogue(), StoredCatalogue()
    assert len(make_plan("ufs", rows, stored_catalogue).conflicts) == 1
    assert list(stored_catalogue.printings) == ["SF01-136"]
    plan = make_plan("ufs", rows, stored_catalogue, on_conflict="replace")
    assert (len(plan.accepted_conflicts), list(stored_catalogue.printings)) == (
        1,
        ["SF01-136", "SF01-136~green"],
    )
    assert not make_plan("ufs", rows, reread_state(stored_catalogue)).writes_something


def test_keys_of_a_file_say_which_cards_share_a_number():
    place = {"set": "SF01", "number": 136}
    records = [records_read({"name": name, **place}, key=name) for name in ("Beginner's Luck", "Green")]
    assert make_plan("ufs", records, StoredCatalogue()).conflicts == []


def test_another_type_of_a_known_card_is_a_conflict_in_a_further_printing_too():
    state = StoredCatalogue()
    make_plan("ufs", of_table(("SC01", 71, "Lost Memories", "foundation")), state)
    further = of_table(("SC04", 5, "Lost Memories", "action"))
    plan = make_plan("ufs", further, reread_state(state))
    assert [(each.fact, each.stored_value, each.incoming_value) for each in plan.conflicts] == [
        ("type", "foundation", "action")
    ]
    assert [each.facts for each in plan.state.printings.values()] == [{}, {}]


def test_cards_that_an_identity_list_sets_apart_stay_two():
    rows = of_table(("SF03", 15, "Dark Hado", "foundation"), ("SF04", 70, "Dark Hado", "foundation"))
    state = StoredCatalogue()
    plan = make_plan("ufs", rows, state)
    assert (plan.conflicts, len(state.cards)) == ([], 2)
    assert [each.facts["distinct_from"] for each in state.cards.values()] == [["SF04-070"], ["SF03-015"]]
