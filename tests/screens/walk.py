"""A walk over all screens.

It requests every address as the right user, and keeps the pages.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from tests.screens.addresses import PageAddress, screens
from tournament.events.models.event import Event

# These change with the event; every other page is looked at in one moment, the busiest in which it exists.
IN_EVERY_MOMENT = frozenset(
    {
        "console_event",
        "console_round",
        "console_players",
        "console_lists",
        "console_cut",
        "console_standings",
        "console_stages",
        "event",
        "pairings",
        "standings",
        "cut",
        "bracket",
        "register",
        "player",
        "player_list",
    }
)
# They are empty before the end.
OF_THE_END = frozenset({"report", "ranking"})
BUSIEST_FIRST = ("playing", "cut", "check-in", "draft", "registration", "finished", "preparing")
ENGLISH_OF_STAFF = frozenset(
    {"console_clock_settings", "console_list", "console_round", "console_settings", "league_print"}
    | {"print_page", "styleguide"}
)
REFUSED = (
    PageAddress("refused", "not_found", "public", "/nothing/here/"),
    PageAddress("refused", "signed_out", "public", "/console/"),
    PageAddress("refused", "no_such_player", "player", "/p/nobody/"),
    PageAddress("refused", "forbidden", "stranger", "/catalogue/"),
)


def walk(moments: Mapping[str, Event], staff: User) -> list[tuple[PageAddress, Any]]:
    """Return every page with its answer.

    These are all HTML pages that are neither redirected nor refused, and some that are.
    """
    clients = _make_clients(staff)
    ordered_entrants = {moment: moments[moment] for moment in BUSIEST_FIRST if moment in moments}
    found_screens, seen_pages = [], set()
    with _silence():
        for screen in (*screens(ordered_entrants), *REFUSED):
            if screen.page in seen_pages or (screen.page in OF_THE_END and screen.moment != "finished"):
                continue
            answer = _open(clients, screen)
            if _is_page(answer) and (answer.status_code == 200 or screen in REFUSED):
                found_screens.append((screen, answer))
            elif answer.status_code not in (200, 405):
                continue  # does not exist in this moment
            seen_pages |= {screen.page} - IN_EVERY_MOMENT
    return found_screens


def open_again(found_screens: Iterable[PageAddress], staff: User) -> Iterator[tuple[PageAddress, Any]]:
    """Yield pages that a walk found, with their answers, in another language perhaps."""
    clients = _make_clients(staff)
    with _silence():
        for screen in found_screens:
            yield screen, _open(clients, screen)


def is_read_in_english(screen: PageAddress) -> bool:
    """Return whether a page is read in English every day.

    It is in the busiest moment in which it exists. Of pages for staff, only those are that cite clauses or
    are looked at in a browser.
    """
    is_busiest = screen.page not in IN_EVERY_MOMENT or screen.moment == BUSIEST_FIRST[0]
    return is_busiest and (screen.who in ("public", "player") or screen.page in ENGLISH_OF_STAFF)


def _make_clients(staff: User) -> dict[str, Client]:
    clients = {who: Client(HTTP_HOST="localhost") for who in ("public", "player", "staff", "stranger")}
    clients["staff"].force_login(staff)
    clients["stranger"].force_login(stranger())
    return clients


def _open(clients: Mapping[str, Client], screen: PageAddress) -> Any:
    return clients[screen.who].get(screen.address, follow=screen in REFUSED)


def stranger() -> User:
    """Return a user without any rights."""
    return User.objects.get_or_create(
        username="nobody@example.org", defaults={"email": "nobody@example.org"}
    )[0]


def _is_page(answer: Any) -> bool:
    """Recognize a whole page; parts of one are requested by scripts alone."""
    return answer.get("Content-Type", "").startswith("text/html") and b"<html" in answer.content


@contextmanager
def _silence() -> Iterator[None]:
    """Do not log pages that do not exist in a moment."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)
