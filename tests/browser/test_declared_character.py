"""The declared character is changed from the plan.

It takes one press, with one undo, on phone and laptop.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.fixtures.browser import PHONE_FIRST
from tests.fixtures.desk import open_signed_in
from tests.scenarios import labels
from tests.scenarios.catalogue import LEGAL, small_catalogue
from tests.scenarios.factories import SETTINGS, add_players, make_event
from tests.tournament.desk.test_console_pages import signed_in
from tournament.access.permissions import Actor
from tournament.events.models.player import Player
from tournament.registration.services import declare_character

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def alice() -> Player:
    """Return a player of an event with a diversity cut.

    The player declared a character that the decklist lacks.
    """
    small_catalogue()
    event = make_event(**{**SETTINGS, "cut": "diversity", "cut_size": 4})
    player = add_players(event, 2)[0]
    declare_character(player, Actor.of_player(player), "Oto")
    return player


def declared_by(player: Player) -> str:
    return Player.objects.get(pk=player.pk).character


def test_a_player_declares_the_planned_character_by_one_tap(phone: Page, live: Any, alice: Player) -> None:
    phone.goto(f"/p/{alice.token}/list/")
    phone.locator("#id_text").fill(LEGAL)
    expect(phone.locator("#verdict")).to_contain_text("Oto")
    phone.locator("#plan").get_by_role("button", name="Declare Mara").click()
    expect(phone.locator("#verdict")).to_contain_text("No problems found")
    assert (declared_by(alice), phone.locator("#id_text").input_value()) == ("Mara", LEGAL)

    phone.get_by_role("button", name=labels.UNDO).click()
    expect(phone.locator("#plan").get_by_role("button", name="Declare Mara")).to_be_visible()
    assert declared_by(alice) == "Oto"


@pytest.mark.whole("a player declares it in the same way")
def test_a_character_that_can_no_longer_change_stays(phone: Page, live: Any, alice: Player) -> None:
    phone.goto(f"/p/{alice.token}/list/")
    phone.locator("#id_text").fill(LEGAL)
    press = phone.locator("#plan").get_by_role("button", name="Declare Mara")
    expect(press).to_be_visible()
    phone.route("**/character/", lambda route: route.fulfill(status=422, body=""))
    press.click()
    expect(phone.locator(".toast").first).to_contain_text("This could not be saved.")
    expect(phone.locator("input[name=character]")).to_have_value("Oto")
    assert declared_by(alice) == "Oto"


@pytest.mark.parametrize("size", PHONE_FIRST)
@pytest.mark.whole("a player declares it in the same way")
def test_staff_declares_the_planned_character_by_one_press(
    new_page: Any, live: Any, alice: Player, size: dict[str, Any]
) -> None:
    page = new_page(size)
    user = signed_in(alice.event, "organizer").get("/account/").wsgi_request.user
    open_signed_in(page, f"/console/{alice.event.slug}/lists/{alice.number}/", user.email)
    page.locator("#id_text").fill(LEGAL)
    page.locator("#plan").get_by_role("button", name="Declare Mara").click()
    expect(page.locator("#verdict")).to_contain_text("No problems found")
    assert (declared_by(alice), page.locator("#id_text").input_value()) == ("Mara", LEGAL)

    page.get_by_role("button", name=labels.UNDO, exact=True).click()
    expect(page.locator("#plan").get_by_role("button", name="Declare Mara")).to_be_visible()
    assert declared_by(alice) == "Oto"


@pytest.mark.whole("the same field on the page of a player, above")
def test_the_checker_fills_its_field_with_the_character(laptop: Page, live: Any) -> None:
    small_catalogue()
    laptop.goto("/decks/check/")
    laptop.select_option("#id_format", "ufs/constructed/1.9")
    laptop.fill("#id_character", "Oto")
    laptop.fill("#id_text", LEGAL)
    laptop.locator("#plan").get_by_role("button", name="Declare Mara").click()
    expect(laptop.locator("#id_character")).to_have_value("Mara")
    expect(laptop.locator("#verdict")).to_contain_text("No problems found")

    laptop.get_by_role("button", name=labels.UNDO).click()
    expect(laptop.locator("#id_character")).to_have_value("Oto")
