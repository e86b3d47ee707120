"""Two scorekeepers at one round.

A result replaces its row on both pages and leaves the rest alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fixtures.browser import LAPTOP, until
from tests.fixtures.desk import enter, line_of, open_round, open_signed_in, scores
from tests.scenarios.factories import make_user
from tournament.events.models.event import Event, StaffRole

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MARK_ROWS = "for (const row of document.querySelectorAll('#tables tbody tr')) row.isOld = true"
NEW_ROWS = (
    "[...document.querySelectorAll('#tables tbody tr')].filter((row) => !row.isOld).map((row) => row.id)"
)
ORDER = "[...document.querySelectorAll('#tables tbody tr')].map((row) => row.id)"
FOCUSED_ROW = "document.activeElement.closest('tr')?.id"


def pair_of_desks(new_page: Callable[..., Any], players: int) -> tuple[Any, Any]:
    """Return the pages of Olga and of Sam, with all rows marked."""
    first = open_round(new_page(LAPTOP), players=players)
    event = Event.objects.get()
    sam = make_user("sam@example.org", first_name="Sam")
    StaffRole.objects.create(event=event, user=sam, kind=StaffRole.Kind.SCOREKEEPER)
    second = new_page(LAPTOP)
    open_signed_in(second, f"/console/{event.slug}/rounds/1/1/", "sam@example.org")
    expect(line_of(second)).to_be_focused()
    second.wait_for_load_state("load")
    for page in (first, second):
        page.evaluate(MARK_ROWS)
    return first, second


def test_result_exchanges_its_row_alone_on_both_pages(new_page: Callable[..., Any]) -> None:
    first, second = pair_of_desks(new_page, players=12)
    order = first.evaluate(ORDER)
    second.get_by_role("button", name="Table 5: 2-0").focus()
    enter(first, "2 2 1")
    for page in (first, second):
        expect(page.locator("#table-2 .result")).to_have_text("2-1")
        expect(page.locator("#last-entries li")).to_have_count(1)
        expect(page.locator("#round-status")).to_contain_text("5")
        assert (page.evaluate(NEW_ROWS), page.evaluate(ORDER)) == (["table-2"], order)
    assert second.evaluate(FOCUSED_ROW) == "table-5"

    # A button replaces its row, and the keyboard focus stays in it.
    second.keyboard.press("Enter")
    expect(second.locator("#table-5 .result")).to_have_text("2-0")
    expect(second.locator(".messages-toasts .alert-success")).to_contain_text("Table 5:")
    until(second, lambda: second.evaluate(FOCUSED_ROW) == "table-5")
    expect(first.locator("#table-5 .result")).to_have_text("2-0")
    for page in (first, second):
        assert (sorted(page.evaluate(NEW_ROWS)), page.evaluate(ORDER)) == (["table-2", "table-5"], order)
    assert scores() == {2: "2-1", 5: "2-0"}


@pytest.mark.whole("other changes of the same rows")
def test_rows_change_under_open_details_and_a_typed_line(new_page: Callable[..., Any]) -> None:
    first, second = pair_of_desks(new_page, players=8)
    enter(first, "1 2 1")
    expect(second.locator("#table-1 .result")).to_have_text("2-1")
    second.locator("#table-1").get_by_text("Change", exact=True).click()
    line_of(second).fill("3 2")
    enter(first, "1 2 0!")
    expect(second.locator("#table-1 .result")).to_have_text("2-0")
    expect(second.get_by_role("button", name="Table 1: 1-2")).to_be_visible()
    expect(line_of(second)).to_have_value("3 2")
    assert second.evaluate("document.querySelector('#table-3').classList.contains('is-typed')")
    assert second.evaluate(NEW_ROWS) == ["table-1"]


@pytest.mark.whole("news that are announced, in test_console_by_keyboard.py, and a row that changes, above")
def test_finished_round_is_announced_to_the_other_desk(new_page: Callable[..., Any]) -> None:
    first, second = pair_of_desks(new_page, players=4)
    for slip in ("1 2 1", "2 0 2"):
        enter(first, slip)
    expect(second.locator("#live-status")).to_contain_text("Round 1 is finished.")
    expect(second.locator("#round-status")).to_contain_text("The round is finished.")
    first.locator("#last-entries").get_by_role("button", name="Undo table 2").click()
    expect(second.locator("#round-status")).to_contain_text("tables playing")


@pytest.mark.whole("other changes of the same rows")
def test_filter_loses_finished_tables_and_gets_reopened_ones(new_page: Callable[..., Any]) -> None:
    first, second = pair_of_desks(new_page, players=8)
    second.goto(f"{second.url}?show=playing")
    second.wait_for_load_state("load")
    second.evaluate(MARK_ROWS)
    enter(first, "2 2 1")
    expect(second.locator("#table-2")).to_have_count(0)
    assert (second.evaluate(NEW_ROWS), second.evaluate(ORDER)) == ([], ["table-1", "table-3", "table-4"])
    second.get_by_role("button", name="Table 3: 2-0").click()
    expect(second.locator("#table-3")).to_have_count(0)
    first.locator("#last-entries").get_by_role("button", name="Undo table 2").click()
    expect(second.locator("#table-2")).to_have_count(1)
    assert second.evaluate(ORDER) == ["table-1", "table-2", "table-4"]
