"""A player's page as an app.

It has fast updates, is available offline, private, and without unasked prompts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from playwright.sync_api import expect

from tests.browser.test_player_path import publish_next
from tests.fixtures.browser import PHONE, until
from tests.scenarios import labels
from tests.scenarios.factories import make_event, organizer, started_event, win
from tournament.events.models.round import Match, ResultReport
from tournament.my_page import app_views
from tournament.registration import services as registration
from tournament.registration.services import contact as links

KEPT = """async () => {
    const stores = await Promise.all((await caches.keys()).map(name => caches.open(name)));
    const kept = (await Promise.all(stores.map(store => store.keys()))).flat();
    return kept.map(request => new URL(request.url).pathname);
}"""
HIDE = """is => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => is });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
LISTENED = """() => { window.told = []; ServiceWorkerRegistration.prototype.showNotification =
    function (title, options) { window.told.push([title, options.body]); return Promise.resolve(); }; }"""

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def without_network(complaints: list[str]) -> Iterator[None]:
    """Network errors of a browser that is offline are no complaint."""
    yield
    complaints[:] = [complaint for complaint in complaints if "ERR_INTERNET_DISCONNECTED" not in complaint]


def open_and_keep(page: Any, token: str) -> None:
    """Open a player's page and wait until the phone has stored it."""
    page.goto(f"/p/{token}/")
    page.get_by_text("This page is also available offline").wait_for()
    until(
        page,
        lambda: f"/p/{token}/" in (answer := page.evaluate(KEPT)) and any(p.endswith(".css") for p in answer),
    )


def return_to_network(page: Any) -> None:
    """End the lack of a network, and say so where the browser does not.

    The page may leave at once, with what it has kept.
    """
    page.evaluate("() => { setTimeout(() => dispatchEvent(new Event('online')), 300); }")
    page.context.set_offline(False)


def refuse_forms(route: Any) -> None:
    """Block everything that is sent."""
    if route.request.method == "POST":
        route.abort("internetdisconnected")
    else:
        route.continue_()


def test_published_pairing_comes_to_phones_by_their_streams(new_page: Callable[..., Any]) -> None:
    event = started_event(2)
    phones = [new_page(PHONE), new_page(PHONE)]
    paths: list[str] = []
    for page, player in zip(phones, event.players.order_by("number"), strict=True):
        with page.expect_response("**/live/**"):
            page.goto(f"/p/{player.token}/")
        page.on("request", lambda request: paths.append(urlsplit(request.url).path))
    publish_next(event)
    for page, opponent in zip(phones, ("Bob", "Alice"), strict=True):
        page.get_by_role("heading", name=f"vs. {opponent}").wait_for()
    assert [path for path in paths if path.endswith("/version")] == []


@pytest.mark.whole("a published pairing that comes by the stream, above")
def test_phone_that_wakes_up_listens_at_once_and_shows_the_pairing(phone: Any) -> None:
    event = started_event(2)
    phone.goto(f"/p/{event.players.get(number=1).token}/")
    phone.clock.install()
    phone.evaluate(HIDE, True)
    publish_next(event)
    phone.clock.run_for(30_000)
    phone.evaluate("fetch('/sign-in/').then(answer => answer.text())")
    assert phone.get_by_role("heading", name="The next round is being prepared").is_visible()
    with phone.expect_request("**/live/**"):
        phone.evaluate(HIDE, False)
    phone.get_by_role("heading", name="vs. Bob").wait_for()


@pytest.mark.usefixtures("without_network")
def test_last_pairing_opens_without_a_network_and_says_since_when(phone: Any) -> None:
    event = started_event(4)
    publish_next(event)
    player = event.players.get(number=1)
    open_and_keep(phone, player.token)
    heading = phone.locator(".versus-seat h2").inner_text()
    phone.context.set_offline(True)
    phone.reload()
    assert phone.locator(".versus-seat h2").inner_text() == heading
    locator = phone.locator("#offline")
    locator.wait_for()
    assert locator.inner_text().startswith("No connection. This page was last updated at ")
    ground = phone.evaluate("getComputedStyle(document.querySelector('.topbar')).backgroundColor")
    assert ground == "rgb(18, 22, 29)"
    return_to_network(phone)
    locator.wait_for(state="hidden")
    assert phone.locator(".versus-seat h2").inner_text() == heading


@pytest.mark.usefixtures("without_network")
def test_report_without_a_network_is_kept_and_sent_by_itself(phone: Any) -> None:
    event = started_event(2)
    publish_next(event)
    open_and_keep(phone, event.players.get(number=1).token)
    phone.context.set_offline(True)
    phone.get_by_role("button", name=labels.PLAYER_WON % {"player": "Alice", "score": "2-0"}).click()
    phone.get_by_text("Your report waits on this phone:").wait_for()
    expect(phone.get_by_text("How did it end?")).to_be_hidden()
    # The page may be closed meanwhile; opened again without a network it still says so. The emulated lack of
    # a network ends for the page that is left, and begins a moment late for the next one.
    phone.evaluate("() => { window.fetch = () => Promise.reject(new TypeError()); }")
    phone.context.route("**/*", refuse_forms)
    phone.reload()
    expect(phone.locator("[data-kept-words]")).to_have_text("Alice won 2-0")
    assert ResultReport.objects.count() == 0
    phone.context.unroute("**/*")
    return_to_network(phone)
    phone.get_by_text("You reported:").wait_for()
    assert ResultReport.objects.get().score in ("2-0", "0-2")
    expect(phone.get_by_text("Your report waits on this phone:")).to_be_hidden()


