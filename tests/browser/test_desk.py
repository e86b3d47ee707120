"""The desk before round 1, with the keyboard alone.

It has walk-ins, the list at the door, and a typed number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fixtures.browser import LAPTOP, PHONE
from tests.scenarios import labels
from tests.scenarios.factories import add_players, make_event, organizer
from tournament.events.models.event import Event
from tournament.setup.services import events

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def sign_in(page: Any) -> None:
    page.goto("/sign-in/")
    page.get_by_label(labels.EMAIL).fill("olga@example.org")
    page.get_by_label(labels.PASSWORD).fill("correct horse")
    page.keyboard.press("Enter")
    page.wait_for_url("**/console/**")


def here(event: Event) -> list[str]:
    return list(event.players.filter(checked_in_at__isnull=False).values_list("name", flat=True))


@pytest.mark.whole("a round by keyboard, in test_console_by_keyboard.py")
def test_desk_before_round_one_by_keyboard_alone(new_page: Callable[..., Any]) -> None:
    event = make_event()
    add_players(event, 3)
    events.open_check_in(event, organizer())
    page = new_page(LAPTOP)
    sign_in(page)

    page.goto(f"/console/{event.slug}/players/")
    for number, line in ((4, "Zoë Lee; zoe@example.org; Ken"), (5, "Xenia")):
        expect(page.get_by_label(labels.NEW_PLAYER)).to_be_focused()
        page.keyboard.type(line)
        page.keyboard.press("Enter")
        page.locator(".entry-rows").get_by_text(f"is number {number}.").wait_for()

    page.goto(f"/console/{event.slug}/check-in/")
    expect(page.get_by_label(labels.NAME_OR_NUMBER)).to_be_focused()
    page.keyboard.type("zoe")
    expect(page.locator("#door tbody tr:visible")).to_have_count(1)
    page.keyboard.press("Enter")
    page.locator(".entry-rows").get_by_text("Zoë Lee is checked in.").wait_for()
    expect(page.get_by_label(labels.NAME_OR_NUMBER)).to_have_value("")
    expect(page.locator("#door tbody tr:visible")).to_have_count(5)

    page.goto(f"/console/{event.slug}/check-in/scan/")
    expect(page.get_by_label("Number")).to_be_focused()
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    page.locator(".entry-rows").get_by_text("Bob is checked in.").wait_for()
    assert here(event) == ["Bob", "Zoë Lee"]


@pytest.mark.whole("tests/screens/test_quality.py")
def test_door_fits_a_narrow_phone(new_page: Callable[..., Any]) -> None:
    event = make_event()
    add_players(event, 2)
    events.open_check_in(event, organizer())
    page = new_page({**PHONE, "viewport": {"width": 320, "height": 640}})
    sign_in(page)
    for address in ("check-in/", "check-in/scan/", "check-in/1/", "players/", "players/import/"):
        page.goto(f"/console/{event.slug}/{address}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
