"""The page of a round on a laptop.

It has many tables, no layout shift, and three presses to the next round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fixtures.browser import LAPTOP, PHONE, count_restyled, until
from tests.fixtures.desk import enter, line_of, open_round, scores
from tests.scenarios import labels
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ROW, STRIP, FEWEST_ROWS = 32, 64, 10
# With a table's row, the head of the page and the rail.
MOST_RESTYLED = 120
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
    # A press would be lost in a list that the answer is about to exchange.
    expect(page.locator("#last-entries li").first).to_contain_text("won 2-1")
    assert scores() == {3: "2-1", 4: "1-2"}
    assert page.evaluate(MEASURES) == before

    # The last entries are beside the tables, each with its undo; a letter in the line undoes too.
    page.locator("#last-entries").get_by_role("button", name="Undo table 3").click()
    until(page, lambda: scores() == {4: "1-2"})
    expect(line_of(page)).to_be_focused()
    page.wait_for_load_state("load")
    enter(page, "u")
    until(page, lambda: scores() == {4: "0-2"})


@pytest.mark.whole("rounds that follow each other, in test_whole_event.py")
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


WHOLE_NAMES = """() => [...document.querySelectorAll("#tables .seat-name")].filter((name) =>
    name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 1
    || name.getBoundingClientRect().height > name.closest("tr").getBoundingClientRect().height)
    .map((name) => name.textContent)"""
LONG_NAMES = (
    "Alexandra Konstantinidou",
    "Maximiliane von Hohenstein-Bartenfels",
    "Donaudampfschifffahrtsgesellschaftskapitän Müller",
    "Pablo Echeverría-Santos de la Torre y Álvarez del Castillo Montenegro",
    "田中" * 20,
)


def test_a_key_at_the_line_restyles_its_table_alone_and_an_answer_no_other_row(
    new_page: Callable[..., Any],
) -> None:
    page = open_round(new_page(LAPTOP), players=60)
    reads = page.locator("[data-line-reads]")

    def enter_result() -> None:
        page.keyboard.press("Enter")
        expect(page.locator("#last-entries li")).to_have_count(1)
        expect(page.locator("#table-12.is-done")).to_be_visible()

    def type_line() -> None:
        page.keyboard.type("12 2 1")
        expect(reads).to_contain_text("2-1")

    assert page.locator("#tables td *").count() > 4 * MOST_RESTYLED
    assert max(count_restyled(page, type_line)) <= MOST_RESTYLED
    assert max(count_restyled(page, enter_result)) <= MOST_RESTYLED


def test_long_names_stand_whole_in_rows_of_one_height(new_page: Callable[..., Any]) -> None:
    page = open_round(new_page(LAPTOP), players=12)
    people = list(Player.objects.order_by("number"))
    for place, player in enumerate(people):
        player.name = f"{LONG_NAMES[place % len(LONG_NAMES)]}{' II' * (place // len(LONG_NAMES))}"
    Player.objects.bulk_update(people, ["name"])
    page.reload()
    assert page.evaluate(WHOLE_NAMES) == []
    assert page.evaluate(MEASURES)["heights"] == [ROW]


# By the room that a browser leaves beside the mark of a list.
CUT_CHOICES = """() => [...document.querySelectorAll("main select")].filter((list) => {
    const look = getComputedStyle(list), canvas = document.createElement("canvas").getContext("2d");
    canvas.font = `${look.fontWeight} ${look.fontSize} ${look.fontFamily}`;
    const width = canvas.measureText(list.selectedOptions[0]?.text ?? "").width;
    return width > list.clientWidth - 48 && look.appearance !== "base-select";
}).map((list) => list.name)"""


def test_longest_choices_are_on_more_lines_on_a_small_phone(new_page: Callable[..., Any]) -> None:
    page = open_round(new_page({**PHONE, "viewport": {"width": 320, "height": 568}}), players=8)
    for part in ("settings", "pairing", "standings-system"):
        page.goto(f"/console/spring-open/{part}/")
        assert page.evaluate(CUT_CHOICES) == [], part
