"""Forms of the console without a network: nothing is lost, and the page says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fixtures.browser import LAPTOP
from tests.fixtures.desk import open_signed_in
from tests.scenarios import labels
from tests.scenarios.factories import make_event, make_user
from tournament.events.models.event import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_what_is_typed_without_a_network_stays_and_is_sent_when_it_is_back(
    new_page: Callable[..., Any],
) -> None:
    make_user()
    event = make_event()
    page = new_page(LAPTOP)
    open_signed_in(page, f"/console/{event.slug}/prizes/")
    page.get_by_label(labels.PRIZES).fill("1: a playmat")

    page.context.set_offline(True)
    expect(page.locator("#offline")).to_contain_text("You are offline.")
    page.get_by_role("button", name=labels.PUBLISH_PRIZES).click()
    page.get_by_text("You are offline, so nothing was sent").wait_for()
    expect(page.get_by_label(labels.PRIZES)).to_have_value("1: a playmat")

    page.context.set_offline(False)
    expect(page.locator("#offline")).to_be_hidden()
    page.get_by_role("button", name=labels.PUBLISH_PRIZES).click()
    page.locator(".messages .alert-success").wait_for()
    assert [prize["words"] for prize in Event.objects.get().prizes] == ["a playmat"]
