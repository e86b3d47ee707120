"""Theme and motion, chosen once.

The server sends them from then on, so that nothing flashes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.fixtures.browser import LAPTOP
from tests.scenarios.html import squeeze

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ROOT = "document.documentElement.dataset"


def fetch_html_tag(page: Any, path: str) -> str:
    """Return the tag of the whole page as the server sends it."""
    (tag,) = re.findall(r"<html[^>]*>", squeeze(page.goto(path).text()))
    return str(tag)


def test_choice_is_sent_with_the_next_page_and_forgotten_when_taken_back(
    new_page: Callable[..., Any],
) -> None:
    page = new_page(LAPTOP, color_scheme="light")
    assert fetch_html_tag(page, "/keyboard/") == '<html lang="en" dir="ltr" class="">'
    page.locator("[data-theme-toggle]").click()
    page.locator("main [data-motion-switch]").check()
    assert page.evaluate(f"[{ROOT}.theme, {ROOT}.motion]") == ["dark", "off"]
    assert (
        fetch_html_tag(page, "/leagues/")
        == '<html lang="en" dir="ltr" class="" data-theme="dark" data-motion="off">'
    )
    assert page.locator("[data-theme-toggle]").get_attribute("aria-pressed") == "true"
    page.locator("[data-theme-toggle]").click()
    fetch_html_tag(page, "/keyboard/")
    page.locator("main [data-motion-switch]").uncheck()
    assert fetch_html_tag(page, "/leagues/") == '<html lang="en" dir="ltr" class="" data-theme="light">'


def test_choice_of_earlier_days_holds_without_its_cookie(new_page: Callable[..., Any]) -> None:
    page = new_page(LAPTOP, color_scheme="light")
    page.goto("/keyboard/")
    page.locator("[data-theme-toggle]").click()
    page.context.clear_cookies()
    page.goto("/leagues/")
    assert page.evaluate(f"{ROOT}.theme") == "dark"
    assert fetch_html_tag(page, "/keyboard/") == '<html lang="en" dir="ltr" class="" data-theme="dark">'
