"""The page of a round on a laptop: many tables, no layout shift, and three presses to the next round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fixtures.browser import LAPTOP, until
from tests.fixtures.desk import enter, line_of, open_round, scores
from tests.scenarios import labels
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ROW, STRIP, FEWEST_ROWS = 32, 64, 10
MEASURES = """() => {
    const box = (each) => each.getBoundingClientRect();
    const rows = [...document.querySelectorAll("#tables tbody tr")];
    return {
        strip: box(document.querySelector(".strip")).height,
        heights: [...new Set(rows.map((row) => Math.round(box(row).height)))],
        seen: rows.filter((row) => box(row).top >= 0 && box(row).bottom <= innerHeight).length,
        columns: [...document.querySelectorAll("#tables thead th")].map((cell) => box(cell).x),
        tops: rows.map((row) => box(row).top),
        results: rows.map((row) => box(row.querySelector(".result")).x),
    };
}"""
END_OF_ROWS = "document.querySelector('#tables tbody tr').getBoundingClientRect().right"
# A smaller line height cuts the lower part of letters such as g.
LEAST_LINE = 1.3
LINES = """() => [...document.querySelectorAll("#tables .seat-name")].map((name) =>
    name.getBoundingClientRect().height / parseFloat(getComputedStyle(name).fontSize))"""


def test_ten_tables_are_in_sight_and_no_entry_or_answer_moves_them(new_page: Callable[..., Any]) -> None:
    page = open_round(new_page(LAPTOP), players=24)
    before = page.evaluate(MEASURES)
    assert (before["strip"], before["heights"]) == (STRIP, [ROW])
    assert before["seen"] >= FEWEST_ROWS
    assert min(page.evaluate(LINES)) >= LEAST_LINE
    assert set(before["results"]) == {before["columns"][2]}

    page.keyboard.type("3 2 1")
    winner = page.locator("#table-3 .seat-name").first.inner_text()
    expect(page.locator("[data-line-reads]")).to_have_text(f"{winner} won 2-1")
    page.keyboard.press("Enter")
    page.locator("#table-4").get_by_role("button", name="Table 4: 0-2").click()
    toast = page.locator(".messages-toasts .alert-success")
    expect(toast).to_contain_text("Table 4:")
    assert toast.bounding_box()["x"] >= page.evaluate(END_OF_ROWS)
    assert toast.locator("p").bounding_box()["width"] > toast.bounding_box()["width"] / 2
    expect(page.locator("#last-entries li")).to_have_count(2)
    assert page.evaluate(MEASURES) == before

    # A finished table is changed in its row, which stays as high as it was.
    page.locator("#table-4").get_by_text("Change", exact=True).click()
    page.locator("#table-4").get_by_role("button", name="Table 4: 1-2").click()
    until(page, lambda: scores() == {3: "2-1", 4: "1-2"})
    assert page.evaluate(MEASURES) == before

    # The last entries are beside the tables, each with its undo; a letter in the line undoes too.
    page.locator("#last-entries").get_by_role("button", name="Undo table 3").click()
    until(page, lambda: scores() == {4: "1-2"})
    expect(line_of(page)).to_be_focused()
    page.wait_for_load_state("load")
    enter(page, "u")
    until(page, lambda: scores() == {4: "0-2"})


def test_complete_round_leads_to_the_next_with_slips_in_three_presses(new_page: Callable[..., Any]) -> None:
    page = open_round(new_page(LAPTOP), players=4)
    page.evaluate("window.isSamePage = true")
    enter(page, "n")
    expect(page.locator("[data-line-reads]")).to_have_text("2 results missing")
    for slip in ("1 2 1", "2 0 2", "2 2 0 !"):
        enter(page, slip)
    expect(page.locator("#round-status")).to_contain_text("The round is finished.")
    expect(page.locator("#live-status")).to_contain_text("Round 1 is finished.")
    until(page, lambda: scores() == {1: "2-1", 2: "2-0"})
    assert page.evaluate("window.isSamePage")

    enter(page, "n")
    publish = page.get_by_role("button", name=labels.PUBLISH_ROUND % {"number": 2})
    publish.wait_for()
    page.wait_for_load_state("load")
    page.keyboard.press("n")
    expect(publish).to_be_focused()
    page.keyboard.press("Enter")
    expect(line_of(page)).to_be_focused()
    page.wait_for_load_state("load")
    assert Round.objects.get(number=2).state == Round.State.PUBLISHED
    with page.expect_popup() as slips:
        enter(page, "p")
    slips.value.get_by_role("heading", name="Match slips").wait_for()
    assert Match.objects.filter(round__number=2, outcome="").count() == 2
    assert Event.objects.get().log.filter(action="round_published").count() == 2
