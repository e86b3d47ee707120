"""Quality of every public page: found, fetched and painted without waste."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests import machine
from tests.browser.test_player_access import AUDIT as FAULTS
from tests.fixtures.browser import PHONE, Console
from tests.scenarios.html import squeeze
from tests.screens.conftest import Page, Venue
from tests.screens.test_every_screen import NARROW, WIDER

pytestmark = pytest.mark.django_db

SCRIPT = re.compile(r"<script\b[^>]*>")
PICTURE = re.compile(r"<img\b[^>]*>")
STYLES = re.compile(r'<link rel="stylesheet"')
DESCRIPTION = re.compile(r'<meta name="description" content="([^"]{40,200})">')
EXCHANGES = re.compile(r"\shx-(?:get|post|boost|trigger)=")
# One dot of the screen a dot of the page: measurements are the same, and painting takes a quarter of the
# time.
AS_USUAL = {**PHONE, "device_scale_factor": 1}
SMALLEST_TEXT = 12.0
MOST_SHIFT = 0.1
# Runs before the page itself: every layout shift while it loads counts.
WATCH = """
window.shift = 0;
window.largest = "";
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) if (!each.hadRecentInput) window.shift += each.value;
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) window.largest = each.url ? each.url : "text";
}).observe({ type: "largest-contentful-paint", buffered: true });
"""
SMALL_TEXT = """(smallest) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
        const around = walker.currentNode.parentElement;
        const words = walker.currentNode.textContent.trim();
        if (!words || around.closest("svg, .visually-hidden, [hidden]")) continue;
        if (!around.checkVisibility()) continue;
        const size = parseFloat(getComputedStyle(around).fontSize);
        if (size < smallest) found.push(`${size} px: ${words.slice(0, 40)}`);
    }
    return found.slice(0, 3);
}"""
SHORT_BUTTONS = """() => [...document.querySelectorAll(".button-primary, .button-large")]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 43.5)
    .map((each) => `${each.textContent.trim()}: ${Math.round(each.getBoundingClientRect().height)} px`)"""
SETTLED = """() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)));
})"""


def is_public_page(page: Page) -> bool:
    """Return whether a page needs no account and is not a venue screen.

    A venue screen has its own document.
    """
    return page.screen.who in ("public", "player") and page.screen.page not in ("screen", "print_page")


def each_once(page: Page) -> bool:
    """Select each page for everyone in one moment only."""
    return is_public_page(page) and page.screen.moment in ("always", "playing", "refused")


@pytest.fixture(scope="module")
def public_pages(pages: list[Page]) -> list[Page]:
    """The pages that need no account."""
    return [page for page in pages if is_public_page(page)]


@pytest.fixture(scope="module")
def public_pseudo_pages(pseudo_hall: Venue) -> list[Page]:
    """The same in every moment of an event."""
    return [page for page in pseudo_hall.pages if is_public_page(page)]


def those_without(pages: list[Page], has: Callable[[str], Any]) -> list[str]:
    """Return the names of the pages that lack something."""
    return [page.screen.name for page in pages if not has(squeeze(page.html))]


def test_every_page_says_its_language_fits_a_phone_and_describes_itself(public_pages: list[Page]) -> None:
    assert len(public_pages) > 40
    assert those_without(public_pages, lambda html: '<html lang="en" dir="ltr" class="' in html) == []
    assert (
        those_without(public_pages, lambda html: 'content="width=device-width, initial-scale=1' in html) == []
    )
    assert those_without(public_pages, DESCRIPTION.search) == []


def test_pages_of_one_event_describe_that_event(public_pages: list[Page]) -> None:
    descriptions = {
        DESCRIPTION.search(squeeze(page.html))[1]  # type: ignore[index]
        for page in public_pages
        if page.screen.page == "standings"
    }
    assert all("Players, pairings, results and standings" in each for each in descriptions)


def test_no_script_holds_up_a_page_but_the_one_that_keeps_early_lines(pseudo_hall: Venue) -> None:
    pages = pseudo_hall.pages
    scripts_by_page = {
        page.screen.name: [
            each for each in SCRIPT.findall(page.html) if " defer" not in each and 'type="module"' not in each
        ]
        for page in pages
    }
    early = '<script src="/static/ringside/entry_line/early.js">'
    assert {
        name: scripts for name, scripts in scripts_by_page.items() if scripts and scripts != [early]
    } == {}
    lines = {page.screen.name for page in pages if " data-entry=" in page.html}
    assert lines <= {name for name, scripts in scripts_by_page.items() if scripts}


def test_pages_fetch_what_exchanges_their_parts_when_they_have_some(pseudo_hall: Venue) -> None:
    pages = pseudo_hall.pages
    asks = {page.screen.name: bool(EXCHANGES.search(page.html)) for page in pages}
    fetches = {page.screen.name: "htmx-2.min.js" in page.html for page in pages}
    assert {name for name in asks if asks[name] and not fetches[name]} == set()
    without = {name for name in fetches if not fetches[name]}
    assert {"home--always", "standings--playing", "players--playing", "player--playing"} <= without


def test_every_picture_keeps_its_place_free(public_pseudo_pages: list[Page]) -> None:
    loose = {
        page.screen.name: [
            each for each in PICTURE.findall(page.html) if not ("width=" in each and "height=" in each)
        ]
        for page in public_pseudo_pages
    }
    assert {name: pictures for name, pictures in loose.items() if pictures} == {}


def test_public_pages_may_be_cached_for_the_back_button(public_pseudo_pages: list[Page]) -> None:
    kept_from = [
        page.screen.name
        for page in public_pseudo_pages
        if page.screen.who == "public" and "no-store" in page.headers.get("Cache-Control", "")
    ]
    assert [
        name for name in kept_from if not name.startswith(("account", "mfa_", "password_", "sign", "join"))
    ] == []


def is_only_worth_narrow(page: Page) -> bool:
    """Return whether a page is one of the others, which only the whole run opens.

    Every day test_long_words.py opens them with longer texts.
    """
    return not each_once(page) and machine.whole()


@dataclass(frozen=True, slots=True)
class Seen:
    """A page on a small phone: elements that are too wide, and other faults."""

    page: Page
    wide: list[str]
    shift: float = 0
    largest: str = "text"
    small: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


@pytest.fixture(scope="module")
def on_a_small_phone(open_pages: Callable[..., Any]) -> tuple[list[Seen], Console]:
    """Return every page and the complaints of the pages.

    Each page is opened once for all measurements.
    """
    complaints, measurements = Console(), []
    for page, tab in open_pages(AS_USUAL, where=each_once, before=(WATCH,), console=complaints):
        tab.evaluate(SETTLED)
        small = tuple(tab.evaluate(SMALL_TEXT, SMALLEST_TEXT))
        short, faults = tuple(tab.evaluate(SHORT_BUTTONS)), tuple(tab.evaluate(FAULTS))
        shift, largest = tab.evaluate("[window.shift, window.largest]")
        tab.set_viewport_size(NARROW["viewport"])
        measurements.append(Seen(page, tab.evaluate(WIDER), shift, largest, small, short, faults))
        tab.set_viewport_size(AS_USUAL["viewport"])
    for page, tab in open_pages(NARROW, where=is_only_worth_narrow, console=complaints):
        measurements.append(Seen(page, tab.evaluate(WIDER)))
    return measurements, complaints


@pytest.mark.browser
def test_no_page_is_wider_than_a_small_phone_or_complains(on_a_small_phone: Any) -> None:
    measurements, complaints = on_a_small_phone
    assert {each.page.screen.name: each.wide for each in measurements if each.wide} == {}
    assert complaints == []


@pytest.mark.browser
def test_nothing_jumps_is_too_small_to_read_or_to_press(on_a_small_phone: Any) -> None:
    measurements, _ = on_a_small_phone
    assert {each.page.screen.name: each.shift for each in measurements if each.shift > MOST_SHIFT} == {}
    assert {
        each.page.screen.name: each.largest for each in measurements if each.largest not in ("text", "")
    } == {}
    assert {each.page.screen.name: each.small for each in measurements if each.small} == {}
    assert {each.page.screen.name: each.short for each in measurements if each.short} == {}


@pytest.mark.browser
def test_public_pages_have_no_serious_accessibility_fault(on_a_small_phone: Any) -> None:
    measurements, _ = on_a_small_phone
    assert {each.page.screen.name: each.faults for each in measurements if each.faults} == {}
