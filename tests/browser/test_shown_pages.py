"""The report of a failing test says what its pages show."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fixtures.shown_pages import ShownPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_description_has_text_fields_presses_and_requests_of_a_page(laptop: Any) -> None:
    shown_page = ShownPage(laptop)
    laptop.goto("/sign-in/")
    laptop.locator("[name=login]").fill("olga@example.org")
    heading = laptop.get_by_role("heading", level=1)
    heading.click()
    lines = shown_page.describe().splitlines()
    assert heading.inner_text() in lines
    assert "login: olga@example.org" in lines
    presses = [line.split()[0] for line in lines if line.endswith(f"H1 {heading.inner_text()}")]
    assert presses == ["pointerdown", "pointerup", "click"]
    assert f"GET {laptop.url}: 200" in lines
