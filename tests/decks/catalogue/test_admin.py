"""Mending the catalogue by hand; lists can be read there and never written."""

from __future__ import annotations

import pytest

from decks.catalogue.models import Card, CatalogueState, Printing
from decks.submissions import services
from tests.scenarios.catalogue import LEGAL, small_catalogue
from tests.scenarios.decklists import submit

pytestmark = pytest.mark.django_db
NO_PRINTINGS = {
    "printings-TOTAL_FORMS": "0",
    "printings-INITIAL_FORMS": "0",
    "printings-MIN_NUM_FORMS": "0",
    "printings-MAX_NUM_FORMS": "1000",
}


@pytest.fixture(autouse=True)
def _catalogue(db: None) -> None:
    small_catalogue()


def version() -> int:
    return CatalogueState.objects.get(game="ufs").version


def send(client, address: str, **values: str):
    facts = {
        "game": "ufs",
        "key": "newcomer",
        "name": "Newcomer",
        "attributes": "{}",
        **NO_PRINTINGS,
        **values,
    }
    return client.post(address, facts)


def test_a_card_is_added_by_hand_and_the_catalogue_is_a_new_version(admin_client):
    before = version()
    assert send(admin_client, "/admin/decks/card/add/", attributes='{"dots": 2}').status_code == 302
    assert Card.objects.get(key="newcomer").identity == "newcomer|2"
    assert version() > before


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"name": "MARA", "attributes": '{"dots": 1}'}, "Name and facts are those of another card."),
        ({"attributes": '{"type": null}'}, "Leave out what is unknown instead of writing null: type."),
        ({"attributes": "[]"}, "Facts are written as a JSON object."),
        ({"attributes": "[1]"}, "Facts are written as a JSON object."),
        ({"attributes": "{"}, "Enter a valid JSON."),
        ({"key": "mara-1"}, "already exists"),
    ],
)
def test_what_cannot_be_stored_is_said_in_words(admin_client, values, sentence):
    answer = send(admin_client, "/admin/decks/card/add/", **values)
    assert answer.status_code == 200
    assert sentence in answer.content.decode()


def test_no_facts_at_all_are_an_empty_object(admin_client):
    assert send(admin_client, "/admin/decks/card/add/", attributes="").status_code == 302
    assert Card.objects.get(key="newcomer").attributes == {}


def test_a_fact_is_mended_by_hand(admin_client):
    card = Card.objects.get(key="oto-3")
    sent_values = {
        "key": "oto-3",
        "name": "Oto",
        "attributes": '{"type": "character", "dots": 3, "vitality": 25}',
    }
    assert send(admin_client, f"/admin/decks/card/{card.pk}/change/", **sent_values).status_code == 302
    card.refresh_from_db()
    assert (card.attributes["vitality"], card.identity) == (25, "oto|3")


def test_a_printing_stays_within_its_game(admin_client):
    printing = Printing.objects.get(key="ZZ1-101")
    sent_values = {
        "game": "cfc", "key": "ZZ1-101", "card": str(printing.card_id), "card_set": str(printing.card_set_id),
        "printed_name": "Mara", "external_ids": "{}", "attributes": "{}", "is_deck_card": "on",
    }  # fmt: skip
    answer = admin_client.post(f"/admin/decks/printing/{printing.pk}/change/", sent_values)
    assert "Card, set and printing must be of one game." in answer.content.decode()


def test_submitted_lists_are_shown_and_cannot_be_changed(admin_client):
    deck_list = services.create_list(game="ufs", format_key="constructed")
    first_version = submit(deck_list, LEGAL, actor="Ada")
    page = f"/admin/decks/deckversion/{first_version.pk}/change/"
    assert first_version.short_hash in admin_client.get(page).content.decode()
    assert admin_client.post(page, {"source_text": "x"}).status_code == 403
    assert (
        admin_client.post(f"/admin/decks/deckversion/{first_version.pk}/delete/", {"post": "yes"}).status_code
        == 403
    )
