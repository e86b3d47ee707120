"""The plan for a whole list.

It is applied by one tap on the phone and by keyboard, and undone.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.scenarios import labels
from tests.scenarios.catalogue import list_of, small_catalogue
from tests.scenarios.factories import add_players, make_event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BANNED = list_of("1 Mara ●", "2 Kubi Ori", fillers=57)
PLANNED = BANNED.replace("2 Kubi Ori\n", "").replace("1 Oaken Will", "3 Oaken Will")


def test_a_tap_applies_the_plan_and_another_undoes_it(phone: Page, live: Any) -> None:
    small_catalogue()
    alice = add_players(make_event(), 2)[0]
    phone.goto(f"/p/{alice.token}/list/")
    field = phone.locator("#id_text")
    field.fill(BANNED)
    apply = phone.locator("#plan-button button")
    expect(phone.locator("#plan")).to_contain_text("Remove 2 Kubi Ori from the main deck.")
    assert (apply.bounding_box() or {})["height"] >= 44
    apply.click()
    expect(field).to_have_value(PLANNED)
    expect(phone.locator("#verdict")).to_contain_text("No problems found")

    phone.get_by_role("button", name=labels.UNDO).click()
    expect(field).to_have_value(BANNED)
    expect(apply).to_be_visible()


@pytest.mark.whole("a plan is applied by a tap and undone")
def test_the_plan_is_applied_by_keyboard_in_the_checker(laptop: Page, live: Any) -> None:
    small_catalogue()
    laptop.goto("/decks/check/")
    laptop.select_option("#id_format", "ufs/constructed/1.9")
    laptop.locator("#id_text").fill(BANNED)
    laptop.get_by_role("button", name=labels.APPLY_PLAN).press("Enter")
    expect(laptop.locator("#id_text")).to_have_value(PLANNED)
    expect(laptop.locator("#verdict")).to_contain_text("No problems found")


@pytest.mark.whole("a plan is applied by a tap and undone")
def test_typing_takes_the_plan_away_until_the_next_verdict(laptop: Page, live: Any) -> None:
    small_catalogue()
    laptop.goto("/decks/check/")
    laptop.select_option("#id_format", "ufs/constructed/1.9")
    laptop.locator("#id_text").fill(BANNED)
    expect(laptop.get_by_role("button", name=labels.APPLY_PLAN)).to_be_visible()
    laptop.locator("#id_text").press_sequentially("\n")
    expect(laptop.locator("#id_text")).to_have_value(f"{BANNED}\n")
    expect(laptop.get_by_role("button", name=labels.APPLY_PLAN)).to_be_visible()


def test_typing_stops_the_request_for_the_plan_of_an_older_text(laptop: Page, live: Any) -> None:
    """Without an element in the page, the answer would be an error of htmx."""
    small_catalogue()
    held_routes = []

    def hold(route: Any) -> None:
        if "plan=show" in (route.request.post_data or ""):
            held_routes.append(route)
        else:
            route.continue_()

    laptop.goto("/decks/check/")
    laptop.select_option("#id_format", "ufs/constructed/1.9")
    laptop.route("**/*", hold)
    with laptop.expect_request(lambda request: "plan=show" in (request.post_data or "")) as plan_request:
        laptop.locator("#id_text").fill(BANNED)
    with laptop.expect_event("requestfailed", lambda request: request == plan_request.value):
        laptop.locator("#id_text").fill(PLANNED)
    expect(laptop.locator("#verdict")).to_contain_text("No problems found")
    assert len(held_routes) == 1


def test_a_list_is_fixed_line_by_line_and_extended_by_offered_and_tapped_cards(
    laptop: Page, live: Any
) -> None:
    small_catalogue()
    laptop.goto("/decks/check/")
    laptop.select_option("#id_format", "ufs/constructed/1.9")
    field = laptop.locator("#id_text")
    field.fill(f"{list_of('1 Mara ●', fillers=56)}\n6 Paper Tiger\n4 Granit Guard")
    line = laptop.get_by_role("group", name="Line 16: 6 copies, maximum 4")
    line.get_by_role("button", name="4 Paper Tiger").click()
    expect(field).to_have_value(f"{list_of('1 Mara ●', fillers=56)}\n4 Paper Tiger\n4 Granit Guard")

    laptop.locator("#verdict [data-jump]").click()
    similar = laptop.locator(".line-ask").get_by_role("button", name="Granite Guard")
    expect(similar).to_be_focused()
    laptop.goto("/cards/?q=granite")
    laptop.goto("/decks/check/")
    expect(field).to_have_value(f"{list_of('1 Mara ●', fillers=56)}\n4 Paper Tiger\n4 Granit Guard")

    field.press("Control+End")
    field.press_sequentially("\n1 oak")
    expect(laptop.get_by_role("option", name="Oaken Will")).to_be_visible()
    field.press("ArrowDown")
    field.press("Enter")
    expect(field).to_have_value(
        f"{list_of('1 Mara ●', fillers=56)}\n4 Paper Tiger\n4 Granit Guard\n1 Oaken Will"
    )
    laptop.get_by_text("Add cards").click()
    laptop.get_by_role("searchbox", name="Card").fill("oaken")
    laptop.get_by_role("button", name="Add one: Oaken Will").click()
    expect(field).to_have_value(
        f"{list_of('1 Mara ●', fillers=56)}\n4 Paper Tiger\n4 Granit Guard\n2 Oaken Will"
    )
