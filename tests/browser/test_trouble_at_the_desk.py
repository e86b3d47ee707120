"""The desk in trouble: slow answers, faults, no network, signed out meanwhile. No slip is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from tests.fixtures.browser import LAPTOP, Console
from tests.scenarios.factories import make_user, organizer, started_event
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.pairing.services import rounds

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

QUICK = "**/result/"
SLIPS = {1: "2-1", 2: "0-2", 3: "2-0"}


@pytest.fixture
def desk(new_page: Callable[..., Any]) -> Any:
    """The page of round 1 of six players, signed in, the cursor in the line for slips."""
    make_user("olga@example.org", first_name="Olga")
    event = started_event(6, swiss_rounds=2)
    rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())
    page = new_page(LAPTOP)
    page.goto(f"/console/{event.slug}/rounds/1/1/")
    sign_in(page)
    expect(line_of(page)).to_be_focused()
    # The cursor is in the line before the scripts of the page have run; until then, Enter leaves the page.
    page.wait_for_load_state("load")
    return page


def sign_in(page: Any) -> None:
    page.get_by_label("E-mail address").fill("olga@example.org")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Sign in").click()


def line_of(page: Any) -> Any:
    return page.get_by_label("Table and result")


def enter(page: Any, slip: str) -> None:
    page.keyboard.type(slip)
    page.keyboard.press("Enter")


def scores() -> dict[int | None, str]:
    return {match.table: match.score for match in Match.objects.exclude(outcome="")}


def test_slips_typed_while_the_server_takes_its_time_follow_in_their_order(desk: Any) -> None:
    held: list[Any] = []
    desk.route(QUICK, lambda route: held.append(route))
    for slip in ("1 2 1", "2 0 2", "3 2 0"):
        enter(desk, slip)
    expect(desk.locator("[data-slips-waiting]")).to_have_text("2 slips wait: 2 0 2, 3 2 0.")
    expect(desk.get_by_role("button", name="Enter")).to_have_attribute("aria-busy", "true")
    assert len(held) == 1
    desk.unroute(QUICK)
    desk.get_by_text("The round is finished.").wait_for()
    assert scores() == SLIPS
    expect(desk.locator("[data-slips-waiting]")).to_be_hidden()


def test_slips_that_wait_while_the_desk_turns_to_another_page_are_named_there_and_follow(desk: Any) -> None:
    held: list[Any] = []
    desk.route(QUICK, lambda route: held.append(route))
    for slip in ("1 2 1", "2 0 2", "3 2 0"):
        enter(desk, slip)
    expect(desk.locator("[data-slips-waiting]")).to_be_visible()
    desk.get_by_role("link", name="The day").click()
    desk.get_by_text("3 slips have not arrived: 1 2 1, 2 0 2, 3 2 0.").wait_for()
    desk.unroute(QUICK)
    desk.get_by_role("link", name="Send them").click()
    desk.get_by_text("The round is finished.").wait_for()
    assert scores() == SLIPS
    desk.get_by_role("link", name="The day").click()
    desk.get_by_role("heading", name="Spring Open").wait_for()
    expect(desk.get_by_text("have not arrived")).to_have_count(0)


def test_refused_slip_comes_back_and_the_ones_behind_it_wait(desk: Any) -> None:
    held: list[Any] = []
    desk.route(QUICK, lambda route: held.append(route))
    for slip in ("9 2 1", "2 0 2"):
        enter(desk, slip)
    expect(desk.locator("[data-slips-waiting]")).to_be_visible()
    desk.unroute(QUICK)
    desk.get_by_text("There is no table 9 in round 1.").first.wait_for()
    expect(line_of(desk)).to_have_value("9 2 1")
    expect(desk.locator("[data-slips-waiting]")).to_have_text("1 slip waits: 2 0 2. Enter sends it.")
    enter(desk, "1 2 1")
    desk.locator("#table-2 .result").get_by_text("0-2").wait_for()
    assert scores() == {1: "2-1", 2: "0-2"}


def test_fault_and_missing_network_leave_the_slip_on_the_line_and_say_so(
    desk: Any, complaints: Console
) -> None:
    desk.route(QUICK, lambda route: route.fulfill(status=500, body="<h1>Something broke</h1>"))
    enter(desk, "1 2 1")
    desk.get_by_text("That did not work, and it is our mistake.").wait_for()
    expect(line_of(desk)).to_have_value("1 2 1")
    desk.unroute(QUICK)
    desk.context.set_offline(True)
    desk.keyboard.press("Enter")
    desk.get_by_text("No connection. Nothing was lost; try again.").wait_for()
    expect(line_of(desk)).to_have_value("1 2 1")
    desk.context.set_offline(False)
    desk.keyboard.press("Enter")
    desk.locator("#table-1 .result").get_by_text("2-1").wait_for()
    assert scores() == {1: "2-1"}
    complaints.clear()


def test_who_was_signed_out_signs_in_and_finds_his_slip_again(desk: Any, complaints: Console) -> None:
    Session.objects.all().delete()
    enter(desk, "1 2 1")
    desk.get_by_text("You are signed out here.").wait_for()
    expect(line_of(desk)).to_have_value("1 2 1")
    desk.get_by_role("link", name="Sign in and come back").click()
    sign_in(desk)
    expect(line_of(desk)).to_have_value("1 2 1")
    desk.get_by_text("It is not sent yet.").wait_for()
    line_of(desk).press("Enter")
    desk.locator("#table-1 .result").get_by_text("2-1").wait_for()
    complaints.clear()


def test_form_that_met_a_fault_is_filled_in_again_on_the_way_back(
    desk: Any, complaints: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = Event.objects.get()
    desk.goto(f"/console/{event.slug}/prizes/")
    desk.get_by_label("Prizes").fill("1: a playmat")
    with monkeypatch.context() as patch:
        patch.setattr("tournament.closing.forms.PrizesForm.save", None)
        desk.get_by_role("button", name="Announce").click()
        desk.get_by_role("heading", name="Something broke, and it is our mistake").wait_for()
    desk.get_by_role("link", name="Try again").click()
    expect(desk.get_by_label("Prizes")).to_have_value("1: a playmat")
    assert desk.url.endswith("/prizes/")
    complaints.clear()


def test_form_of_somebody_signed_out_is_filled_in_again_after_signing_in(desk: Any) -> None:
    event = Event.objects.get()
    desk.goto(f"/console/{event.slug}/prizes/")
    desk.get_by_label("Prizes").fill("1: a playmat")
    Session.objects.all().delete()
    desk.get_by_role("button", name="Announce").click()
    desk.get_by_role("heading", name="You are signed out").wait_for()
    expect(desk.get_by_label("Copy it before you go on")).to_have_value("1: a playmat")
    desk.get_by_role("main").get_by_role("link", name="Sign in").click()
    sign_in(desk)
    expect(desk.get_by_label("Prizes")).to_have_value("1: a playmat")
    desk.get_by_role("button", name="Announce").click()
    desk.locator(".messages .alert-success").wait_for()
    event.refresh_from_db()
    assert [prize["words"] for prize in event.prizes] == ["a playmat"]
