"""Every page, in every moment of an event.

Nothing is inline, all is accessible, and nothing is wider than a phone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings

from tests import machine
from tests.fixtures.browser import LAPTOP
from tests.screens.conftest import Page, Venue

POLICY = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
INLINE = re.compile(
    r"<style\b|\sstyle=|\son[a-z]+\s*=\s*[\"']|<script(?![^>]*\bsrc=)|javascript:|\shx-on|<base\b",
    re.IGNORECASE,
)
pytestmark = pytest.mark.django_db

# The page of components shows every class; these put them together as no other page does.
EVERY_DAY = ("styleguide", "standings", "player_list", "console_round")
# Its colors are those of all pages, which name no other.
DARK_EVERY_DAY = ("styleguide",)
NARROW = {"viewport": {"width": 320, "height": 640}, "is_mobile": True, "has_touch": True}
SERIOUS = ("serious", "critical")
RULES = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }
}
# axe does not report the place of a node. Preloading is for sound and film, of which there are none.
QUICKLY = {"resultTypes": ["violations"], "selectors": False, "preload": machine.whole()}
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
WIDER = """() => document.documentElement.scrollWidth > innerWidth
    ? [...document.querySelectorAll("body *")].filter(one =>
        one.getBoundingClientRect().right > innerWidth + 0.5
        && !one.closest(".table-box, .bracket-box, .subnav, .side-nav, .segmented, pre"))
        .slice(0, 3).map(one => one.outerHTML.slice(0, 120))
    : []"""


def test_every_page_forbids_what_is_inline_and_holds_none(pseudo_hall: Venue) -> None:
    policies = {page.headers["Content-Security-Policy"] for page in pseudo_hall.pages}
    (policy,) = policies
    policy_parts = {part.split()[0]: part.split()[1:] for part in policy.split("; ")}
    assert policy_parts == {name: [str(source) for source in sources] for name, sources in POLICY.items()}
    assert "unsafe" not in policy
    matches_by_name = {page.screen.name: INLINE.findall(page.html) for page in pseudo_hall.pages}
    assert {name: hits for name, hits in matches_by_name.items() if hits} == {}


def test_every_page_has_one_heading_of_its_own_and_a_title(pseudo_hall: Venue) -> None:
    ours = [page for page in pseudo_hall.pages if page.screen.page != "print_page"]
    assert [page.screen.name for page in ours if page.html.count("<h1") != 1] == []
    assert [page.screen.name for page in ours if "<title>Ringside</title>" in page.html] == []


def test_every_page_of_the_console_and_of_judges_leads_to_its_how_to(pseudo_hall: Venue) -> None:
    screens = [page for page in pseudo_hall.pages if page.screen.address.startswith(("/console/", "/judge/"))]
    ours = [page for page in screens if page.screen.moment != "refused"]
    assert len(ours) > 40
    assert {page.screen.page for page in ours if "guide-link" not in page.html} == set()


def barriers(tab: Any, options: dict[str, Any]) -> list[str]:
    """Return what axe finds serious on the open page."""
    from axe_playwright_python.sync_playwright import Axe

    violations = Axe().run(tab, options={**options, **QUICKLY}).response["violations"]
    return [
        f"{hit['id']}: {node['html'][:160]}"
        for hit in violations
        if hit["impact"] in SERIOUS
        for node in hit["nodes"][:3]
    ]


def is_worth_axe(page: Page) -> bool:
    """Return whether axe runs on a page.

    As axe is slow, it runs once for each page, and wherever a page looks very different. Without
    `RINGSIDE_TEST_WHOLE=1` only the pages that hold what the others are made of.
    """
    if not machine.whole():
        return page.screen.page in EVERY_DAY and page.screen.moment in ("always", "playing")
    return page.screen.moment in ("always", "playing", "refused") or page.screen.page in (
        "console_event",
        "console_round",
        "event",
        "player",
    )


@pytest.mark.browser
def test_axe_finds_no_serious_barrier_on_any_page_light_or_dark(open_pages: Callable[..., Any]) -> None:
    violations = {}
    opened_pages = set()
    for page, tab in open_pages(LAPTOP, where=is_worth_axe, bypass_csp=True):
        opened_pages.add(page.screen.page)
        violations[f"{page.screen.name}, light"] = barriers(tab, RULES)
        if machine.whole() or page.screen.page in DARK_EVERY_DAY:
            tab.emulate_media(color_scheme="dark")
            violations[f"{page.screen.name}, dark"] = barriers(tab, COLOURS)
            tab.emulate_media(color_scheme="light")
    assert {name: hits for name, hits in violations.items() if hits} == {}
    assert set(EVERY_DAY) - opened_pages == set()
