"""A list that leaves something open, answered while typing: by a tap on the phone, and by keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from decks.submissions.models import DeckVersion
from tests.decks.checking.test_list_questions import OPENED
from tests.scenarios.catalogue import small_catalogue
from tests.scenarios.factories import add_players, make_event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TEXT = OPENED["Italian"]
ANSWERED = TEXT.replace("Riserva:", "Sideboard")


def field(page: Page) -> Any:
    return page.locator("#id_text")


def test_a_tap_answers_undoes_and_the_answered_list_is_submitted(phone: Page, live: Any) -> None:
    small_catalogue()
    alice = add_players(make_event(), 2)[0]
    phone.goto(f"/p/{alice.token}/list/")
    field(phone).fill(TEXT)
    expect(phone.locator("#verdict")).to_contain_text("Line 17 needs an answer.")
    expect(phone.locator("#verdict")).not_to_contain_text("Every line was understood")

    side = phone.get_by_role("button", name="This is my sideboard")
    assert (side.bounding_box() or {})["height"] >= 44
    side.click()
    expect(field(phone)).to_have_value(ANSWERED)
    expect(phone.locator("#verdict")).to_contain_text("Every line was understood and no rule is broken.")
    expect(phone.locator("#answered")).to_be_focused()

    phone.get_by_role("button", name="Undo").click()
    expect(field(phone)).to_have_value(TEXT)
    side.click()
    expect(phone.locator("#verdict")).to_contain_text("no rule is broken.")
    phone.get_by_role("button", name="Submit the list").click()
    expect(phone.get_by_text("is submitted and counts.")).to_be_visible()
    assert [version.source_text.replace("\r", "") for version in DeckVersion.objects.all()] == [ANSWERED]


def test_answers_are_given_by_keyboard_one_after_another(laptop: Page, live: Any) -> None:
    small_catalogue()
    laptop.goto("/decks/check/")
    laptop.select_option("#id_format", "ufs/constructed/1.9")
    field(laptop).fill(f"{TEXT}\nTotal: 90")
    side = laptop.get_by_role("button", name="This is my sideboard")
    side.press("Enter")
    count = laptop.get_by_role("button", name="60 is right")
    expect(count).to_be_focused()
    laptop.keyboard.press("Enter")
    expect(field(laptop)).to_have_value(f"{ANSWERED}\nTotal: 60")
    expect(laptop.locator("#verdict")).to_contain_text("Every line was understood and no rule is broken.")


def test_an_answer_to_lines_that_were_typed_since_is_never_put_elsewhere(laptop: Page, live: Any) -> None:
    small_catalogue()
    laptop.goto("/decks/check/")
    laptop.select_option("#id_format", "ufs/constructed/1.9")
    field(laptop).fill(TEXT)
    side = laptop.get_by_role("button", name="This is my sideboard")
    expect(side).to_be_visible()
    field(laptop).evaluate("(area, text) => { area.value = text; }", f"4 Jade Focus\n{TEXT}")
    side.click()
    expect(laptop.get_by_text("Line 17 asks nothing.").first).to_be_visible()
    expect(field(laptop)).to_have_value(f"4 Jade Focus\n{TEXT}")
