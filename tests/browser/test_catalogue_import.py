"""A keeper imports a catalogue file in a browser.

The steps are upload, preview, decisions and import.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from decks.catalogue.models import Card
from decks.catalogue.services.catalogue import import_catalogue
from tests.decks.catalogue.test_catalogue_imports import ONE, OTHER, TWO, work
from tests.fixtures.browser import PHONE
from tests.fixtures.desk import open_signed_in
from tests.scenarios import labels
from tests.scenarios.catalogue import write

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_file_is_sent_looked_at_decided_on_and_written(
    new_page: Callable[..., Any], live: Any, tmp_path: Path
) -> None:
    import_catalogue(write(ONE))
    User.objects.create_superuser("ada@example.org", password="correct horse", first_name="Ada")
    file = tmp_path / "cards.json"
    file.write_text(write({**OTHER, **TWO}))
    page = new_page(PHONE)
    open_signed_in(page, "/catalogue/", "ada@example.org")

    page.set_input_files("[name=file]", file)
    page.get_by_role("button", name=labels.PREVIEW_IMPORT).click()
    expect(page.locator("#progress")).to_contain_text("Waiting")
    work()
    expect(page.get_by_text("Nothing is imported yet.")).to_be_visible()
    expect(page.locator(".tile", has_text="Conflicts")).to_contain_text("1")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

    page.get_by_text("File", exact=True).click()
    page.get_by_role("button", name=labels.IMPORT_FILE).click()
    expect(page.locator("#progress")).to_be_visible()
    work()
    expect(page.get_by_text("Catalogue version: 2")).to_be_visible()
    expect(page.get_by_text("Value from the file")).to_be_visible()
    assert dict(Card.objects.values_list("name", "attributes__type")) == {
        "Anvil Stance": "asset",
        "Ember Vow": "foundation",
    }
