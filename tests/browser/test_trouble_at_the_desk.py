"""The desk with faults: slow answers, errors, no network, signed out.

No slip is lost.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from tests.fixtures.browser import Console, until
from tests.fixtures.desk import codes, enter, line_of, rows, scores, sign_in
from tests.scenarios import labels
from tests.scenarios.factories import make_user
from tournament.entry_line.models import AcceptedEntry
from tournament.events.models.event import Event, StaffRole

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

QUICK = "**/result/"
SLIPS = {1: "2-1", 2: "0-2", 3: "2-0"}


@pytest.mark.whole("other troubles of the same queue")
def test_slips_typed_while_the_server_takes_its_time_follow_in_their_order(desk: Any) -> None:
    held_requests: list[Any] = []
    desk.route(QUICK, lambda route: held_requests.append(route))
    for slip in ("1 2 1", "2 0 2", "3 2 0"):
        enter(desk, slip)
    expect(desk.locator("[data-entry-counts]")).to_have_text("3 waiting")
    expect(line_of(desk)).to_have_value("")
    until(desk, lambda: len(held_requests) == 1)
    assert rows(desk) == {"1 2 1": "Sending", "2 0 2": "Waiting", "3 2 0": "Waiting"}
    desk.unroute(QUICK)
    desk.get_by_text("The round is finished.").wait_for()
    assert scores() == SLIPS
    expect(desk.locator("[data-entry-counts]")).to_have_text("3 sent")


@pytest.mark.whole("other troubles of the same queue")
def test_slips_that_wait_while_the_desk_turns_to_another_page_follow_there(desk: Any) -> None:
    held_requests: list[Any] = []
    desk.context.route(QUICK, lambda route: held_requests.append(route))
    for slip in ("1 2 1", "2 0 2", "3 2 0"):
        enter(desk, slip)
    expect(desk.locator("[data-entry-counts]")).to_have_text("3 waiting")
    desk.context.unroute(QUICK)
    desk.get_by_role("link", name=labels.OVERVIEW).click()
    until(desk, lambda: scores() == SLIPS)


def test_refused_slip_waits_in_its_row_and_the_ones_behind_it_go_on(desk: Any) -> None:
    for slip in ("9 2 1", "2 0 2"):
        enter(desk, slip)
    desk.keyboard.type("3")
    expect(desk.locator("[data-entry-counts]")).to_have_text("1 needs an answer · 1 sent")
    expect(line_of(desk)).to_have_value("3")
    assert codes(desk) == ["no_such_table"]
    desk.get_by_label(labels.CHANGED_LINE).fill("1 2 1")
    desk.keyboard.press("Enter")
    expect(desk.locator("[data-entry-counts]")).to_have_text("2 sent")
    expect(line_of(desk)).to_be_focused()
    expect(line_of(desk)).to_have_value("3")
    assert scores() == {1: "2-1", 2: "0-2"}


@pytest.mark.whole("two outages, in test_typed_lines.py")
def test_lines_wait_while_the_server_is_away_and_are_sent_when_it_is_back(
    desk: Any, complaints: Console
) -> None:
    desk.context.set_offline(True)
    for slip in ("1 2 1", "2 0 2"):
        enter(desk, slip)
    expect(desk.locator("[data-entry-trouble]")).to_contain_text("2 lines are waiting.")
    assert (rows(desk), scores()) == ({"1 2 1": "Waiting", "2 0 2": "Waiting"}, {})
    desk.context.set_offline(False)
    until(desk, lambda: scores() == {1: "2-1", 2: "0-2"})
    expect(desk.locator("[data-entry-trouble]")).to_be_hidden()
    complaints.clear()


@pytest.mark.whole("other troubles of the same queue")
def test_line_that_always_meets_a_fault_is_asked_about_and_holds_up_nothing(
    desk: Any, complaints: Console
) -> None:
    def answer(route: Any) -> None:
        is_refused = "line=1+2+1" in route.request.post_data
        route.fulfill(status=500, body="<h1>Something broke</h1>") if is_refused else route.continue_()

    desk.route(QUICK, answer)
    for slip in ("1 2 1", "2 0 2"):
        enter(desk, slip)
    expect(desk.locator("[data-entry-counts]")).to_have_text("1 needs an answer · 1 sent")
    assert (codes(desk), scores()) == (["http_500"], {2: "0-2"})
    complaints.clear()


def test_lost_answer_enters_nothing_twice(desk: Any, complaints: Console) -> None:
    lost_requests: list[str] = []

    def answer(route: Any) -> None:
        if not lost_requests:
            lost_requests.append(route.fetch().json()["sentence"])
            route.abort()
        else:
            route.continue_()

    desk.route(QUICK, answer)
    enter(desk, "1 2 1")
    expect(desk.locator("[data-entry-counts]")).to_have_text("1 sent")
    assert len(lost_requests) == 1
    assert (scores(), AcceptedEntry.objects.count()) == ({1: "2-1"}, 1)
    assert Event.objects.get().log.filter(action="result_entered").count() == 1
    complaints.clear()


@pytest.mark.whole("other troubles of the same queue")
def test_arrow_up_takes_the_last_waiting_line_into_its_row(desk: Any, complaints: Console) -> None:
    desk.context.set_offline(True)
    for slip in ("1 2 1", "2 0 2"):
        enter(desk, slip)
    expect(desk.locator("[data-entry-trouble]")).to_be_visible()
    desk.keyboard.press("ArrowUp")
    expect(desk.get_by_label(labels.CHANGED_LINE)).to_be_focused()
    desk.context.set_offline(False)
    until(desk, lambda: scores() == {1: "2-1"})
    desk.keyboard.type("2 2 0")
    desk.keyboard.press("Enter")
    expect(desk.locator("[data-entry-counts]")).to_have_text("2 sent")
    expect(line_of(desk)).to_be_focused()
    assert scores() == {1: "2-1", 2: "2-0"}
    complaints.clear()


def test_who_was_signed_out_signs_in_and_the_slip_is_sent(desk: Any, complaints: Console) -> None:
    Session.objects.all().delete()
    enter(desk, "1 2 1")
    expect(desk.locator("[data-entry-trouble]")).to_contain_text("You are signed out. 1 line is waiting.")
    desk.locator("[data-entry-trouble]").get_by_role("link", name=labels.SIGN_IN).click()
    desk.get_by_text("1 line of another account waits in this browser").wait_for()
    sign_in(desk)
    until(desk, lambda: scores() == {1: "2-1"})
    complaints.clear()


def test_line_of_one_account_is_neither_shown_nor_sent_by_another(desk: Any, complaints: Console) -> None:
    other = make_user("sam@example.org")
    StaffRole.objects.create(event=Event.objects.get(), user=other, kind="organizer")
    Session.objects.all().delete()
    enter(desk, "1 2 1")
    expect(desk.locator("[data-entry-trouble]")).to_contain_text("You are signed out.")
    page = desk.context.new_page()
    page.goto("/sign-in/")
    sign_in(page, "sam@example.org")
    page.goto(desk.url)
    page.get_by_text("1 line of another account waits in this browser").wait_for()
    for each in (desk, page):
        each.clock.install()
        each.clock.run_for(60_000)
        each.evaluate("fetch('/sign-in/').then(answer => answer.text())")
    assert ("1 2 1" in page.content(), scores()) == (False, {})
    complaints.clear()


def test_sign_out_says_that_lines_wait(desk: Any, complaints: Console) -> None:
    messages: list[str] = []
    desk.on("dialog", lambda dialog: (messages.append(dialog.message), dialog.dismiss()))
    enter(desk, "9 2 1")
    desk.locator(".is-asking").wait_for()
    sign_out(desk)
    assert messages == ["1 line is not entered yet. The browser sends it when you sign in again. Sign out?"]
    desk.get_by_role("button", name=labels.DISCARD).click()
    enter(desk, "1 2 1")
    expect(desk.locator("[data-entry-counts]")).to_have_text("1 sent")
    desk.keyboard.type("2 0")
    sign_out(desk)
    desk.wait_for_url("**/")
    assert (len(messages), read_stored_entries(desk)) == (1, {"entries": 0, "session": [], "local": []})


def sign_out(page: Any) -> None:
    """Press “Sign out” in the menu of the bar."""
    button = page.get_by_role("button", name=labels.SIGN_OUT)
    if not button.is_visible():
        page.locator(".topbar-menu > summary").click()
    button.click()


def read_stored_entries(page: Any) -> dict[str, Any]:
    """Return what the entry line has left in this browser."""
    return page.evaluate(
        """async () => {
            const database = await new Promise((done) => {
                const request = indexedDB.open("ringside-entries");
                request.onsuccess = () => done(request.result);
            });
            const entries = await new Promise((done) => {
                const request = database.transaction("entries").objectStore("entries").count();
                request.onsuccess = () => done(request.result);
            });
            const keys = (store) => Object.keys(store).filter((key) => key.match("draft|entries"));
            return { entries, session: keys(sessionStorage), local: keys(localStorage) };
        }"""
    )


@pytest.mark.whole("other troubles of the same queue")
def test_two_tabs_send_each_line_once_and_both_show_it(desk: Any, complaints: Console) -> None:
    other = desk.context.new_page()
    other.goto(desk.url)
    sent_bodies: list[str] = []
    desk.context.on(
        "request", lambda request: sent_bodies.append(request.post_data) if request.method == "POST" else None
    )
    desk.context.set_offline(True)
    for slip in ("1 2 1", "2 0 2"):
        enter(desk, slip)
    expect(other.locator("[data-entry-counts]")).to_have_text("2 waiting")
    sent_bodies.clear()
    desk.context.set_offline(False)
    for page in (desk, other):
        expect(page.locator("[data-entry-counts]")).to_have_text("2 sent")
    until(desk, lambda: scores() == {1: "2-1", 2: "0-2"})
    assert Event.objects.get().log.filter(action="result_entered").count() == 2
    complaints.clear()


@pytest.mark.whole("other troubles of the same queue")
def test_browser_that_stores_nothing_says_so_and_sends_all_the_same(desk: Any) -> None:
    desk.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
    desk.reload()
    expect(desk.locator("[data-entry-trouble]")).to_contain_text("The browser cannot store lines.")
    enter(desk, "1 2 1")
    expect(desk.locator("[data-entry-counts]")).to_have_text("1 sent")
    assert scores() == {1: "2-1"}


@pytest.mark.whole("other troubles of the same queue")
def test_form_that_met_a_fault_is_filled_in_again_on_the_way_back(
    desk: Any, complaints: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = Event.objects.get()
    desk.goto(f"/console/{event.slug}/prizes/")
    desk.get_by_label(labels.PRIZES).fill("1: a playmat")
    with monkeypatch.context() as patch:
        patch.setattr("tournament.closing.forms.PrizesForm.save", None)
        desk.get_by_role("button", name=labels.PUBLISH_PRIZES).click()
        desk.get_by_role("heading", name="Something went wrong on our side").wait_for()
    desk.get_by_role("link", name=labels.TRY_AGAIN).click()
    expect(desk.get_by_label(labels.PRIZES)).to_have_value("1: a playmat")
    assert desk.url.endswith("/prizes/")
    complaints.clear()


def test_form_of_a_signed_out_user_is_filled_in_again_after_signing_in(desk: Any) -> None:
    event = Event.objects.get()
    desk.goto(f"/console/{event.slug}/prizes/")
    desk.get_by_label(labels.PRIZES).fill("1: a playmat")
    Session.objects.all().delete()
    desk.get_by_role("button", name=labels.PUBLISH_PRIZES).click()
    desk.get_by_role("heading", name="You are signed out").wait_for()
    expect(desk.get_by_label("Copy this text before you continue")).to_have_value("1: a playmat")
    desk.get_by_role("main").get_by_role("link", name=labels.SIGN_IN).click()
    sign_in(desk)
    expect(desk.get_by_label(labels.PRIZES)).to_have_value("1: a playmat")
    desk.get_by_role("button", name=labels.PUBLISH_PRIZES).click()
    desk.locator(".messages .alert-success").wait_for()
    event.refresh_from_db()
    assert [prize["words"] for prize in event.prizes] == ["a playmat"]
