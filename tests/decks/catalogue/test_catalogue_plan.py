"""What holds for every import, whatever the records: planned on values alone, without a database."""

from __future__ import annotations

from copy import deepcopy

from hypothesis import given, settings
from hypothesis import strategies as st

from decks.catalogue.importing.plan import CatalogueImportPlan, StoredCatalogue, make_plan
from decks.catalogue.importing.records import CardRecord, read_record
from decks.matching.catalogue import card_identity
from rules.catalogue_files.records import CatalogueRecord
from rules.reason import reason, told

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
        place=st.just(told("here")),
        key=st.sampled_from([None, "K1", "K2", "K3"]),
        facts=FACTS,
    ),
    max_size=6,
)


def described(facts: dict[str, object], *, key: str, place: str = "here") -> CardRecord:
    found = read_record("ufs", CatalogueRecord(told(place), key, facts))
    assert isinstance(found, CardRecord)
    return found


def planned(
    records: list[CatalogueRecord], state: StoredCatalogue, on_conflict: str = "keep"
) -> CatalogueImportPlan:
    made = [read_record("ufs", record) for record in records]
    return make_plan(
        "ufs", [each for each in made if isinstance(each, CardRecord)], state, on_conflict=on_conflict
    )


def stored(state: StoredCatalogue) -> StoredCatalogue:
    """The state as it is read back after the plan was written."""
    for number, row in enumerate((*state.sets.values(), *state.cards.values(), *state.printings.values())):
        row.pk, row.is_changed = row.pk or number + 1, False
    held = {id(printing.card) for printing in state.printings.values()}
    state.cards = {key: card for key, card in state.cards.items() if id(card) in held}
    return deepcopy(state)


@settings(max_examples=60, deadline=None)
@given(RECORDS)
def test_the_same_records_again_write_nothing(records):
    state = StoredCatalogue()
    planned(records, state)
    again = planned(records, stored(state))
    assert again.new == []
    assert not again.writes_something


@settings(max_examples=60, deadline=None)
@given(RECORDS, RECORDS)
def test_a_fact_once_stored_is_never_lost_or_changed_by_a_further_import(before, after):
    state = StoredCatalogue()
    planned(before, state)
    held = {key: {**p.card.facts, **p.facts} for key, p in stored(state).printings.items()}
    planned(after, state)
    for key, facts in held.items():
        now = {**state.printings[key].card.facts, **state.printings[key].facts}
        assert facts.items() <= now.items()


@settings(max_examples=60, deadline=None)
@given(RECORDS)
def test_every_record_is_taken_in_or_named_as_a_problem(records):
    described = [read_record("ufs", record) for record in records]
    taken = [each for each in described if isinstance(each, CardRecord)]
    plan = planned(records, StoredCatalogue())
    touched = {each.key for each in (*plan.changed, *plan.conflicts)}
    assert len(plan.new) + plan.unchanged + len(touched) >= len({record.key for record in taken})
    assert all(problems for problems in described if isinstance(problems, list))


def test_a_card_of_a_file_called_set_is_no_set():
    """Another name under a known key is another card, wherever the record stands."""
    known = described({"name": "Mara", "set": "ZZ1", "number": 1}, key="K1")
    other = described({"name": "Oto", "set": "ZZ1", "number": 1}, key="K1", place="set one.xml, card 1")
    state = StoredCatalogue()
    make_plan("ufs", [known], state)
    plan = make_plan("ufs", [other], stored(state), on_conflict="replace")
    assert [(each.fact, each.is_decidable) for each in plan.conflicts] == [("name", False)]
    assert plan.taken == []


def test_a_conflict_about_a_set_is_put_once_for_all_of_its_cards():
    state = StoredCatalogue()
    make_plan("ufs", [described({"name": "Mara", "set": "ZZ1", "set_name": "First Bell"}, key="K1")], state)
    cards = [
        described({"name": f"Card {n}", "set": "ZZ1", "set_name": "Last Bell"}, key=f"C{n}") for n in range(9)
    ]
    plan = make_plan("ufs", cards, stored(state))
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
