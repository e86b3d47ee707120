"""A published round that is changed by hand.

The tests cover the preview, the players to notify, the marks, and undo.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fixtures.browser import LAPTOP, LAPTOP_FIRST, PHONE
from tests.fixtures.desk import open_signed_in
from tests.scenarios import labels
from tests.scenarios.factories import (
    make_user,
    open_matches,
    play_round,
    publish_next,
    started_event,
    win,
)
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def event(transactional_db: None) -> Event:
    """Twenty-four players in the middle of round 2; two tables have finished."""
    make_user("olga@example.org", first_name="Olga")
    running_event = started_event(24, swiss_rounds=4)
    play_round(running_event)
    for match in open_matches(publish_next(running_event))[:2]:
        win(match)
    return running_event


def pairs(event: Event) -> dict[int | None, tuple[int, int | None]]:
    matches = Match.objects.filter(round=Round.objects.get(number=2, stage__event=event))
    return {match.table: (match.p1_id, match.p2_id) for match in matches}


def at(event: Event, table: int) -> Match:
    return Match.objects.select_related("p1", "p2").get(
        round__number=2, round__stage__event=event, table=table
    )


@pytest.mark.parametrize("device", LAPTOP_FIRST)
def test_players_who_sat_at_the_wrong_tables_are_exchanged_and_back(
    new_page: Callable[..., Any], event: Event, device: dict[str, Any]
) -> None:
    before, one, two = pairs(event), at(event, 1), at(event, 2)
    page = new_page(device)
    open_signed_in(page, f"/console/{event.slug}/rounds/1/2/change/")
    page.get_by_label(labels.FIRST_PLAYER).select_option(str(one.p2.number))
    page.get_by_label(labels.SECOND_PLAYER).select_option(str(two.p2.number))
    page.get_by_role("button", name=labels.PREVIEW_CHANGE).press("Enter")
    expect(page.get_by_role("button", name=labels.CHANGE_ONLY)).to_be_visible()
    assert pairs(event) == before
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name=labels.CHANGE_ONLY).press("Enter")
    expect(page.get_by_role("heading", name="Pairings changed")).to_be_visible()
    assert at(event, 1).score == "2-0"
    assert (at(event, 1).p2, at(event, 2).p2) == (two.p2, one.p2)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="Undo this").press("Enter")
    page.get_by_role("button", name="Undo step").press("Enter")
    page.wait_for_url("**/log/**")
    assert pairs(event) == before


@pytest.mark.whole("the same swap by its form")
def test_a_swap_typed_into_the_entry_line_leads_to_its_preview(
    new_page: Callable[..., Any], event: Event
) -> None:
    one, two = at(event, 5), at(event, 6)
    page = new_page(LAPTOP)
    open_signed_in(page, f"/console/{event.slug}/rounds/1/2/")
    page.wait_for_load_state("load")
    page.get_by_label(labels.TABLE_AND_RESULT).fill("x 5.2 6.2")
    page.keyboard.press("Enter")
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Preview").press("Enter")
    page = popup.value
    expect(page.get_by_label(labels.FIRST_PLAYER)).to_have_value(str(one.p2.number))
    expect(page.get_by_label(labels.SECOND_PLAYER)).to_have_value(str(two.p2.number))
    expect(page.get_by_role("button", name=labels.CHANGE_ONLY)).to_be_visible()


def test_the_hall_screen_and_the_pairings_mark_changed_tables(
    new_page: Callable[..., Any], event: Event
) -> None:
    one, two = at(event, 5), at(event, 6)
    staff = new_page(LAPTOP)
    open_signed_in(
        staff, f"/console/{event.slug}/rounds/1/2/change/?kind=swap&one={one.p2.number}&two={two.p2.number}"
    )
    staff.get_by_role("button", name=labels.CHANGE_ONLY).click()
    expect(staff.get_by_text(f"{one.p1}: table 5 vs. {two.p2}")).to_be_visible()
    expect(staff.get_by_role("button", name="Print 2 changed slips")).to_be_visible()
    screen = new_page(LAPTOP)
    screen.goto(f"/e/{event.slug}/screen/tables/")
    expect(screen.locator(".screen-row.is-changed")).to_have_count(2)
    public = new_page(PHONE)
    public.goto(f"/e/{event.slug}/pairings/")
    expect(public.get_by_text("Marked tables are")).to_be_visible()
    expect(public.locator("td .badge", has_text="New")).to_have_count(2)
