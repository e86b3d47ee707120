"""Pages that stay open all day keep nothing of what they have shown before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.fixtures.browser import PHONE, until
from tests.fixtures.desk import open_signed_in
from tests.scenarios.factories import add_players, make_event, make_user, organizer
from tournament.registration.services.attendance import check_in
from tournament.setup.services import events

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SHOWN = "Number(document.querySelector('[data-live]').dataset.version)"


def count_documents(page: Any) -> int:
    """Return the number of documents in memory, with that of the page."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    session.send("HeapProfiler.collectGarbage")
    metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    session.detach()
    return int(metrics["Documents"])


@pytest.mark.parametrize("path", ["/judge/{0}/", "/console/{0}/check-in/scan/"], ids=["judge", "door"])
def test_page_with_a_camera_keeps_no_page_that_was_read_for_its_news(
    new_page: Callable[..., Any], path: str
) -> None:
    make_user("olga@example.org", first_name="Olga")
    event = make_event()
    players = add_players(event, 6)
    events.open_check_in(event, organizer())
    page = new_page(PHONE)
    open_signed_in(page, path.format(event.slug))
    page.wait_for_load_state("load")
    for player in players:
        check_in(player, organizer())
        event.refresh_from_db()
        until(page, lambda: page.evaluate(SHOWN) == event.version)
    # The last one may still be in use.
    until(page, lambda: count_documents(page) <= 2)
