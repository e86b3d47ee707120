"""Several players on one phone.

Their own rows come first in the pairings, and a value of the standings opens over its table.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.test_player_path import publish_next
from tests.scenarios.factories import play_round, started_event
from tournament.events.models.player import Player
from tournament.registration.services import contact as links

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SMALL = {"width": 320, "height": 568}


def page_of(player: Player) -> str:
    return f"/p/{player.token}/"


def test_players_of_one_phone_are_switched_by_name(phone: Any) -> None:
    event = started_event(6)
    publish_next(event)
    alice, bob = event.players.order_by("number")[:2]
    phone.goto(page_of(alice))
    switch = phone.get_by_role("navigation", name="Players on this device")
    expect(switch).to_be_hidden()
    phone.goto(page_of(bob))
    expect(switch.locator("[aria-current]")).to_have_text(f"Bob table {bob.seats.get().match.table}")
    switch.get_by_role("link", name="Alice").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Alice")
    # More players than fit: the one of this page is in view.
    phone.set_viewport_size(SMALL)
    for player in event.players.order_by("number"):
        phone.goto(page_of(player))
    expect(switch.locator("[aria-current]")).to_be_in_viewport(ratio=0.9)


@pytest.mark.whole("players of one phone are switched by name")
def test_replaced_link_leaves_the_switch(phone: Any) -> None:
    event = started_event(2)
    alice, bob = event.players.select_related("event").order_by("number")
    for player in (alice, bob):
        phone.goto(page_of(player))
    old = page_of(alice)
    links.renew_private_link(alice, links.VISITOR)
    phone.goto(old)
    phone.get_by_role("heading", name="This link was replaced").wait_for()
    phone.goto(page_of(bob))
    phone.get_by_role("heading", name="The next round is being prepared").wait_for()
    expect(phone.get_by_role("navigation", name="Players on this device")).to_be_hidden()


@pytest.mark.parametrize(
    "order", ["", pytest.param("?by=name", marks=pytest.mark.whole("the same rows in the order of tables"))]
)
def test_pairings_begin_with_the_rows_of_the_players_of_this_phone(phone: Any, order: str) -> None:
    event = started_event(8)
    publish_next(event)
    last = event.players.order_by("number").last()
    pairings = f"/e/{event.slug}/pairings/{order}"
    phone.goto(pairings)
    expect(phone.locator("[data-pinned]")).to_have_count(0)
    phone.goto(page_of(last))
    phone.goto(pairings)
    expect(phone.locator("tbody tr").first).to_contain_text(last.name)
    rows = 8 if order else 4
    expect(phone.locator("tbody tr")).to_have_count(rows)


def test_table_name_and_opponent_are_in_the_first_screen_of_a_small_phone(phone: Any) -> None:
    event = started_event(2)
    long_name = "Maximiliane Hausenbergerrdorff-Schmidtberger"
    event.players.filter(number=1).update(name=long_name)
    publish_next(event)
    phone.set_viewport_size(SMALL)
    phone.goto(page_of(event.players.get(number=2)))
    first_view = [
        phone.get_by_role("heading", level=1),
        phone.locator(".versus-table"),
        phone.locator(".score-draw"),
    ]
    for part in (*first_view, phone.get_by_role("heading", name=f"vs. {long_name}")):
        box = part.bounding_box()
        assert box["y"] + box["height"] <= SMALL["height"]
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= SMALL["width"]


def test_value_of_the_standings_opens_over_the_table(phone: Any) -> None:
    event = started_event(4, swiss_rounds=2)
    play_round(event)
    address = f"/e/{event.slug}/standings/"
    phone.goto(address)
    phone.locator("tbody tr").first.get_by_role("link", name="33.3%").first.click()
    dialog = phone.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_contain_text("33.3%")
    expect(dialog.locator("tbody tr")).to_have_count(1)
    assert phone.url.endswith(address)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
