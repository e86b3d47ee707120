"""Buttons at the lines of a list that came as a file.

There is one press, one undo, and the file beside it.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from decks.submissions.models import DeckVersion
from tests.scenarios import labels
from tests.scenarios.catalogue import list_of, small_catalogue
from tests.scenarios.factories import add_players, make_event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TYPED = list_of("1 Mara ●", "4 Granit Guard", fillers=55)
FILE = "\n".join(("qty,name", *(line.replace(" ", ",", 1) for line in TYPED.splitlines())))
CHANGED = re.compile(r"^Main deck\n1 Mara ● \(ZZ1 101\)\n4 Granite Guard\n4 Anvil Stance")


def test_a_player_corrects_a_line_of_a_file_and_the_file_stays(phone: Page, live: Any) -> None:
    small_catalogue()
    alice = add_players(make_event(), 2)[0]
    phone.goto(f"/p/{alice.token}/list/")
    field = phone.locator("#id_text")
    field.fill(FILE)
    phone.locator("#verdict-badge [data-jump]").click()
    phone.locator(".line-ask").get_by_role("button", name="Granite Guard").click()
    expect(field).to_have_value(CHANGED)
    expect(phone.locator("#id_original")).to_have_value(FILE)
    expect(phone.locator("#original summary")).to_be_visible()

    phone.get_by_role("button", name=labels.UNDO).click()
    expect(field).to_have_value(FILE)
    expect(phone.locator("#original")).to_be_hidden()

    phone.locator("#verdict-badge [data-jump]").click()
    phone.locator(".line-ask").get_by_role("button", name="Granite Guard").click()
    expect(field).to_have_value(CHANGED)
    phone.get_by_role("button", name=labels.SUBMIT_DECKLIST).click()
    expect(phone.get_by_text("is submitted")).to_be_visible()
    assert DeckVersion.objects.get().original_text.splitlines() == FILE.splitlines()
    phone.goto(f"/p/{alice.token}/list/1/")
    with phone.expect_download() as download:
        phone.get_by_role("link", name="Original file").click()
    assert download.value.suggested_filename.endswith("-1.csv")


@pytest.mark.whole("a file stays beside its typed copy on a phone")
def test_the_original_file_comes_back_by_one_press_on_a_laptop(laptop: Page, live: Any) -> None:
    small_catalogue()
    laptop.goto("/decks/check/")
    laptop.select_option("#id_format", "ufs/constructed/1.9")
    field = laptop.locator("#id_text")
    field.fill(FILE)
    laptop.get_by_role("button", name="Granite Guard").click()
    expect(field).to_have_value(CHANGED)
    laptop.goto("/cards/")
    laptop.goto("/decks/check/")
    expect(laptop.locator("#id_original")).to_have_value(FILE)
    laptop.locator("#original summary").click()
    laptop.get_by_role("button", name="Restore original file").click()
    expect(field).to_have_value(FILE)
    laptop.get_by_role("button", name=labels.UNDO).click()
    expect(field).to_have_value(CHANGED)


def test_a_verdict_on_an_older_text_stands_at_no_line_of_a_newer_one(phone: Page, live: Any) -> None:
    small_catalogue()
    alice = add_players(make_event(), 2)[0]
    phone.goto(f"/p/{alice.token}/list/")
    held_routes: list[Route] = []
    phone.route("**/list/check/", lambda route: held_routes.append(route))
    with phone.expect_request("**/list/check/"):
        phone.locator("#id_text").fill(TYPED)
    phone.evaluate("id_text.value = `Main deck\\n${id_text.value}`")
    with phone.expect_event("requestfinished"):
        held_routes[-1].continue_()
    phone.unroute("**/list/check/")
    phone.evaluate("new Promise((resolve) => setTimeout(resolve, 100))")
    assert phone.locator(".line-ask").count() == 0
    phone.evaluate("id_text.dispatchEvent(new Event('input', { bubbles: true }))")
    expect(phone.locator(".line-ask").get_by_role("button", name="Granite Guard")).to_be_attached()


def test_a_press_at_a_line_arrives_though_the_next_verdict_comes_before_it_is_let_go(
    phone: Page, live: Any
) -> None:
    small_catalogue()
    alice = add_players(make_event(), 2)[0]
    phone.goto(f"/p/{alice.token}/list/")
    field = phone.locator("#id_text")
    field.fill(FILE)
    button = phone.locator(".line-ask").get_by_role("button", name="Granite Guard")
    expect(phone.locator(".card-offers")).to_be_visible()
    phone.evaluate("addEventListener('click', ({ target }) => (window.pressed = target), { once: true })")
    phone.locator("#verdict-badge [data-jump]").click()
    assert phone.evaluate("pressed.closest('[data-jump]') !== null")
    expect(phone.locator(".card-offers")).to_be_hidden()
    expect(button).to_be_focused()
    button.hover()
    expect(phone.locator(".htmx-request")).to_have_count(0)
    expect(button).to_be_focused()
    phone.mouse.down()
    with phone.expect_response("**/list/check/"):
        phone.evaluate("htmx.trigger(id_text.form, 'again')")
    expect(phone.locator(".htmx-request")).to_have_count(0)
    phone.mouse.up()
    expect(field).to_have_value(CHANGED)


def test_a_verdict_that_came_under_a_press_on_the_badge_is_asked_for_again(phone: Page, live: Any) -> None:
    small_catalogue()
    alice = add_players(make_event(), 2)[0]
    phone.goto(f"/p/{alice.token}/list/")
    phone.locator("#id_text").fill(FILE)
    badge = phone.locator("#verdict-badge [data-jump]")
    badge.click()
    expect(phone.locator(".htmx-request")).to_have_count(0)
    badge.hover()
    phone.mouse.down()
    with phone.expect_response("**/list/check/"):
        phone.evaluate("htmx.trigger(id_text.form, 'again')")
    expect(phone.locator(".htmx-request")).to_have_count(0)
    with phone.expect_request("**/list/check/"):
        phone.mouse.up()
