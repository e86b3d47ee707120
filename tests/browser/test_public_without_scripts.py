"""Every public page with JavaScript off, on the smallest phone.

The pages are read and searched, and nothing is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.scenarios import labels
from tests.scenarios.factories import make_user, organizer, play_round, started_event
from tournament.closing.services import set_prizes
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.leagues import services
from tournament.setup.services import events
from tournament.shared.awards import parse_prizes

SMALLEST = {"viewport": {"width": 320, "height": 640}}
HEADINGS = {
    "": "Spring Open",
    "players/": "Players",
    "players/1/": "Wolfeschlegelsteinhausenbergerdorff Wolfeschlegelsteinhausenbergerdorff",
    "pairings/": "Pairings",
    "pairings/?by=name": "Pairings",
    "pairings/1/": "Pairings",
    "standings/": "Standings after the Swiss rounds",
    "standings/1/": "Standings after round 1",
    "characters/": "Characters",
    "ranking/": "Final ranking",
    "report/": "Closing report",
}
NEEDS_SCRIPT = "[data-needs-script]:not([hidden])"

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def closed_event() -> Event:
    """Return a finished event of two rounds with prizes and a very long name in it."""
    event = started_event(6, swiss_rounds=2)
    Player.objects.filter(number=1).update(name="Wolfeschlegelsteinhausenbergerdorff " * 2)
    for _ in range(2):
        play_round(event)
    events.finish_event(event, organizer())
    set_prizes(event, organizer(), parse_prizes("1: the trophy\n3-4: a booster\nbest Ken: a playmat"))
    return event


def open_at(page: Any, path: str) -> str:
    """Open a page, check that it answers and fits the screen, and return its heading."""
    answer = page.goto(path)
    assert answer.status == 200, path
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide == 0, f"{path} is {wide} px too wide"
    assert page.locator(NEEDS_SCRIPT).count() == 0, path
    return " ".join(page.locator("h1").inner_text().split())


def test_every_public_page_works_without_scripts(new_page: Callable[..., Any]) -> None:
    event = closed_event()
    page = new_page(SMALLEST, java_script_enabled=False)
    loaded_pages = {path: open_at(page, f"/e/{event.slug}/{path}") for path in HEADINGS}
    assert {path: page_text.partition(",")[0] for path, page_text in loaded_pages.items()} | {
        path: HEADINGS[path] for path in ("pairings/", "pairings/?by=name", "pairings/1/")
    } == HEADINGS
    page.goto(f"/e/{event.slug}/pairings/1/")
    page.get_by_label(labels.NAME_OR_TABLE).fill("erin")
    page.get_by_role("button", name=labels.SEARCH_PAIRINGS).click()
    page.wait_for_url("**/pairings/1/?q=erin*")
    expect(page.locator("#live tbody tr")).to_have_count(1)
    page.goto(f"/e/{event.slug}/standings/")
    page.locator("td a.plain").first.click()
    page.wait_for_url("**#worked-*")


def test_league_works_without_scripts(new_page: Callable[..., Any]) -> None:
    event = closed_event()
    owner = organizer().user or make_user()
    league = services.create_league(owner, name="Harbour League")
    services.add_event(league, owner, event)
    page = new_page(SMALLEST, java_script_enabled=False)
    assert open_at(page, "/leagues/") == "Leagues"
    page.get_by_role("link", name="Harbour League").click()
    expect(page.locator("tbody tr")).to_have_count(6)
    assert open_at(page, f"/leagues/{league.slug}/") == "Harbour League"
