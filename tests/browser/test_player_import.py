"""An organizer imports a long table of players.

It is previewed, then followed while it is written.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from decks.jobs.models import Job
from decks.jobs.worker import perform
from tests.browser.test_long_lists import GROWTH
from tests.fixtures.browser import LAPTOP_FIRST, PHONE_FIRST
from tests.fixtures.desk import open_signed_in
from tests.scenarios import labels
from tests.scenarios.factories import make_event, organizer
from tests.tournament.registration.test_long_tables import table_of
from tournament.registration import services as registration

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("device", LAPTOP_FIRST)
def test_long_table_is_imported_and_the_page_follows_it(
    new_page: Callable[..., Any], live: Any, tmp_path: Path, device: dict[str, Any]
) -> None:
    event = make_event()
    page = new_page(device)
    open_signed_in(page, f"/console/{event.slug}/players/import/", organizer().user.email)

    file = tmp_path / "players.csv"
    file.write_text(table_of(300, more="Refused;nobody;;;\n"))
    page.set_input_files("[name=file]", file)
    page.get_by_role("button", name=labels.PREVIEW_IMPORT).click()
    expect(page.locator("tbody tr").first).to_contain_text("“nobody” is not an email address.")
    page.get_by_role("button", name="Add 300, skip 1").click()
    expect(page.locator("#job")).to_contain_text("Waiting")

    perform(Job.objects.get(kind="import_players").pk, heartbeat=False)
    expect(page.locator("#job")).to_contain_text("300 added, 0 changed, 1 rejected.")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_role("link", name="View players").click()
    expect(page.get_by_text("Player 299")).to_be_attached()


@pytest.mark.parametrize("device", PHONE_FIRST)
def test_columns_are_mapped_by_hand_and_equal_names_told_apart(
    new_page: Callable[..., Any], live: Any, device: dict[str, Any]
) -> None:
    event = make_event()
    registration.add_player(event, organizer(), name="Ann Lee", email="ann@example.org")
    page = new_page(device)
    open_signed_in(page, f"/console/{event.slug}/players/import/", organizer().user.email)

    page.get_by_label("Pasted table").fill(
        "Joueur;Courriel;Héros;Ville\nAnn Lee;other@example.org;Ken;Lyon\nBob;;Ryu;Nice\n"
    )
    page.get_by_role("button", name=labels.PREVIEW_IMPORT).click()
    page.get_by_label("Read Joueur as").select_option("Name")
    page.get_by_label("Read Courriel as").select_option("Email")
    page.get_by_label("Read Héros as").select_option("Character")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_role("button", name="Read again").click()
    expect(page.get_by_text("Will add 1 player. 1 line is rejected.")).to_be_visible()
    assert page.evaluate(GROWTH) == 0
    page.get_by_label("Line 2: who is Ann Lee?").select_option("Someone else")
    page.get_by_role("button", name="Preview again").click()
    expect(page.get_by_text("Will add 2 players.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_role("button", name="Add 2", exact=True).click()
    expect(page.get_by_text("2 added, 0 changed, 0 rejected.")).to_be_visible()
    assert list(event.players.values_list("name", "email", "character")) == [
        ("Ann Lee", "ann@example.org", ""), ("Ann Lee", "other@example.org", "Ken"), ("Bob", "", "Ryu"),
    ]  # fmt: skip
