"""A written import is undone.

Every row is as it was before, as long as nothing changed after it.
"""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model

from decks.catalogue.models import Card, CardSet, CatalogueImport, Printing
from decks.catalogue.services import imports
from decks.catalogue.services.catalogue import import_catalogue
from decks.catalogue.services.undo import can_undo, undo_import
from decks.jobs.models import Job
from decks.jobs.worker import perform
from decks.shared.refusals import Refused
from tests.scenarios.catalogue import write

pytestmark = pytest.mark.django_db

ONE = {"ZZ1-001": {"name": "Anvil Stance", "set": "ZZ1", "number": 1}}
TWO = {"ZZ2-002": {"name": "Ember Vow", "type": "foundation", "set": "ZZ2", "number": 2}}
RANKED = {"ZZ1-001": {**ONE["ZZ1-001"], "dots": 2, "type": "character", "rarity": "Rare"}}


@pytest.fixture
def ada():
    return get_user_model().objects.create_user("ada@example.org", first_name="Ada", last_name="Keeper")


def work() -> None:
    for job in Job.objects.filter(state=Job.State.QUEUED):
        perform(job.pk, heartbeat=False)


def write_file(person, cards: dict[str, object], **more: object) -> CatalogueImport:
    """Send a file and have it written."""
    catalogue_import = imports.receive_file(
        write(cards, **more).encode(), file_name="c.json", game="", person=person
    )
    work()
    imports.request_apply(CatalogueImport.objects.get(pk=catalogue_import.pk), person)
    work()
    return CatalogueImport.objects.get(pk=catalogue_import.pk)


def rows() -> list[list[dict[str, object]]]:
    return [list(model.objects.order_by("pk").values()) for model in (CardSet, Card, Printing)]


@pytest.mark.both_databases
def test_new_sets_cards_and_printings_go(ada):
    import_catalogue(write(ONE))
    before = rows()
    catalogue_import = write_file(ada, {**ONE, **TWO}, sets={"ZZ1": {"name": "First Bell"}})
    assert rows() != before
    undo_import(catalogue_import, ada)
    catalogue_import.refresh_from_db()
    assert (
        rows(),
        catalogue_import.state,
        catalogue_import.undo_rows,
        catalogue_import.finished_by_name,
    ) == (
        before,
        "undone",
        {},
        "Ada Keeper",
    )


@pytest.mark.both_databases
def test_a_printing_that_moved_to_another_card_returns_to_the_first(ada):
    import_catalogue(write(ONE))
    before = rows()
    catalogue_import = write_file(ada, RANKED)
    assert [(card.name, card.dots) for card in Card.objects.all()] == [("Anvil Stance", 2)]
    undo_import(catalogue_import, ada)
    assert rows() == before


def test_the_catalogue_has_a_new_version_and_the_file_can_be_imported_again(ada):
    catalogue_import = write_file(ada, ONE)
    undo_import(catalogue_import, ada)
    assert Card.objects.count() == 0
    assert write_file(ada, ONE).state == "done"
    assert Card.objects.get().name == "Anvil Stance"


def test_imports_are_undone_from_the_last_to_the_first(ada):
    first, second = write_file(ada, ONE), write_file(ada, TWO)
    assert (can_undo(first), can_undo(second)) == (False, True)
    with pytest.raises(Refused) as refusal:
        undo_import(first, ada)
    assert refusal.value.code == "import_not_undoable"
    undo_import(second, ada)
    assert [card.name for card in Card.objects.all()] == ["Anvil Stance"]
    undo_import(CatalogueImport.objects.get(pk=first.pk), ada)
    assert rows() == [[], [], []]


def test_an_import_is_undone_once(ada):
    catalogue_import = write_file(ada, ONE)
    undo_import(catalogue_import, ada)
    with pytest.raises(Refused):
        undo_import(catalogue_import, ada)


def test_an_import_that_wrote_nothing_has_nothing_to_undo(ada):
    import_catalogue(write(ONE))
    assert not can_undo(write_file(ada, ONE))


def test_a_change_by_hand_after_the_import_is_not_overwritten(ada):
    catalogue_import = write_file(ada, ONE)
    card = Card.objects.get()
    card.attributes = {"type": "asset"}
    card.save()
    assert not can_undo(catalogue_import)


def test_the_page_offers_the_undo_and_says_who_did_it(admin_client, ada):
    catalogue_import = write_file(ada, ONE)
    address = f"/catalogue/imports/{catalogue_import.pk}/"
    assert "Undo import" in admin_client.get(address).content.decode()
    admin_client.post(f"{address}undo/")
    page = admin_client.get(address).content.decode()
    assert "The catalogue is as it was before this import." in page
    assert "Undo import" not in page
