"""The venue screen and the clock in a browser.

There is a wrong clock, and a server that goes and comes back.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db.models import F
from django.test import Client

from tests.fixtures.servers import Live, serve
from tests.scenarios.factories import organizer
from tests.tournament.clock.test_clock import publish_round
from tournament.clock import services as clock
from tournament.events.models.event import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# A screen polls after six seconds, plus or minus a quarter.
LONGER_THAN_A_POLL = 8_000
WRONG_BY = 3 * 60 * 60 * 1000
WRONG_CLOCK = f"""(() => {{
  const wrong = {WRONG_BY};
  const RealDate = Date;
  globalThis.Date = class extends RealDate {{
    constructor(...args) {{ args.length ? super(...args) : super(RealDate.now() + wrong); }}
    static now() {{ return RealDate.now() + wrong; }}
  }};
}})();"""


def seconds(face: str) -> int:
    parts = [int(part) for part in face.split(":")]
    return sum(part * 60**place for place, part in enumerate(reversed(parts)))


def test_the_clock_is_right_on_every_screen_within_a_second_whatever_the_phone_says(
    live: Live, phone: Any, client: Client
) -> None:
    round_ = publish_round()
    clock.start_clock(round_, organizer())
    slug, player = round_.stage.event.slug, round_.matches.first().p1
    client.force_login(organizer().user)
    session = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live.url}
    phone.context.add_cookies([session])
    phone.add_init_script(WRONG_CLOCK)
    for page in (
        f"e/{slug}/pairings",
        f"e/{slug}/screen/clock",
        f"p/{player.token}",
        f"console/{slug}/clock",
    ):
        phone.goto(f"{live.url}/{page}/")
        face = phone.locator("[data-clock-time]:visible").first
        face.filter(has_text=re.compile(r"^49:")).wait_for()
        seconds_left = phone.request.get(f"{live.url}/api/events/{slug}/clock/").json()["remaining"]
        assert abs(seconds(face.inner_text()) - seconds_left) <= 1, page


@pytest.mark.slow
def test_the_screen_goes_on_when_the_server_restarts(live: Live, laptop: Any) -> None:
    round_ = publish_round(40)
    clock.start_clock(round_, organizer())
    laptop.set_viewport_size({"width": 1280, "height": 720})
    laptop.goto(f"{live.url}/e/{round_.stage.event.slug}/screen/pairings/?seconds=3")
    page = laptop.locator("#screen-page")
    page.filter(has_text="1 / 2").wait_for()
    locator = laptop.locator(".screen-row:visible")
    first = locator.first.inner_text()
    page.filter(has_text="2 / 2").wait_for()
    assert locator.first.inner_text() != first
    heights = laptop.evaluate("[document.documentElement.scrollHeight, innerHeight]")
    assert heights[0] == heights[1]
    port = int(live.url.rsplit(":", 1)[1])
    live.stop()
    offline = laptop.locator("#offline")
    offline.filter(has_text="Offline since").wait_for()
    assert locator.count() > 10
    again = serve(port)
    try:
        clock.call_time(round_, organizer())
        offline.wait_for(state="hidden")
        laptop.locator(".screen-clock.is-time_called").wait_for()
    finally:
        again.stop()


LARGER = pytest.mark.whole("the same on the smallest screen")


@pytest.mark.parametrize(
    "size",
    [(1280, 720), pytest.param((1366, 768), marks=LARGER), pytest.param((1920, 1080), marks=LARGER)],
)
def test_two_hundred_players_take_at_most_four_turns(live: Live, laptop: Any, size: tuple[int, int]) -> None:
    slug = publish_round(200).stage.event.slug
    laptop.set_viewport_size({"width": size[0], "height": size[1]})
    for view, turns in (("pairings", "1 / 4"), ("standings", "1 / 4"), ("tables", "1 / 3")):
        laptop.goto(f"{live.url}/e/{slug}/screen/{view}/?seconds=120")
        laptop.locator("#screen-page").filter(has_text=turns).wait_for()


@pytest.mark.slow
def test_the_screen_says_that_its_event_is_gone_and_comes_back_with_it(live: Live, laptop: Any) -> None:
    round_ = publish_round(6)
    event = round_.stage.event
    laptop.clock.install()
    laptop.goto(f"{live.url}/e/{event.slug}/screen/tables/")
    laptop.locator(".screen-row:visible").first.wait_for()
    gone_heading = laptop.get_by_role("heading", name="This event is not available")
    for hide, show in ((_make_private, _open), (_take_away, _put_back)):
        hide(event)
        laptop.clock.fast_forward(LONGER_THAN_A_POLL)
        gone_heading.wait_for()
        assert laptop.locator(".screen-row:visible").count() == 0
        show(event)
        laptop.clock.fast_forward(LONGER_THAN_A_POLL)
        laptop.locator(".screen-row:visible").first.wait_for()
        assert gone_heading.count() == 0
    Event.objects.filter(pk=event.pk).update(phase=Event.Phase.PREPARING)
    laptop.reload()
    gone_heading.wait_for()
    Event.objects.filter(pk=event.pk).update(phase=Event.Phase.SWISS)
    laptop.locator(".screen-row:visible").first.wait_for()


def _make_private(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(phase=Event.Phase.PREPARING, version=F("version") + 1)


def _open(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(phase=Event.Phase.SWISS, version=F("version") + 1)


def _take_away(event: Event) -> None:
    """Take the event from the address, while no version rises and nothing is sent."""
    Event.objects.filter(pk=event.pk).update(slug="elsewhere")


def _put_back(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(slug=event.slug)
