"""The stream view as a browser source.

It is transparent, without scrollbars, and steady when a result arrives.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from django.db.models import F
from PIL import Image

from tests.everyday import each_nth
from tests.fixtures.servers import Live, serve
from tests.scenarios.factories import open_matches, organizer, publish_next, started_event, win
from tests.tournament.clock.test_clock import publish_round
from tests.tournament.pairing.test_pods_played import FREE
from tournament.clock import services as clock
from tournament.events.models.event import Event
from tournament.events.models.player import Player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = [(1920, 1080), (1280, 720)]
ALL = "round,clock,table,score,standings"
LONGEST = "Wilhelmina-Alexandrina von und zu Hohenlohe-Waldenburg-Schillingsfürst-Kaunitz"
ARABIC = "مريم بنت عبد الرحمن الحسن"
OVERFLOW = """() => {
  const root = document.documentElement;
  const parts = [...document.querySelectorAll(".stream-part")].map((part) => part.getBoundingClientRect());
  return parts.every((part) => part.right <= innerWidth && part.bottom <= innerHeight && part.left >= 0)
    && root.clientWidth === innerWidth && root.clientHeight === innerHeight;
}"""
PLACES = '() => [...document.querySelectorAll(".stream-part")].map((part) => Math.round(part.offsetTop))'


@pytest.fixture
def source(new_page: Callable[..., Any]) -> Callable[..., Any]:
    """Opens a browser source of a size."""

    def make(size: tuple[int, int], address: str) -> Any:
        page = new_page({"viewport": {"width": size[0], "height": size[1]}})
        page.goto(address)
        page.locator("main").wait_for()
        return page

    return make


def picture(page: Any) -> Image.Image:
    data = page.screenshot(omit_background=True)
    return Image.open(io.BytesIO(data)).convert("RGBA")


def rename(event: Event, *names: str) -> None:
    for number, name in enumerate(names, 1):
        Player.objects.filter(event=event, number=number).update(name=name)


def shares(page: Any) -> tuple[float, float]:
    """Return how much of the picture is clear, and how much is solid."""
    counts = picture(page).getchannel("A").histogram()
    return counts[0] / sum(counts), counts[255] / sum(counts)


@pytest.mark.parametrize(("size", "theme"), each_nth(3, product(SIZES, ["dark", "light"])))
def test_ground_is_clear_and_parts_are_solid(
    source: Callable[..., Any], size: tuple[int, int], theme: str
) -> None:
    event = publish_round(40).stage.event
    rename(event, LONGEST, ARABIC)
    page = source(size, f"/e/{event.slug}/stream/{ALL}/?rows=32&theme={theme}")
    clear, solid = shares(page)
    assert (clear > 0.2, solid > 0.05) == (True, True), (clear, solid)
    part = page.locator(".stream-number").bounding_box()
    assert picture(page).getpixel((int(part["x"]) - 4, int(part["y"]) + 4))[3] == 255
    assert picture(page).getpixel((size[0] - 2, 2))[3] == 0
    assert page.evaluate(OVERFLOW)


@pytest.mark.parametrize(
    "size", [pytest.param(SIZES[0], marks=pytest.mark.whole("the same in the smaller picture")), SIZES[1]]
)
def test_table_of_many_sides_names_everyone_within_the_picture(
    source: Callable[..., Any], size: tuple[int, int]
) -> None:
    event = started_event(4, **FREE)
    publish_next(event)
    rename(event, LONGEST, ARABIC)
    page = source(size, f"/e/{event.slug}/stream/{ALL}/?rows=32")
    names = page.locator(".stream-table .stream-name")
    assert {LONGEST, ARABIC} < set(names.all_inner_texts())
    assert page.locator(".stream-against").count() == 0
    # Six sides, and standings of the most rows.
    page.evaluate("""() => {
      for (const [selector, count] of [[".stream-table .stream-name", 2], [".stream-standings li", 28]]) {
        const last = [...document.querySelectorAll(selector)].pop();
        for (let number = 0; number < count; number++) last.after(last.cloneNode(true));
      }
    }""")
    assert (names.count(), page.locator(".stream-standings li").count()) == (6, 32)
    assert page.evaluate(OVERFLOW)


def test_nothing_moves_when_a_result_arrives(source: Callable[..., Any]) -> None:
    round_ = publish_round(8)
    clock.start_clock(round_, organizer())
    event = round_.stage.event
    rename(event, LONGEST, ARABIC)
    page = source(SIZES[1], f"/e/{event.slug}/stream/{ALL}/?table=1")
    before = page.evaluate(PLACES)
    assert not page.locator(".stream-score").is_visible()
    page.evaluate("""() => {
      globalThis.faces = [];
      new MutationObserver(() => faces.push(document.querySelector("[data-clock-time]").textContent))
        .observe(document.body, { childList: true, subtree: true, characterData: true });
    }""")
    win(next(match for match in open_matches(round_) if match.table == 1))
    page.locator(".stream-score").get_by_text("2-0").wait_for()
    assert page.evaluate(PLACES) == before
    page.wait_for_timeout(1500)
    faces = page.evaluate("faces")
    assert {face[:3] for face in faces} <= {"50:", "49:"}, faces


@pytest.mark.whole("the venue screen does the same in tests/browser/test_hall_screen.py")
def test_stream_goes_on_after_a_restart_of_the_server(live: Live, source: Callable[..., Any]) -> None:
    round_ = publish_round(8)
    event = round_.stage.event
    page = source(SIZES[1], f"{live.url}/e/{event.slug}/stream/table,score/?table=1")
    page.locator(".stream-table").wait_for()
    live.stop()
    page.wait_for_timeout(1000)
    assert page.locator(".stream-table").is_visible()
    again = serve(int(live.url.rsplit(":", 1)[1]))
    try:
        win(next(match for match in open_matches(round_) if match.table == 1))
        page.locator(".stream-score").get_by_text("2-0").wait_for()
    finally:
        again.stop()


@pytest.mark.whole("the venue screen does the same in tests/browser/test_hall_screen.py")
def test_event_that_is_not_public_leaves_the_picture_clear_and_comes_back(source: Callable[..., Any]) -> None:
    event = publish_round(8).stage.event
    rows = Event.objects.filter(pk=event.pk)
    page = source(SIZES[1], f"/e/{event.slug}/stream/round,table/")
    rows.update(phase=Event.Phase.PREPARING, version=F("version") + 1)
    page.locator(".stream-table").wait_for(state="hidden")
    assert shares(page) == (1, 0)
    rows.update(phase=Event.Phase.SWISS, version=F("version") + 1)
    page.locator(".stream-table").wait_for()
    rows.update(phase=Event.Phase.PREPARING, version=F("version") + 1)
    page.reload()
    assert shares(page) == (1, 0)
    rows.update(phase=Event.Phase.SWISS, version=F("version") + 1)
    page.locator(".stream-table").wait_for()
