"""An organizer adds a card beside the list that needs it.

The list gets a verdict.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.fixtures.browser import PHONE_FIRST
from tests.fixtures.desk import open_signed_in
from tests.scenarios.catalogue import list_of, small_catalogue
from tests.scenarios.factories import add_players, make_event, organizer
from tournament.access.permissions import Actor
from tournament.decklists.services import lists as decklists

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DECK = list_of("1 Mara ●", "4 Quartz Oath", fillers=55)


@pytest.mark.parametrize("size", PHONE_FIRST)
def test_card_added_beside_the_list_makes_the_typed_list_legal(new_page, live, size) -> None:
    small_catalogue()
    actor = organizer()
    event = make_event(actor)
    add_players(event, 1)
    player = event.players.select_related("event", "deck_list").get()
    decklists.submit_list(player, Actor.of_player(player), DECK)
    page = new_page(size)
    open_signed_in(page, f"/console/{event.slug}/lists/{player.number}/", actor.user.email)

    page.get_by_role("link", name="Add card for this event").last.click()
    expect(page.locator("[name=name]")).to_have_value("Quartz Oath")
    expect(page.locator(".line-problem")).to_have_text("4 Quartz Oath")
    page.fill("[name='fact:type']", "foundation")
    page.fill("[name='fact:dots']", "0")
    page.fill("[name='fact:split']", "-")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_role("button", name="Add card").click()
    expect(page.get_by_text("Card added. Decklists are checked again.")).to_be_visible()
    expect(page.locator(".line-problem")).to_have_count(0)

    page.get_by_role("link", name="Back to decklist").click()
    page.fill("#id_text", DECK.replace("1 Mara", "1  Mara"))
    page.wait_for_selector("#verdict .badge-legal")
    expect(page.locator("#verdict li", has_text="Quartz Oath")).to_contain_text("Added by the organizer")
