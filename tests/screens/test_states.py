"""Every page for an error or a missing page.

It has its heading, and the link that leads on. Empty, waiting and offline parts of ordinary pages are looked
at where those pages are tested; these are the answers that replace a whole page.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from tests import machine
from tests.fixtures.browser import PHONE
from tests.scenarios.factories import make_event
from tests.scenarios.html import html_of
from tests.screens.addresses import PageAddress
from tests.screens.conftest import Answers, Page
from tests.screens.test_every_screen import COLOURS, INLINE, NARROW, RULES, WIDER, barriers
from tests.screens.walk import stranger
from tournament.events.models.event import Event

pytestmark = pytest.mark.django_db
HEADING = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
QUERY = "django.db.models.query.QuerySet._fetch_all"


@dataclass(frozen=True, slots=True)
class PageState:
    """A state: the request, the status, the heading and the link that leads on."""

    name: str
    path: str
    status: int
    heading: str
    way_out: str
    data: dict[str, str] | None = None
    who: str = "public"
    fault: Exception | None = None
    tries: int = 1


WRONG = {"login": "ada@example.org", "password": "not this one"}
NAMED = {"name": "Ada"}
TOO_MUCH = {str(number): "" for number in range(1001)}
OURS = ValueError("ours")
FULL = OSError(errno.ENOSPC, "No space left on device")
HOME = 'href="/"'
NOT_SHOWN = "This event is not available"
# No one can press anything on a venue screen, and a reload interrupts no one.
AGAIN = "This screen updates automatically"
LOOK_AGAIN = ("no_such_screen",)
MAY_LOOK_AGAIN = {**RULES, "rules": {"meta-refresh": {"enabled": False}}}
# One page of each layout: the usual one, that of a form, and that without a database.
AXE_EVERY_DAY = ("not_found", "too_many_tries", "database_away")
AWAY = OperationalError("server closed the connection unexpectedly")
STATES = (
    PageState("not_found", "/nothing/here/", 404, "Page not found", HOME),
    PageState("no_such_event", "/e/nowhere/standings/", 404, "Page not found", HOME),
    PageState("event_in_preparation", "/e/hidden/", 404, "Page not found", HOME),
    PageState("no_such_screen", "/e/nowhere/screen/pairings/", 404, NOT_SHOWN, AGAIN),
    PageState("no_such_player", "/p/nobody/", 404, "Unknown private link", HOME),
    PageState("no_such_table", "/judge/hidden/table/1/1/99/", 404, "Page not found", HOME, who="stranger"),
    PageState("no_network", "/offline/", 200, "No connection", 'href=""'),
    PageState("no_page_of_a_form", "/sign-out/", 405, "This page only accepts form submissions", HOME),
    PageState("forbidden", "/catalogue/", 403, "No access", HOME, who="stranger"),
    PageState("form_too_old", "/e/open/register/", 403, "This form has expired", HOME, data=NAMED),
    PageState("too_many_fields", "/decks/check/", 400, "This form has too many fields.", HOME, data=TOO_MUCH),
    PageState("too_many_tries", "/sign-in/", 429, "Sign in", 'href="/password/"', data=WRONG, tries=11),
    PageState("our_mistake", "/", 500, "Something went wrong on our side", 'href=""', fault=OURS),
    PageState("database_away", "/", 503, "The database is unavailable", 'href=""', fault=AWAY),
    PageState("disk_full", "/", 503, "The server disk is full", 'href=""', fault=FULL),
    PageState(
        "database_away_player", "/p/nobody/", 503, "The database is unavailable", 'href=""', fault=AWAY
    ),
)  # fmt: skip


def answer_of(state: PageState) -> Any:
    """Return what the server answers in that state."""
    client = Client(
        enforce_csrf_checks=state.status == 403 and state.data is not None,
        raise_request_exception=False,
    )
    if state.who == "stranger":
        client.force_login(stranger())
    with pytest.MonkeyPatch.context() as patch:
        if state.fault is not None:
            patch.setattr(QUERY, _failing(state.fault))
        for _ in range(state.tries):
            answer = client.get(state.path) if state.data is None else client.post(state.path, state.data)
    return answer


def _failing(fault: Exception) -> Callable[..., None]:
    def fail(*_: Any, **__: Any) -> None:
        raise fault

    return fail


@pytest.fixture
def events() -> None:
    """An event that is open, and one that no one may see yet."""
    make_event(name="Open")
    make_event(name="Hidden")
    Event.objects.filter(name="Hidden").update(phase=Event.Phase.PREPARING)


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name)
def test_state_says_what_is_and_leads_on(events: None, state: PageState) -> None:
    answer = answer_of(state)
    html = html_of(answer)
    assert answer.status_code == state.status
    assert HEADING.findall(html) == [state.heading]
    assert state.way_out in html.partition("<main")[2]
    assert INLINE.findall(html) == []
    assert re.search(r'<html lang="en" dir="ltr"[ >]', html)


def test_who_has_tried_too_often_reads_when_to_come_back(events: None) -> None:
    (state,) = (each for each in STATES if each.name == "too_many_tries")
    assert re.search(r"again in \d+ minutes?|\d+ minutes?", html_of(answer_of(state)))


def test_programs_read_in_words_of_their_own_that_a_method_is_wrong(client: Client) -> None:
    answer = client.post("/api/events/open/clock/")
    assert answer["Content-Type"] == "application/json"
    assert "only accepts form submissions" not in answer.content.decode()


@pytest.fixture
def state_pages(events: None) -> list[Page]:
    """The answers in all states, to be looked at."""
    pages = []
    for state in STATES:
        answer = answer_of(state)
        screen = PageAddress("state", state.name, state.who, state.path)
        pages.append(Page(screen, dict(answer.headers), answer.content.decode()))
    return pages


@pytest.fixture
def tabs(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens tabs that are closed after the test."""
    contexts = []

    def open_page(device: dict[str, Any], **options: Any) -> Any:
        contexts.append(browser.new_context(reduced_motion="reduce", **device, **options))
        return contexts[-1].new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.browser
def test_no_state_has_barriers_or_is_wider_than_a_small_phone(
    state_pages: list[Page], site: str, tabs: Callable[..., Any]
) -> None:
    violations: dict[str, Any] = {}
    seen_states: set[str] = set()
    wide, tab = tabs(NARROW), tabs(PHONE, bypass_csp=True)
    for page in state_pages:
        Answers.now = page
        name = page.screen.page
        wide.goto(f"{site}{page.screen.address}")
        violations[f"{name}, wide"] = wide.evaluate(WIDER)
        (heading,) = HEADING.findall(page.html)
        if heading in seen_states or (name not in AXE_EVERY_DAY and not machine.whole()):
            continue
        seen_states.add(heading)
        tab.goto(f"{site}{page.screen.address}")
        violations[f"{name}, light"] = barriers(tab, MAY_LOOK_AGAIN if name in LOOK_AGAIN else RULES)
        tab.emulate_media(color_scheme="dark")
        violations[f"{name}, dark"] = barriers(tab, COLOURS)
        tab.emulate_media(color_scheme="light")
    assert {name: hits for name, hits in violations.items() if hits} == {}
