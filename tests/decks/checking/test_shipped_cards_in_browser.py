"""Decks of UFS and Card Fighters' Clash are judged at once.

The machine is empty and has the included cards.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import expect

from decks.catalogue.services.catalogue import import_catalogue
from tests.decks.catalogue.test_fixtures import clash_deck
from tests.fixtures.browser import PHONE_FIRST

pytestmark = pytest.mark.browser
FIXTURES = Path(settings.BASE_DIR) / "fixtures"


@pytest.fixture(autouse=True)
def _catalogue(transactional_db: None) -> None:
    for game in ("ufs", "cfc"):
        import_catalogue((FIXTURES / game / "catalogue.json").read_bytes())


@pytest.mark.whole(
    "both decks in tests/decks/catalogue/test_fixtures.py, another game in tests/browser/test_facts_grid.py"
)
@pytest.mark.parametrize("size", PHONE_FIRST)
def test_pasted_decks_are_legal_on_the_checker_alone(new_page, size):
    page = new_page(size)
    page.goto("/decks/check/")
    page.fill("#id_text", (FIXTURES / "demo/decks/ken-1.txt").read_text(encoding="utf-8"))
    page.wait_for_selector("#verdict .badge-legal")
    page.select_option("#id_format", label="Standard · Card Fighters' Clash")
    page.fill("#id_text", clash_deck())
    expect(page.locator("#verdict .badge-legal + span")).to_have_text("50 main deck")


@pytest.mark.whole("a card that is added, in tests/browser/test_added_cards.py")
@pytest.mark.parametrize("size", PHONE_FIRST)
def test_a_deck_of_cards_that_are_missing_names_the_way_to_add_them(new_page, size):
    page = new_page(size)
    page.goto("/decks/check/")
    page.fill("#id_text", "1 Ken ●●\n" + "\n".join(f"4 Quartz Oath {each}" for each in "ABC"))
    page.wait_for_selector("#verdict >> text=Ringside knows 1 of the 4 cards in this deck.")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.click("text=How to add cards")
    page.wait_for_url("**/guide/how-to/organizers/import-cards/")
