"""Editing the catalogue by hand; lists can be read there and never written."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.utils.html import escape

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


def list_errors(answer) -> list[ValidationError]:
    """Return the errors of the form on a page, each by itself."""
    errors_by_field = answer.context["adminform"].form.errors.as_data()
    return [error for errors in errors_by_field.values() for error in errors]


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"name": "MARA", "attributes": '{"dots": 1}'}, "card_exists"),
        ({"attributes": '{"type": null}'}, "fact_is_null"),
        ({"attributes": "[]"}, "facts_not_an_object"),
        ({"attributes": "[1]"}, "facts_not_an_object"),
        ({"attributes": "{"}, "invalid"),
        ({"key": "mara-1"}, "unique_together"),
    ],
)
def test_card_that_cannot_be_stored_is_refused_with_a_code_and_words(admin_client, values, code):
    answer = send(admin_client, "/admin/decks/card/add/", **values)
    assert answer.status_code == 200
    errors = list_errors(answer)
    assert code in {error.code for error in errors}
    assert all(escape(error.messages[0]) in answer.content.decode() for error in errors)


def test_no_facts_at_all_are_an_empty_object(admin_client):
    assert send(admin_client, "/admin/decks/card/add/", attributes="").status_code == 302
    assert Card.objects.get(key="newcomer").attributes == {}


def test_a_fact_is_corrected_by_hand(admin_client):
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
    assert "games_differ" in {error.code for error in list_errors(answer)}


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
