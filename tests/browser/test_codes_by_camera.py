"""The camera of a phone reads codes, at the door and for a judge.

The browser has no reader of its own.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import segno
from PIL import Image
from playwright.sync_api import expect

from tests.fixtures.browser import FLAGS, PHONE, WHOLE, chromium, do_without
from tests.fixtures.desk import open_signed_in
from tests.scenarios.factories import add_players, make_event, make_user, organizer
from tournament.events.models.event import Event, StaffRole
from tournament.registration.views.public import badge_path
from tournament.setup.services import events
from tournament.shared.links import make_qr_png

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SCRIPTS = Path(__file__).parents[2] / "tournament/static/ringside/js"
READ = """([pixels, width, height]) => {
    const data = Uint8Array.from(atob(pixels), (sign) => sign.charCodeAt(0));
    return window.RingsideCodes.read({ data, width, height });
}"""


def picture_of(code: Image.Image, *, degrees: int = 8, wide: int = 240) -> Image.Image:
    """Return a picture of a code that someone holds before a camera.

    The code is not quite straight, and the venue is not quite bright.
    """
    paper = Image.new("L", (code.width + 8, code.height + 8), 235)
    paper.paste(code, (4, 4))
    picture = paper.resize((wide, wide), Image.Resampling.NEAREST)
    picture = picture.rotate(degrees, expand=True, fillcolor=150, resample=Image.Resampling.BICUBIC)
    hall = Image.new("L", (640, 480), 110)
    hall.paste(picture, ((640 - picture.width) // 2, (480 - picture.height) // 2))
    return hall


@pytest.fixture
def event() -> Event:
    """Check-in is open, and Judy may do everything."""
    event = make_event()
    add_players(event, 3)
    events.open_check_in(event, organizer())
    StaffRole.objects.create(event=event, user=make_user("judy@example.org"), kind=StaffRole.Kind.ORGANIZER)
    return event


@pytest.fixture
def camera(playwright: Any, event: Event, tmp_path: Path) -> Iterator[Any]:
    """A browser whose camera sees the badge of player 2."""
    if chromium(*WHOLE) is None:
        do_without("no Chromium on this machine (Debian: apt-get install chromium)")
    address = f"https://ringside.example{badge_path(event, 2)}"
    frame = BytesIO()
    picture_of(Image.open(BytesIO(make_qr_png(address))).convert("L")).convert("RGB").save(frame, "JPEG")
    film = tmp_path / "badge.mjpeg"
    film.write_bytes(frame.getvalue() * 10)
    camera_flags = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    flags = [*FLAGS, *camera_flags, f"--use-file-for-fake-video-capture={film}"]
    browser_with_camera = playwright.chromium.launch(executable_path=chromium(*WHOLE), args=flags)
    yield browser_with_camera
    browser_with_camera.close()


def test_a_badge_before_the_camera_checks_in_once_and_calls_up_the_player(
    camera: Any, new_page: Callable[..., Any], event: Event
) -> None:
    page = new_page(PHONE, started_browser=camera, permissions=["camera"])
    open_signed_in(page, f"/console/{event.slug}/check-in/scan/", "judy@example.org")
    page.get_by_role("button", name="Start camera").click()
    player = event.players.get(number=2)
    expect(page.locator(".entry-rows").get_by_text(f"{player.name} is checked in.")).to_be_visible()
    expect(page.get_by_text("1 of 3 checked in")).to_be_visible()
    page.get_by_text("Point the camera at a badge.").wait_for()
    # The camera keeps showing the badge, and several more frames are read.
    page.wait_for_function(
        "since => document.querySelector('video').currentTime > since + 0.6",
        arg=page.evaluate("document.querySelector('video').currentTime"),
    )
    assert event.log.filter(action="checked_in").count() == 1

    page.goto(f"/judge/{event.slug}/")
    page.get_by_role("button", name="Scan code").click()
    page.wait_for_url(f"**/judge/{event.slug}/players/2/")


@pytest.mark.whole("a badge before the camera")
def test_codes_of_every_strength_are_read_from_every_side(browser: Any) -> None:
    page = browser.new_page()
    for script in ("code-words.js", "codes.js"):
        page.add_script_tag(path=str(SCRIPTS / script))
    texts = (
        "HTTPS://RINGSIDE.EXAMPLE/S/1234",
        "https://ringside.example/p/Zoë-_dEfGhIjK/",
        "7" * 90,
        "HTTP://HALL/B/CUP/12",
    )
    for text, strength, degrees in zip(texts, "lmqh", (0, 45, 110, 200), strict=True):
        buffer = BytesIO()
        segno.make_qr(text, error=strength, boost_error=False).save(buffer, kind="png", border=0)
        seen_picture = picture_of(Image.open(buffer).convert("L"), degrees=degrees, wide=300).convert("RGBA")
        picture_facts = [b64encode(seen_picture.tobytes()).decode(), seen_picture.width, seen_picture.height]
        assert (text, page.evaluate(READ, picture_facts)) == (text, text)
    assert page.evaluate(READ, [b64encode(bytes(400 * 300 * 4)).decode(), 400, 300]) is None
    page.close()
