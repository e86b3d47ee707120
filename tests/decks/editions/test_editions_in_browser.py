"""Drafting an edition in a browser: search while typing, choose, save, publish."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from decks.editions.models import ListEdition
from tests.fixtures.browser import PHONE
from tests.fixtures.desk import open_signed_in
from tests.scenarios.catalogue import small_catalogue

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def keeper(transactional_db: None) -> None:
    small_catalogue()
    User.objects.create_superuser("root@example.org", password="correct horse")


def test_a_ban_is_drafted_and_published_by_typing_and_choosing(new_page):
    page = new_page(PHONE)
    open_signed_in(page, "/lists/ufs/", "root@example.org")
    page.click("section:has-text('Banned cards') button:has-text('Draft')")
    page.click("text=Add entry")
    page.locator("#id_card").press_sequentially("ember")
    page.click("#suggestions button:has-text('Ember Vow')")
    expect(page.locator("#id_card")).to_have_value("Ember Vow (ZZ1 5/120)")
    page.fill("#id_clause", "News 1")
    page.click("main form .button-primary")
    page.fill("#id_document", "Club announcement")
    page.fill("#id_in_force", "2099-01-01")
    page.click("form:has(#id_in_force) button")
    page.check("#id_accept_warnings")
    page.click("text=Publish version 2")
    page.wait_for_selector("text=Compared with version 1: 1 new, 16 unchanged.")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert ListEdition.objects.only_published().get().entries[-1]["card"] == {"name": "Ember Vow"}
