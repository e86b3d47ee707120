"""An organizer copies a weekly night, archives the old one and deletes another.

It is done on phone and laptop.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fixtures.browser import PHONE_FIRST
from tests.fixtures.desk import open_signed_in
from tests.scenarios import labels
from tests.scenarios.factories import make_event, make_user, organizer, play_round, started_event
from tournament.archive.restore import restore_event
from tournament.events.models.event import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DEVICES = pytest.mark.parametrize("device", PHONE_FIRST)


def open_my_events(page: Any) -> None:
    open_signed_in(page, "/console/")
    expect(page.get_by_role("heading", name="My events")).to_be_visible()


def fits(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


@DEVICES
def test_a_night_is_copied_in_two_presses_and_the_old_one_archived(
    new_page: Callable[..., Any], live: Any, device: dict[str, Any]
) -> None:
    make_user("olga@example.org")
    event = started_event(4, name="Tuesday 7", swiss_rounds=1)
    play_round(event)
    page = new_page(device)
    open_my_events(page)
    expect(page.get_by_text("All rounds are played.")).to_be_visible()
    assert fits(page)
    page.get_by_role("link", name="Copy Tuesday 7").click()
    expect(page.get_by_label(labels.EVENT_NAME)).to_have_value("Tuesday 8")
    assert fits(page)
    page.get_by_role("button", name="Copy event").click()
    expect(page.get_by_text("No players yet. Share the registration link, or add players.")).to_be_visible()
    assert Event.objects.get(name="Tuesday 8").players.count() == 0

    page.goto(f"/console/{event.slug}/archive/")
    assert fits(page)
    page.get_by_role("button", name="Archive event").click()
    expect(page.get_by_role("link", name="Tuesday 8", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Tuesday 7", exact=True)).to_be_hidden()
    page.get_by_text("Archived: 1").click()
    assert fits(page)
    page.get_by_role("button", name="Bring back").click()
    expect(page.get_by_role("link", name="Tuesday 7", exact=True)).to_be_visible()


@DEVICES
@pytest.mark.whole("tests/tournament/archive/test_deletion.py without a browser")
def test_an_event_is_deleted_after_its_archive_and_imported_again(
    new_page: Callable[..., Any], live: Any, tmp_path: Path, device: dict[str, Any]
) -> None:
    make_user("olga@example.org")
    event = started_event(4, swiss_rounds=2)
    play_round(event)
    make_event(organizer(), name="Another night")
    page = new_page(device)
    open_my_events(page)
    page.goto(f"/console/{event.slug}/settings/")
    page.get_by_role("link", name=labels.DELETE_EVENT).click()
    expect(page.get_by_text("Rounds are being played.")).to_be_visible()
    assert fits(page)
    page.get_by_label(labels.EVENT_NAME).fill("Spring Open")
    page.get_by_role("button", name=labels.DELETE_EVENT).click()
    expect(page.get_by_text("The archive of this event has not been downloaded yet.")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download archive").click()
    file = tmp_path / "event.json"
    download.value.save_as(file)
    page.get_by_label(labels.EVENT_NAME).fill("Spring Open")
    page.get_by_role("button", name=labels.DELETE_EVENT).click()
    expect(page.get_by_text("“Spring Open” is deleted.")).to_be_visible()
    expect(page.get_by_role("link", name="Another night", exact=True)).to_be_visible()
    assert list(Event.objects.values_list("name", flat=True)) == ["Another night"]
    assert restore_event(file.read_bytes(), organizer()).players.count() == 4
