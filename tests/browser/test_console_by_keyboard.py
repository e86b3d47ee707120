"""A scorekeeper's round without a mouse, from signing in to the next round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fixtures.browser import LAPTOP
from tests.fixtures.desk import open_signed_in
from tests.scenarios import labels
from tests.scenarios.factories import make_user, organizer, started_event
from tournament.events.models.round import Match, Round
from tournament.pairing.services import rounds

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def sign_in(page: Any, event_path: str) -> None:
    page.goto(event_path)
    expect(page.get_by_label(labels.EMAIL)).to_be_focused()
    page.keyboard.type("olga@example.org")
    page.keyboard.press("Tab")
    page.keyboard.type("correct horse")
    page.keyboard.press("Enter")


def test_round_is_paired_published_and_entered_without_a_mouse(new_page: Callable[..., Any]) -> None:
    make_user("olga@example.org", first_name="Olga")
    event = started_event(4, swiss_rounds=2)
    page = new_page(LAPTOP)
    sign_in(page, f"/console/{event.slug}/")

    page.get_by_text("Round 1 of 2 can be paired.").wait_for()
    page.wait_for_load_state("load")
    page.keyboard.press("n")
    expect(page.get_by_role("button", name=labels.PAIR_ROUND % {"number": 1})).to_be_focused()
    page.keyboard.press("Enter")
    publish = page.get_by_role("button", name=labels.PUBLISH_ROUND % {"number": 1})
    publish.focus()
    page.keyboard.press("Enter")

    line = page.get_by_label(labels.TABLE_AND_RESULT)
    expect(line).to_be_focused()
    page.wait_for_load_state("load")
    page.keyboard.type("1 2 1")
    page.keyboard.press("Enter")
    page.locator("#table-1 .result").get_by_text("2-1").wait_for()
    expect(line).to_be_focused()
    expect(line).to_have_value("")
    expect(page.locator("#live-status")).to_contain_text("Table 1:")

    page.keyboard.type("7 2 1")
    page.keyboard.press("Enter")
    expect(page.locator("#live-status")).to_contain_text("7 2 1: There is no table 7 in round 1.")
    expect(line).to_have_value("")
    page.keyboard.type("2 0 2")
    page.keyboard.press("Enter")
    page.get_by_text("The round is finished.").wait_for()
    expect(line).to_have_value("")
    page.keyboard.press("ArrowUp")
    expect(line).to_have_value("2 0 2")
    assert [match.score for match in Match.objects.order_by("table")] == ["2-1", "0-2"]

    page.keyboard.press("Tab")
    page.keyboard.press("g")
    page.keyboard.press("d")
    page.get_by_text("Round 2 of 2 can be paired.").wait_for()
    assert Round.objects.count() == 1


def test_sheet_of_keys_opens_closes_and_keeps_out_of_typing(new_page: Callable[..., Any]) -> None:
    make_user("olga@example.org", first_name="Olga")
    event = started_event(4, swiss_rounds=2)
    rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())
    page = new_page(LAPTOP)
    open_signed_in(page, f"/console/{event.slug}/rounds/1/1/")
    line = page.get_by_label(labels.TABLE_AND_RESULT)
    expect(line).to_be_focused()
    page.keyboard.type("?")
    assert line.input_value() == "?"

    sheet = page.locator("dialog#keys")
    assert sheet.is_hidden()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Shortcuts on this page").wait_for()
    sheet.get_by_text("Overview").wait_for()
    sheet.get_by_text("Table and result").wait_for()
    sheet.get_by_label("Use single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    sheet.wait_for(state="hidden")
    page.keyboard.press("?")
    assert sheet.is_hidden()

    page.get_by_role("link", name="Shortcuts and motion").press("Enter")
    sheet.get_by_label("Reduce motion").check()
    page.keyboard.press("Escape")
    page.reload()
    assert page.evaluate("document.documentElement.dataset.motion") == "off"


def test_first_tab_leads_past_the_navigation_to_the_content(laptop: Any, live: Any) -> None:
    laptop.goto("/")
    laptop.keyboard.press("Tab")
    expect(laptop.get_by_role("link", name=labels.SKIP_TO_MAIN_CONTENT)).to_be_focused()
    laptop.keyboard.press("Enter")
    expect(laptop.locator("#main")).to_be_focused()


def test_news_reach_the_accessibility_tree_politely(laptop: Any) -> None:
    event = started_event(2)
    player = event.players.get(number=1)
    laptop.goto(f"/p/{player.token}/")
    laptop.get_by_role("heading", name="The next round is being prepared").wait_for()
    rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())
    expect(laptop.locator("#live-status")).to_contain_text("Round 1: table 1 vs. Bob.")
    assert said_politely(laptop) == ["Round 1: table 1 vs. Bob."]


def said_politely(page: Any) -> list[str]:
    """Return what is in the polite live regions of Chromium's own accessibility tree."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}
    polite = [node for node in nodes if _property(node, "live") == "polite" and _role(node) == "status"]
    return [words for node in polite if (words := _text(node, by_id))]


def _property(node: dict[str, Any], name: str) -> Any:
    return next((p["value"].get("value") for p in node.get("properties", []) if p["name"] == name), None)


def _role(node: dict[str, Any]) -> str:
    return str(node.get("role", {}).get("value", ""))


def _text(node: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> str:
    if _role(node) == "StaticText":
        return str(node["name"]["value"])
    return "".join(_text(by_id[child], by_id) for child in node.get("childIds", []) if child in by_id)
