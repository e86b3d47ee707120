"""Dark or light, moving or still: chosen once, sent right from then on, so that nothing flashes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.fixtures.browser import LAPTOP

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ROOT = "document.documentElement.dataset"


def sent(page: Any, path: str) -> str:
    """The first line of the page as the server sends it."""
    return str(page.goto(path).text().splitlines()[1])


def test_choice_is_sent_with_the_next_page_and_forgotten_when_taken_back(
    new_page: Callable[..., Any],
) -> None:
    page = new_page(LAPTOP, color_scheme="light")
    assert sent(page, "/keyboard/") == '<html lang="en">'
    page.locator("[data-theme-toggle]").click()
    page.locator("main [data-motion-switch]").check()
    assert page.evaluate(f"[{ROOT}.theme, {ROOT}.motion]") == ["dark", "off"]
    assert sent(page, "/leagues/") == '<html lang="en" data-theme="dark" data-motion="off">'
    assert page.locator("[data-theme-toggle]").get_attribute("aria-pressed") == "true"
    page.locator("[data-theme-toggle]").click()
    sent(page, "/keyboard/")
    page.locator("main [data-motion-switch]").uncheck()
    assert sent(page, "/leagues/") == '<html lang="en" data-theme="light">'


def test_choice_of_earlier_days_holds_without_its_cookie(new_page: Callable[..., Any]) -> None:
    page = new_page(LAPTOP, color_scheme="light")
    page.goto("/keyboard/")
    page.locator("[data-theme-toggle]").click()
    page.context.clear_cookies()
    page.goto("/leagues/")
    assert page.evaluate(f"{ROOT}.theme") == "dark"
    assert sent(page, "/keyboard/") == '<html lang="en" data-theme="dark">'
