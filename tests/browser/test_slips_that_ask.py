"""Slips that the server refuses.

The question is under the row of the table, or in the list.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fixtures.browser import PHONE
from tests.fixtures.desk import codes, enter, line_of, open_round, rows, scores
from tests.scenarios import labels
from tests.scenarios.factories import organizer, publish_next
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.results.services import results

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.whole("other questions of the same row")
def test_contradiction_is_answered_in_its_row(desk: Any) -> None:
    for slip in ("1 2 1", "1 0 2", "2 0 2", "2 2 0"):
        enter(desk, slip)
    expect(desk.locator("[data-entry-counts]")).to_have_text("2 need an answer · 2 sent")
    assert codes(desk) == ["another_result_stands", "another_result_stands"]
    desk.get_by_role("button", name=labels.REPLACE % {"old": "2-1", "new": "0-2"}).click()
    expect(desk.locator("[data-entry-counts]")).to_have_text("1 needs an answer · 3 sent")
    desk.get_by_role("button", name=labels.DISCARD).click()
    expect(desk.locator("[data-entry-counts]")).to_have_text("3 sent")
    expect(line_of(desk)).to_be_focused()
    assert scores() == {1: "0-2", 2: "0-2"}
    assert desk.url.endswith("/rounds/1/1/")


def answers_at(page: Any, table: int) -> Any:
    """Return the lines that need an answer, in the row below the one of their table."""
    return page.locator(f"#table-{table} + tr.entry-answers li")


def enter_meanwhile(table: int) -> None:
    """Enter 2-0 as someone else."""
    match = Match.objects.select_related("p1", "p2", "round__stage__event").get(table=table)
    results.enter_result(match, organizer(), p1_games=2, p2_games=0)


def test_contradictions_are_asked_under_the_row_of_their_table_and_reached_by_keys(desk: Any) -> None:
    for slip in ("2 2 1", "2 0 2", "2 1 2", "9 2 1", "dr 2"):
        enter(desk, slip)
    expect(desk.locator("[data-entry-counts]")).to_have_text("4 need an answer · 1 sent")
    answers = answers_at(desk, 2)
    assert answers.locator(".entry-typed").all_inner_texts() == ["2 0 2", "2 1 2"]
    assert [each.get_attribute("data-code") for each in answers.locator("[data-code]").all()] == [
        "another_result_stands", "another_result_stands",
    ]  # fmt: skip
    assert list(rows(desk)) == ["9 2 1", "dr 2", "2 2 1"]
    desk.get_by_role("link", name="Answer at table 2").focus()
    desk.keyboard.press("Enter")
    expect(answers.get_by_role("button", name=labels.REPLACE % {"old": "2-1", "new": "0-2"})).to_be_focused()
    desk.keyboard.press("Enter")
    expect(desk.locator("[data-entry-counts]")).to_have_text("3 need an answer · 2 sent")
    expect(line_of(desk)).to_be_focused()
    assert (answers.locator(".entry-typed").all_inner_texts(), scores()) == (["2 1 2"], {2: "0-2"})


def test_question_in_a_row_stays_through_live_updates_score_buttons_and_a_reload(desk: Any) -> None:
    for slip in ("1 2 1", "1 0 2"):
        enter(desk, slip)
    answers = answers_at(desk, 1)
    answers.get_by_role("button", name="Change", exact=True).click()
    answers.get_by_label(labels.CHANGED_LINE).fill("1 1 2 d1")
    answers.get_by_role("button", name=labels.REPLACE % {"old": "2-1", "new": "0-2"}).focus()
    enter_meanwhile(2)
    expect(desk.locator("#table-2 .result")).to_contain_text("2-0")
    expect(answers.get_by_label(labels.CHANGED_LINE)).to_have_value("1 1 2 d1")
    expect(answers.get_by_role("button", name=labels.REPLACE % {"old": "2-1", "new": "0-2"})).to_be_focused()
    desk.locator("#table-3").get_by_role("button", name="Table 3: 2-1").click()
    expect(desk.locator("#table-3 .result")).to_contain_text("2-1")
    expect(answers.get_by_label(labels.CHANGED_LINE)).to_have_value("1 1 2 d1")
    desk.reload()
    expect(answers.locator(".entry-typed")).to_have_text("1 0 2")
    answers.get_by_role("button", name=labels.DISCARD).click()
    expect(desk.locator("tr.entry-answers")).to_have_count(0)
    assert scores() == {1: "2-1", 2: "2-0", 3: "2-1"}


@pytest.mark.whole("other questions of the same row")
def test_question_whose_row_is_not_shown_is_asked_in_the_list(desk: Any) -> None:
    for slip in ("1 2 1", "1 0 2"):
        enter(desk, slip)
    expect(answers_at(desk, 1)).to_have_count(1)
    desk.locator(".cockpit-filter").get_by_role("link", name="Playing").click()
    desk.wait_for_url("**?show=playing")
    expect(
        desk.locator("[data-entry-list]").get_by_role(
            "button", name=labels.REPLACE % {"old": "2-1", "new": "0-2"}
        )
    ).to_be_visible()
    enter(desk, "2 9 9")
    expect(answers_at(desk, 2)).to_have_count(1)
    answers_at(desk, 2).get_by_role("button", name=labels.DISCARD).focus()
    enter_meanwhile(2)
    expect(desk.locator("#table-2")).to_have_count(0)
    assert rows(desk) == {"1 0 2": "Needs an answer", "2 9 9": "Needs an answer"}
    desk.locator(".cockpit-filter").get_by_role("link", name="All").click()
    expect(answers_at(desk, 1)).to_have_count(1)
    expect(answers_at(desk, 2)).to_have_count(1)
    assert rows(desk) == {}


@pytest.mark.whole("other questions of the same row")
def test_question_of_another_round_is_not_asked_at_the_same_table_of_this_one(desk: Any) -> None:
    for slip in ("1 2 1", "1 0 2"):
        enter(desk, slip)
    expect(answers_at(desk, 1)).to_have_count(1)
    for table in (2, 3):
        enter_meanwhile(table)
    publish_next(Event.objects.get())
    desk.goto(desk.url.replace("/rounds/1/1/", "/rounds/1/2/"))
    expect(desk.locator("#entries-elsewhere summary")).to_be_visible()
    expect(desk.locator("#table-1")).to_have_count(1)
    assert (answers_at(desk, 1).count(), rows(desk)) == (0, {})
    assert desk.locator("#entries-elsewhere .entry-typed").all_text_contents() == ["1 0 2"]


@pytest.mark.whole("the question in an answer, in tests/tournament/entry_line/test_entries.py")
def test_result_changed_by_another_scorekeeper_since_the_question_is_asked_about_again(desk: Any) -> None:
    for slip in ("1 2 1", "1 0 2"):
        enter(desk, slip)
    button = desk.get_by_role("button", name=labels.REPLACE % {"old": "2-1", "new": "0-2"})
    button.wait_for()
    results.enter_result(Match.objects.get(table=1), organizer(), p1_games=2, p2_games=0)
    button.click()
    desk.get_by_role("button", name=labels.REPLACE % {"old": "2-0", "new": "0-2"}).wait_for()
    assert (scores(), codes(desk)) == ({1: "2-0"}, ["result_changed_meanwhile"])


@pytest.mark.whole("other questions of the same row")
def test_disputed_match_asks_for_the_reason_in_its_row(desk: Any) -> None:
    match = Match.objects.select_related("p1", "p2", "round__stage__event").get(table=1)
    results.report_result(match, match.p1, p1_games=2, p2_games=1)
    results.report_result(match, match.p2, p1_games=1, p2_games=2)
    enter(desk, "1 2 1")
    desk.get_by_label(labels.REASON).fill("Both saw it.")
    desk.get_by_role("button", name="Enter with this reason").click()
    expect(desk.locator("[data-entry-counts]")).to_have_text("1 sent")
    assert scores() == {1: "2-1"}
    assert Event.objects.get().log.get(action="result_entered").reason == "Both saw it."


@pytest.mark.whole("other questions of the same row")
def test_link_to_a_question_far_down_shows_it_on_a_phone(new_page: Any) -> None:
    page = open_round(new_page(PHONE), players=60)
    for slip in ("25 2 1", "25 0 2"):
        enter(page, slip)
    button = answers_at(page, 25).get_by_role("button", name=labels.REPLACE % {"old": "2-1", "new": "0-2"})
    expect(button).not_to_be_in_viewport()
    page.get_by_role("link", name="Answer at table 25").click()
    expect(button).to_be_focused()
    expect(button).to_be_in_viewport(ratio=1)
    expect(page.locator("#table-25 .result")).to_be_in_viewport(ratio=1)
