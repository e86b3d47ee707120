"""A judge with faults: signed out, without the right, without the server.

Ticks and typed text stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from tests.browser.test_judge_path import running_event
from tests.fixtures.browser import LAPTOP, PHONE, Console, until
from tests.fixtures.desk import open_signed_in, sign_in
from tests.scenarios import labels
from tests.scenarios.factories import organizer
from tournament.clock.models import TimeSettlement
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.round import Match
from tournament.judging.models import DeckCheck
from tournament.judging.services.deck_checks import start_check
from tournament.penalties.models import Penalty

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TICKS = "**/ticks/"


@pytest.fixture
def event() -> Event:
    """Four players with their lists in round 1."""
    return running_event()


@pytest.fixture
def checking(event: Event, new_page: Callable[..., Any]) -> Any:
    """A phone on the sheet of a deck check that has begun."""
    deck_check = start_check(event.players.get(number=1), organizer())
    page = new_page(PHONE)
    open_signed_in(page, f"/judge/{event.slug}/checks/{deck_check.pk}/", "judy@example.org")
    return page


def tick(page: Any, place: int) -> None:
    page.locator("label.tick").nth(place).click()


def ticks_text(page: Any) -> Any:
    return page.locator("[data-ticks-words]")


def count_saved_ticks() -> int:
    return len(DeckCheck.objects.get().ticks)


def kept_on_device(page: Any) -> list[str]:
    return page.evaluate("Object.keys(localStorage)")


def test_tick_that_met_a_fault_is_sent_again_by_itself(checking: Any, complaints: Console) -> None:
    checking.route(TICKS, lambda route: route.fulfill(status=500, body="<h1>Something broke</h1>"))
    tick(checking, 0)
    expect(ticks_text(checking)).to_have_text(
        "Something went wrong on our side. Your ticks are saved on this device."
    )
    checking.unroute(TICKS)
    expect(ticks_text(checking)).to_be_hidden()
    assert count_saved_ticks() == 1
    complaints.clear()


@pytest.mark.whole("other troubles of the same form")
def test_ticks_made_before_their_script_has_come_are_kept(checking: Any) -> None:
    held_requests: list[Any] = []
    checking.route("**/ticks*.js", lambda route: held_requests.append(route))
    checking.reload(wait_until="commit")
    # The page is complete before its scripts run: a label without its checkbox ticks nothing.
    checking.wait_for_function("document.readyState === 'interactive'")
    tick(checking, 0)
    tick(checking, 1)
    until(checking, lambda: bool(held_requests))
    assert count_saved_ticks() == 0
    held_requests[0].continue_()
    until(checking, lambda: count_saved_ticks() == 2)
    expect(checking.locator("[data-ticked]")).not_to_have_text("0")


@pytest.mark.whole("a slip of a signed-out user, in test_trouble_at_the_desk.py")
def test_judge_signed_out_while_ticking_signs_in_and_the_ticks_follow(checking: Any) -> None:
    Session.objects.all().delete()
    tick(checking, 0)
    expect(ticks_text(checking)).to_have_text("You are signed out. Your ticks are saved on this device.")
    tick(checking, 1)
    assert count_saved_ticks() == 0
    checking.get_by_role("link", name="Sign in and return").click()
    sign_in(checking, "judy@example.org")
    expect(checking.locator("[data-ticked]")).not_to_have_text("0")
    until(checking, lambda: not any(key.startswith("ringside-ticks") for key in kept_on_device(checking)))
    assert count_saved_ticks() == 2


@pytest.mark.whole("other troubles of the same form")
def test_who_is_no_judge_any_more_reads_that_and_nothing_asks_for_ever(checking: Any) -> None:
    StaffRole.objects.filter(kind=StaffRole.Kind.JUDGE).delete()
    requests: list[Any] = []
    checking.on("request", lambda request: requests.append(request) if request.method == "POST" else None)
    checking.clock.install()
    tick(checking, 0)
    expect(ticks_text(checking)).to_have_text(
        "You no longer have access to this deck check. Your ticks are saved on this device."
    )
    checking.clock.run_for(60_000)
    checking.evaluate("fetch('/sign-in/').then(answer => answer.text())")
    assert (len(requests), count_saved_ticks()) == (1, 0)


@pytest.mark.whole("other troubles of the same form")
def test_answers_at_the_table_are_there_again_though_another_form_stands_above_them(
    event: Event, new_page: Callable[..., Any], complaints: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = new_page(LAPTOP)
    match = Match.objects.get(table=1)
    open_signed_in(page, f"/console/{event.slug}/matches/{match.pk}/time/", "judy@example.org")
    for side in ("games_p1", "games_p2"):
        page.locator(f"[name={side}][value='1'], [name={side}]:not([type=radio])").first.fill("1")
    page.locator("[name=game_in_progress][value=no]").check()
    page.get_by_role("button", name=labels.CONTINUE).click()
    page.get_by_role("button", name="Enter 1-1").wait_for()

    page.locator("[name=games_p1]").fill("2")
    with monkeypatch.context() as patch:
        patch.setattr("tournament.results.services.time_called.save_answers", None)
        page.get_by_role("button", name=labels.CHANGE_ANSWERS).click()
        page.get_by_role("heading", name="Something went wrong on our side").wait_for()
    page.get_by_role("link", name=labels.TRY_AGAIN).click()
    expect(page.locator("[name=games_p1]")).to_have_value("2")
    page.get_by_role("button", name=labels.CHANGE_ANSWERS).click()
    page.get_by_role("button", name="Enter 2-1").wait_for()
    assert TimeSettlement.objects.get().facts["games_p1"] == 2
    complaints.clear()


@pytest.mark.whole("a form of a signed-out user, in test_trouble_at_the_desk.py")
def test_judge_finds_typed_words_on_the_form_after_the_server_was_away(
    event: Event, new_page: Callable[..., Any]
) -> None:
    page = new_page(PHONE)
    open_signed_in(page, f"/judge/{event.slug}/players/1/", "judy@example.org")
    page.goto(f"/judge/{event.slug}/players/1/penalty/?infraction=slow")
    page.get_by_role("textbox", name="Note").fill("Slow at table 3")
    page.route("**/*", lambda route: route.abort("connectionrefused"))
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name=re.compile("Warning to .* for slow play")).click(no_wait_after=True)
    page.unroute("**/*")
    page.wait_for_url("chrome-error://**")
    page.go_back()
    page.goto(f"/judge/{event.slug}/players/1/penalty/?infraction=slow")
    page.get_by_text("Check whether it was saved before you send it again.").wait_for()
    expect(page.get_by_role("textbox", name="Note")).to_have_value("Slow at table 3")
    page.get_by_role("button", name=re.compile("Warning to .* for slow play")).click()
    page.get_by_role("heading", name="Alice", exact=True, level=1).wait_for()
    assert [penalty.note for penalty in Penalty.objects.all()] == ["Slow at table 3"]
