"""The first account of an empty machine brings decks of three games to Legal.

This is done by pasting a table, and in the grid.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from playwright.sync_api import Page, expect

from decks.catalogue.services.catalogue import import_catalogue
from tests import machine
from tests.browser.test_facts_grid import BASICS, CARDS, DECK, PASTE, SHIPPED, name_cell
from tests.decks.catalogue.test_catalogue_imports import work
from tests.decks.checking.test_shipped_cards_in_browser import clash_deck
from tests.fixtures.browser import LAPTOP, PHONE_FIRST, until
from tests.scenarios import labels

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DECKS = Path(settings.BASE_DIR) / "fixtures/demo/decks"
# From the column of editions on, as in the grid; an empty cell says nothing.
PLAIN = ("2E", "", "generic", "none", "6", "none", "none", "none", "none", "", "none", "0", "none")
GEMS = json.dumps(dict.fromkeys("ASTER", 3) | {"M": 9})
ANNIE = (
    "2E",
    "Annie",
    "persona",
    GEMS,
    "1",
    "none",
    "none",
    "none",
    "none",
    "",
    "none",
    "0",
    "none",
    "F",
    "none",
)
PROMO_BASICS = ("Upper Left Attack", "Upper Right Block")
SHARED_NAMES = ("Middle Left Attack", "Middle Right Attack", "Upper Center Block")


def open_first_account(page: Page) -> None:
    """Create the first account on an empty machine."""
    page.goto("/sign-in/")
    page.locator("main a[href^='/sign-up/']").click()
    page.fill("[name=name]", "Olga Keeper")
    page.fill("[name=email]", "olga@example.org")
    page.fill("[name=password1]", "seven wet boxing gloves")
    page.click("main form .button-primary")
    expect(page.get_by_text("You edit the catalogue")).to_be_visible()


def check(page: Page, format_key: str, text: str, outcome: str) -> None:
    page.goto("/decks/check/")
    page.select_option("#id_format", format_key)
    page.fill("#id_text", text)
    page.wait_for_selector(f"#verdict .badge-{outcome}")


def fill_page(page: Page, address: str, rows: dict[str, tuple[str, ...]]) -> None:
    """Paste rows into the grid from a fact on, preview them, and import them."""
    page.goto(address)
    for cell, values in rows.items():
        page.evaluate(PASTE, [cell, "\t".join(values)])
    page.get_by_role("button", name=labels.PREVIEW_CHANGES).click()
    work()
    page.get_by_role("button", name=labels.IMPORT_FILE).click()
    work()


def takes_change(page: Page, name: str) -> bool:
    """Press the answers that distinguish cards with the same name.

    A button that disappears at this moment does nothing.
    """
    page.locator(f'button.change[data-edits*="{name} {{key"]').evaluate_all(
        "buttons => buttons.forEach((button) => button.click())"
    )
    return f"{name} {{key" in page.input_value("#id_text")


def read_clash_deck() -> str:
    """Return a real deck as an OCTGN file, otherwise included cards.

    The real deck is returned if the machine has one.
    """
    folder = machine.real_data()
    if folder is None:
        return clash_deck()
    return (folder / "data/cfc/decks/Kei.o8d").read_text(encoding="utf-8-sig")


@pytest.mark.parametrize("size", PHONE_FIRST)
def test_first_account_gets_decks_of_two_games_legal_on_the_checker_alone(new_page, live, size) -> None:
    call_command("load_fixtures", verbosity=0)
    page = new_page(size)
    open_first_account(page)
    check(page, "ufs/constructed/1.9", (DECKS / "ken-1.txt").read_text(encoding="utf-8"), "legal")
    check(page, "cfc/standard/1", read_clash_deck(), "legal")
    expect(page.locator("#verdict .badge-legal + span")).to_have_text("50 main deck")


@pytest.mark.whole("decks of two other games, and the grid in tests/browser/test_facts_grid.py")
def test_first_account_gets_a_highlander_deck_legal_by_filling_the_grid(new_page, live) -> None:
    import_catalogue(SHIPPED.read_bytes())
    page = new_page(LAPTOP)
    open_first_account(page)
    check(page, "highlander/standard/1.7", DECK, "unknown")

    basics = {name_cell(name, "edition"): PLAIN for name in BASICS} | {name_cell("Annie", "edition"): ANNIE}
    fill_page(page, "/catalogue/sets/highlander/-/", basics)
    events = {name_cell(name, "type"): ("Event", *PLAIN) for name in CARDS}
    fill_page(page, "/catalogue/sets/highlander/HS1/", events)
    promos = {name_cell(name, "type"): (name.split()[-1], *PLAIN) for name in PROMO_BASICS}
    fill_page(page, "/catalogue/sets/highlander/HS4/", promos)
    check(page, "highlander/standard/1.7", DECK, "unknown")
    for name in SHARED_NAMES:
        until(page, lambda name=name: takes_change(page, name))
    page.wait_for_selector("#verdict .badge-legal")
