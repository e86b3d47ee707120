"""A player's day on a phone, in a real browser.

Every step is on the page, and updates come without a reload.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fixtures.browser import PHONE
from tests.fixtures.workers import wait_for
from tests.scenarios import labels
from tests.scenarios.catalogue import LEGAL, list_of, small_catalogue
from tests.scenarios.factories import make_event, open_matches, organizer, started_event, win
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.setup.services import events

OF_NO_EVENT = ("/", "/styleguide/", "/sign-in/", "/sign-up/")
PUBLIC = ("", "players/", "pairings/", "pairings/?by=name", "standings/", "cut/", "bracket/", "register/")
OWN = ("", "list/", "report/")

WIDEST = """[...document.querySelectorAll("main *")].filter(
    element => element.getBoundingClientRect().right > innerWidth + 0.5
        && !element.closest(".table-box, .subnav")
).map(element => element.outerHTML.slice(0, 90))"""

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def register(page: Any, event: Event, name: str) -> Player:
    """Register on the event's own page; the page is the player's afterwards."""
    page.goto(f"/e/{event.slug}/")
    page.get_by_role("link", name=labels.REGISTER, exact=True).last.click()
    page.get_by_label(labels.YOUR_NAME).fill(name)
    page.get_by_label(labels.EMAIL_ADDRESS).fill(f"{name.lower()}@example.org")
    page.get_by_role("button", name=labels.REGISTER).click()
    page.get_by_text("You are registered as number").wait_for()
    return Player.objects.get(name=name)


def publish_next(event: Event) -> None:
    """Pair the next round and show it to the players."""
    rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())


@pytest.mark.whole("the same way, as a part of tests/browser/test_whole_event.py")
def test_from_registration_to_a_confirmed_result(new_page: Callable[..., Any]) -> None:
    small_catalogue()
    event = make_event(decklists_required=True, swiss_rounds=2)
    first, second = new_page(PHONE), new_page(PHONE)
    alice = register(first, event, "Alice")
    register(second, event, "Bob")

    first.get_by_role("link", name=labels.SUBMIT_DECKLIST).first.click()
    first.get_by_label(labels.DECKLIST).fill(list_of("1 Mara ●", fillers=58))
    first.get_by_text("Main deck: 59 cards.").first.wait_for()
    first.get_by_label(labels.DECKLIST).fill(LEGAL)
    first.get_by_text("No problems found").wait_for()
    first.get_by_role("button", name=labels.SUBMIT_DECKLIST).click()
    first.get_by_text("is submitted and counts.").wait_for()
    first.get_by_role("link", name="Your page").click()
    first.get_by_role("heading", name="You are registered").wait_for()

    events.open_check_in(event, organizer())
    first.get_by_role("button", name="Check in").click()
    first.get_by_role("heading", name="You are registered and checked in").wait_for()

    events.start_event(event, organizer())
    publish_next(event)
    first.get_by_role("heading", name="vs. Bob").wait_for()
    second.get_by_role("heading", name="vs. Alice").wait_for()
    assert first.locator(".versus-table").inner_text().split()[-1] == "1"

    first.get_by_role("button", name=labels.PLAYER_WON % {"player": "Alice", "score": "2-1"}).click()
    first.get_by_text("You reported:").wait_for()
    expect(second.locator(".said-result").first).to_have_text("Alice won 2-1")
    second.get_by_role("button", name="Yes, Alice won 2-1").click()
    second.get_by_role("heading", name="Round 1: you lost 1-2 to Alice").wait_for()
    first.get_by_role("heading", name="Round 1: you won 2-1 vs. Bob").wait_for()
    match = Match.objects.get()
    assert match.winner_id == alice.pk


def test_news_arrives_without_a_reload_and_is_said_aloud(phone: Any) -> None:
    event = started_event(2)
    player = event.players.get(number=1)
    phone.goto(f"/p/{player.token}/")
    phone.get_by_role("heading", name="The next round is being prepared").wait_for()
    phone.evaluate("window.stillHere = true")
    publish_next(event)
    phone.get_by_text("How did it end?").wait_for()
    assert phone.evaluate("window.stillHere") is True
    assert phone.locator("#live-status").inner_text() == "Round 1: table 1 vs. Bob."


NEWS = "version => document.dispatchEvent(new CustomEvent('ringside:version', { detail: version }))"


def test_what_is_being_typed_is_not_lost_to_news(phone: Any) -> None:
    event = started_event(4, swiss_rounds=2)
    publish_next(event)
    match = Match.objects.select_related("round__stage__event", "p1", "p2").get(table=1)
    phone.clock.install()
    phone.goto(f"/p/{match.p1.token}/")
    phone.get_by_text("Drop from the event").click()
    phone.get_by_label(labels.REASON).fill("The last train")
    win(match)
    event.refresh_from_db()
    # The news, now and not when the stream brings it, and the time in which the page would have followed.
    phone.evaluate(NEWS, event.version)
    phone.clock.run_for(5000)
    assert phone.get_by_label(labels.REASON).input_value() == "The last train"
    assert phone.get_by_role("heading", name="Round 1: you won 2-0").count() == 0
    phone.get_by_label(labels.REASON).blur()
    phone.get_by_role("heading", name="Round 1: you won 2-0").wait_for()


def test_lost_network_is_said_and_the_page_catches_up(phone: Any, complaints: list[str]) -> None:
    event = started_event(2)
    player = event.players.get(number=1)
    phone.goto(f"/p/{player.token}/")
    phone.context.set_offline(True)
    phone.get_by_text("No connection.").wait_for()
    assert phone.get_by_role("heading", name="The next round is being prepared").is_visible()
    publish_next(event)
    phone.context.set_offline(False)
    phone.get_by_role("heading", name="vs. Bob").wait_for()
    phone.locator("#offline").wait_for(state="hidden")
    complaints[:] = [complaint for complaint in complaints if "ERR_INTERNET_DISCONNECTED" not in complaint]


@pytest.mark.whole("pages of a player with scripts")
def test_whole_way_works_without_scripts(new_page: Callable[..., Any]) -> None:
    small_catalogue()
    event = make_event(decklists_required=True)
    first = new_page(PHONE, java_script_enabled=False)
    alice = register(first, event, "Alice")
    bob = registration.register(event, name="Bob", email="bob@example.org")
    first.get_by_role("link", name=labels.SUBMIT_DECKLIST).first.click()
    first.get_by_label(labels.DECKLIST).fill(LEGAL)
    first.get_by_role("button", name="Check decklist").click()
    first.get_by_text("No problems found").wait_for()
    first.get_by_role("button", name=labels.SUBMIT_DECKLIST).click()
    first.get_by_text("is submitted and counts.").wait_for()
    events.start_event(event, organizer())
    publish_next(event)
    first.goto(f"/e/{event.slug}/pairings/")
    first.get_by_label(labels.NAME_OR_TABLE).fill("bob")
    first.get_by_role("button", name=labels.SEARCH_PAIRINGS).click()
    first.wait_for_url("**/pairings/?q=bob*")
    expect(first.locator("tbody tr")).to_have_count(1)
    first.get_by_role("link", name="By name").click()
    expect(first.locator("tbody tr")).to_have_count(2)
    first.goto(f"/p/{alice.token}/")
    first.get_by_role("button", name=labels.PLAYER_WON % {"player": "Alice", "score": "2-0"}).click()
    first.get_by_text("You reported:").wait_for()
    first.goto(f"/p/{bob.token}/")
    first.get_by_role("button", name="Yes, Alice won 2-0").click()
    first.get_by_role("heading", name="Round 1: you lost 0-2 to Alice").wait_for()


def test_pairings_are_searched_while_typing(phone: Any) -> None:
    event = started_event(6)
    publish_next(event)
    phone.goto(f"/e/{event.slug}/pairings/")
    phone.get_by_label(labels.NAME_OR_TABLE).press_sequentially("eri")
    expect(phone.locator("#live tbody tr")).to_have_count(1)
    expect(phone.locator("#live tbody")).to_contain_text("Erin")
    expect(phone).to_have_url(re.compile("q=eri$"))
    win(open_matches(event.stages.get().rounds.get())[0])
    phone.get_by_text("1 of 3 results are in").wait_for()
    assert phone.get_by_label(labels.NAME_OR_TABLE).input_value() == "eri"


@pytest.mark.whole("pairings that are searched while typing, above")
def test_a_late_answer_for_the_whole_list_does_not_replace_a_search(phone: Any) -> None:
    event = started_event(6)
    publish_next(event)
    held_requests: list[Any] = []
    phone.route(
        lambda url: "/pairings/" in url,
        lambda route: (
            held_requests.append(route) if "x-ringside-live" in route.request.headers else route.continue_()
        ),
    )
    phone.goto(f"/e/{event.slug}/pairings/")
    win(open_matches(event.stages.get().rounds.get())[0])
    wait_for(lambda: phone.wait_for_timeout(50) or held_requests)
    phone.get_by_label(labels.NAME_OR_TABLE).press_sequentially("eri")
    expect(phone).to_have_url(re.compile("q=eri$"))
    held_requests[0].continue_()
    phone.unroute_all()
    phone.get_by_text("1 of 3 results are in").wait_for()
    expect(phone.locator("#live tbody tr")).to_have_count(1)


@pytest.mark.whole("tests/screens/test_quality.py, and long names in tests/browser/test_long_lists.py")
def test_no_page_scrolls_sideways_on_the_smallest_phone(new_page: Callable[..., Any]) -> None:
    page = new_page({"viewport": {"width": 320, "height": 640}})
    event = started_event(5, cut="diversity", cut_size=4, swiss_rounds=3, name="A" * 60)
    Player.objects.filter(number=1).update(name="Wolfeschlegelsteinhausenbergerdorff " * 2)
    publish_next(event)
    token = event.players.get(number=1).token
    for path in [
        *(f"/e/{event.slug}/{part}" for part in PUBLIC),
        *(f"/p/{token}/{part}" for part in OWN),
    ]:
        page.goto(path)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide == 0, f"{path} is {wide} px too wide: {page.evaluate(WIDEST)}"


@pytest.mark.whole("test_chosen_looks.py")
def test_colours_are_chosen_once_and_kept(laptop: Any) -> None:
    laptop.goto("/")
    assert laptop.evaluate("document.documentElement.dataset.theme") is None
    ground = "getComputedStyle(document.body).backgroundColor"
    light = laptop.evaluate(ground)
    laptop.get_by_role("button", name="Dark theme").click()
    assert laptop.evaluate(ground) != light
    laptop.goto("/sign-in/")
    assert laptop.evaluate("document.documentElement.dataset.theme") == "dark"


@pytest.mark.whole("the first tab of the console, in test_console_by_keyboard.py")
def test_keyboard_reaches_the_content_first(laptop: Any) -> None:
    laptop.goto("/")
    laptop.keyboard.press("Tab")
    expect(laptop.get_by_role("link", name=labels.SKIP_TO_MAIN_CONTENT)).to_be_focused()
    laptop.keyboard.press("Enter")
    expect(laptop.locator("#main")).to_be_focused()


def test_verdict_while_typing_is_said_in_a_word_and_shown_beside_the_button(phone: Any) -> None:
    small_catalogue()
    event = make_event(decklists_required=True)
    alice = registration.register(event, name="Alice", email="alice@example.org")
    phone.goto(f"/p/{alice.token}/list/")
    locator = phone.locator("#verdict-badge")
    phone.get_by_label(labels.DECKLIST).fill(list_of("1 Mara ●", fillers=58))
    expect(locator.locator(".badge")).to_have_text("Not legal")
    phone.get_by_label(labels.DECKLIST).fill(LEGAL)
    expect(locator.locator(".badge")).to_have_text("Legal")
    assert locator.get_attribute("role") == "status"


def test_page_without_a_stream_asks_for_its_own_digest(phone: Any) -> None:
    event = started_event(4)
    publish_next(event)
    match = Match.objects.select_related("round__stage__event", "p1", "p2").get(table=1)
    phone.route("**/live/**", lambda route: route.fulfill(status=404))
    phone.clock.install()
    phone.goto(f"/p/{match.p1.token}/")
    phone.get_by_text("How did it end?").wait_for()
    phone.evaluate("window.stillHere = true")
    with phone.expect_response(f"**/p/{match.p1.token}/version") as asked_answer:
        phone.clock.run_for(7000)
    assert asked_answer.value.json()["digest"] == phone.locator("#live").get_attribute("data-digest")
    win(match)
    phone.clock.run_for(7000)
    phone.get_by_role("heading", name="Round 1: you won 2-0").wait_for()
    assert phone.evaluate("window.stillHere") is True
