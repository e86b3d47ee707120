"""Every page, in every moment of an event: nothing inline, no barriers, nothing wider than a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings

from tests import machine
from tests.fixtures.browser import LAPTOP, Console
from tests.screens.conftest import Page

POLICY = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
INLINE = re.compile(
    r"<style\b|\sstyle=|\son[a-z]+\s*=\s*[\"']|<script(?![^>]*\bsrc=)|javascript:|\shx-on|<base\b",
    re.IGNORECASE,
)
pytestmark = pytest.mark.django_db

ALL_DAY = (
    "home", "event", "pairings", "standings", "register", "player", "player_list", "player_report",
    "console_event", "console_round", "console_players", "console_standings", "judge", "judge_table",
)  # fmt: skip
NARROW = {"viewport": {"width": 320, "height": 640}, "is_mobile": True, "has_touch": True}
SERIOUS = ("serious", "critical")
RULES = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }
}
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
WIDER = """() => document.documentElement.scrollWidth > innerWidth
    ? [...document.querySelectorAll("body *")].filter(one =>
        one.getBoundingClientRect().right > innerWidth + 0.5
        && !one.closest(".table-box, .bracket-box, .subnav, .side-nav, .segmented, pre"))
        .slice(0, 3).map(one => one.outerHTML.slice(0, 120))
    : []"""


def test_every_page_forbids_what_is_inline_and_holds_none(pages: list[Page]) -> None:
    policies = {page.headers["Content-Security-Policy"] for page in pages}
    (policy,) = policies
    said = {part.split()[0]: part.split()[1:] for part in policy.split("; ")}
    assert said == {name: [str(source) for source in sources] for name, sources in POLICY.items()}
    assert "unsafe" not in policy
    found = {page.screen.name: INLINE.findall(page.html) for page in pages}
    assert {name: hits for name, hits in found.items() if hits} == {}


def test_every_page_has_one_heading_of_its_own_and_a_title(pages: list[Page]) -> None:
    ours = [page for page in pages if page.screen.page != "print_page"]
    assert [page.screen.name for page in ours if page.html.count("<h1") != 1] == []
    assert [page.screen.name for page in ours if "<title>Ringside</title>" in page.html] == []


def barriers(tab: Any, options: dict[str, Any]) -> list[str]:
    """What axe finds serious on the open page."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(tab, options={**options, "resultTypes": ["violations"]}).response["violations"]
    return [
        f"{hit['id']}: {node['html'][:160]}"
        for hit in found
        if hit["impact"] in SERIOUS
        for node in hit["nodes"][:3]
    ]


def is_worth_axe(page: Page) -> bool:
    """Each page once, and in every moment those that look quite another then: axe takes its time.

    Without `RINGSIDE_TEST_WHOLE=1` only the pages that a hall looks at all day.
    """
    if not machine.whole():
        return page.screen.page in ALL_DAY and page.screen.moment in ("always", "playing")
    return page.screen.moment in ("always", "playing", "refused") or page.screen.page in (
        "console_event",
        "console_round",
        "event",
        "player",
    )


@pytest.mark.browser
def test_axe_finds_no_serious_barrier_on_any_page_light_or_dark(open_pages: Callable[..., Any]) -> None:
    found = {}
    for page, tab in open_pages(LAPTOP, where=is_worth_axe, bypass_csp=True):
        found[f"{page.screen.name}, light"] = barriers(tab, RULES)
        tab.emulate_media(color_scheme="dark")
        found[f"{page.screen.name}, dark"] = barriers(tab, COLOURS)
        tab.emulate_media(color_scheme="light")
    assert {name: hits for name, hits in found.items() if hits} == {}


def is_worth_narrow(page: Page) -> bool:
    """Each page once; in every moment of an event with `RINGSIDE_TEST_WHOLE=1`."""
    return machine.whole() or page.screen.moment in ("always", "playing")


@pytest.mark.browser
def test_no_page_is_wider_than_a_small_phone_or_complains(
    open_pages: Callable[..., Any], complaints: Console
) -> None:
    wide = {}
    watched = set()
    for page, tab in open_pages(NARROW, where=is_worth_narrow):
        if tab not in watched:
            watched.add(tab)
            complaints.watch(tab)
        wide[page.screen.name] = tab.evaluate(WIDER)
    assert {name: what for name, what in wide.items() if what} == {}
    assert complaints == []
