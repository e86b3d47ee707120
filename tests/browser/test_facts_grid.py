"""A new keeper fills the facts of a Highlander set in the grid.

A pasted deck gets a verdict.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from playwright.sync_api import expect

from decks.catalogue.services.catalogue import import_catalogue
from tests.decks.catalogue.test_catalogue_imports import work
from tests.fixtures.browser import LAPTOP_FIRST
from tests.fixtures.desk import open_signed_in
from tests.scenarios import labels

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SHIPPED = Path(settings.BASE_DIR) / "fixtures/highlander/catalogue.json"
CARDS = (
    "Antique Shop", "Carl's Forest", "Detective Thomas Powell", "Guillotine", "Henry the Lion Tamer",
    "Master's Domain", "The Circus", "Cutting Edge", "Master of the Sabre", "Weapon Lock",
)  # fmt: skip
BASICS = (
    *(f"{place} Attack" for place in ("Upper Left", "Upper Center", "Upper Right", "Middle Left")),
    *(f"{place} Attack" for place in ("Middle Right", "Lower Left", "Lower Center", "Lower Right")),
    *(f"{row} {side} Block" for row in ("Upper", "Lower") for side in ("Left", "Center", "Right")),
    "Thrust",
)
DECK = "\n".join(
    ["Pre-game", "1 Annie", "", "Deck", *(f"1 {name}" for name in BASICS), *(f"4 {name}" for name in CARDS)]
)
PASTE = """([cell, text]) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  document.querySelector(cell).dispatchEvent(
    new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
}"""


def check(page, outcome: str) -> None:
    page.goto("/decks/check/")
    page.select_option("#id_format", "highlander/standard/1.7")
    page.fill("#id_text", DECK)
    page.wait_for_selector(f"#verdict .badge-{outcome}")


def name_cell(card: str, fact: str) -> str:
    return f'[aria-label="{fact} of {card}"]'


@pytest.mark.parametrize("size", LAPTOP_FIRST)
def test_deck_gets_a_verdict_when_its_facts_are_typed_and_pasted(new_page, live, size) -> None:
    import_catalogue(SHIPPED.read_bytes())
    User.objects.create_superuser("ada@example.org", password="correct horse", first_name="Ada")
    page = new_page(size)
    open_signed_in(page, "/catalogue/", "ada@example.org")
    check(page, "unknown")
    expect(page.locator("#findings")).to_contain_text("restriction numbers of 4 of Antique Shop")

    page.goto("/catalogue/")
    page.locator("summary", has_text="Sets (27)").click()
    page.locator("a[href='/catalogue/sets/highlander/HS1/']").click()
    first = name_cell(CARDS[0], "type")
    page.fill(first, "Event")
    page.press(first, "Enter")
    assert page.evaluate("document.activeElement.closest('tr').sectionRowIndex") == (
        page.locator(first).evaluate("cell => cell.closest('tr').sectionRowIndex") + 1
    )
    for card in CARDS:
        page.evaluate(PASTE, [name_cell(card, "type"), "Event\t\t\tgeneric\t\t2"])
    expect(page.locator(name_cell(CARDS[0], "restriction"))).to_have_value("2")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_role("button", name=labels.PREVIEW_CHANGES).click()
    work()
    page.get_by_role("button", name=labels.IMPORT_FILE).click()
    work()
    check(page, "illegal")
    expect(page.locator("#findings")).to_contain_text("4 of Antique Shop (maximum 2")