@pytest.mark.usefixtures("without_network")
@pytest.mark.whole("other pages of the same worker")
def test_kept_report_can_be_edited_before_it_is_sent(phone: Any) -> None:
    event = started_event(2)
    publish_next(event)
    open_and_keep(phone, event.players.get(number=1).token)
    phone.context.set_offline(True)
    phone.get_by_role("button", name=labels.PLAYER_WON % {"player": "Alice", "score": "2-0"}).click()
    phone.get_by_role("button", name="Edit report").click()
    phone.get_by_role("button", name=labels.PLAYER_WON % {"player": "Bob", "score": "2-1"}).click()
    expect(phone.locator("[data-kept-words]")).to_have_text("Bob won 2-1")
    return_to_network(phone)
    phone.get_by_text("You reported:").wait_for()
    expect(phone.locator(".said-result").first).to_have_text("Bob won 2-1")


@pytest.mark.whole("a kept report, above; refused ones in tests/tournament/my_page/test_player_pages.py")
@pytest.mark.usefixtures("without_network")
def test_kept_report_that_comes_too_late_says_why_it_is_refused(phone: Any) -> None:
    event = started_event(2)
    publish_next(event)
    match = Match.objects.select_related("p1").get()
    open_and_keep(phone, event.players.get(number=1).token)
    phone.context.set_offline(True)
    phone.get_by_role("button", name=labels.PLAYER_WON % {"player": "Alice", "score": "2-0"}).click()
    phone.get_by_text("Your report waits on this phone:").wait_for()
    side = "p2" if match.p1.name == "Alice" else "p1"
    win(Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk), side)
    return_to_network(phone)
    phone.get_by_text("Your report was not accepted:").wait_for()
    phone.get_by_text("This match already has a result: Bob won 2-0.").wait_for()


@pytest.mark.whole("other pages of the same worker")
def test_replaced_link_takes_its_kept_page_along(phone: Any) -> None:
    event = started_event(2)
    player = event.players.select_related("event").get(number=1)
    old = player.token
    open_and_keep(phone, old)
    links.renew_private_link(player, organizer())
    phone.goto(f"/p/{old}/")
    phone.get_by_role("heading", name="This link was replaced").wait_for()
    until(phone, lambda: f"/p/{old}/" not in phone.evaluate(KEPT))


def test_permission_for_notices_is_asked_by_the_button_alone(
    new_page: Callable[..., Any], whole_browser: Any
) -> None:
    event = started_event(2)
    page = new_page(PHONE, started_browser=whole_browser, permissions=["notifications"])
    page.add_init_script(f"({LISTENED})()")
    page.goto(f"/p/{event.players.get(number=1).token}/")
    page.get_by_text("This page is also available offline").wait_for()
    assert page.locator("html[data-while-hidden]").count() == 0
    page.get_by_role("button", name="Turn on notifications").click()
    page.get_by_text("Notifications are on. Keep").wait_for()
    page.evaluate(HIDE, True)
    publish_next(event)
    until(page, lambda: page.evaluate("window.told.length") == 1)
    assert page.evaluate("window.told[0][1]") == "Round 1: table 1 vs. Bob."
    page.evaluate(HIDE, False)
    expect(page.locator("main")).to_contain_text("Bob")
    page.get_by_role("button", name="Turn off notifications").click()
    expect(page.locator("html[data-while-hidden]")).to_have_count(0)


@pytest.mark.django_db(transaction=False)
@pytest.mark.whole("other pages of the same worker")
def test_page_manifest_and_code_stay_out_of_every_shared_cache(client: Client) -> None:
    event = make_event()
    player = registration.register(event, name="Alice", email="alice@example.org")
    for part in ("", "app.webmanifest", "qr.png"):
        answer = client.get(f"/p/{player.token}/{part}")
        assert answer["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private", part
        assert answer["X-Robots-Tag"] == "noindex, nofollow"
    manifest = client.get(f"/p/{player.token}/app.webmanifest")
    assert manifest["Content-Type"] == "application/manifest+json"
    assert (manifest.json()["start_url"], manifest.json()["scope"]) == (f"/p/{player.token}/", "/p/")
    worker = client.get("/player-worker.js")
    assert (worker.status_code, worker["Cache-Control"]) == (200, "no-cache")
    assert player.token.encode() not in worker.content


# The rest of the worker works on what is no file, as the page for no network.
CANNOT_STORE_FILES = """
const own = Cache.prototype.%(step)s;
Cache.prototype.%(step)s = function (request, other) {
  const { pathname } = new URL(request.url ?? request, location);
  return pathname.startsWith("/static/") ? %(outcome)s : own.call(this, request, other);
};
"""


@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        ("put", "new Promise(() => {})"),
        ("put", "Promise.reject(new Error('no room'))"),
        ("match", "Promise.reject(new Error('unreadable'))"),
    ],
)
def test_scripts_come_from_the_network_where_a_phone_cannot_store_files(
    phone: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, outcome: str
) -> None:
    own_script = app_views.SERVICE_WORKER_FILE.read_text(encoding="utf-8")
    patched_file = tmp_path / "worker.js"
    patch = CANNOT_STORE_FILES % {"step": step, "outcome": outcome}
    patched_file.write_text(patch + own_script, encoding="utf-8")
    monkeypatch.setattr(app_views, "SERVICE_WORKER_FILE", patched_file)
    player = started_event(2).players.get(number=1)
    phone.goto(f"/p/{player.token}/")
    phone.wait_for_function("() => navigator.serviceWorker.controller !== null")
    phone.goto(f"/p/{player.token}/list/")
    phone.wait_for_function("() => window.ringside !== undefined")
