"""All pages of the hall, fetched once; a browser then gets them from here, without a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.staticfiles import finders
from django.db import transaction

from tests.screens.addresses import Screen
from tests.screens.hall import build_hall, owner_of_demo
from tests.screens.walk import walk
from tournament.services import demo

SITE = "http://ringside.test"


@dataclass(frozen=True)
class Page:
    """A screen and what the server answered."""

    screen: Screen
    headers: dict[str, str]
    html: str


@pytest.fixture(scope="session")
def pages(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: Any) -> list[Page]:
    """Every page of the hall; the hall itself is gone when this returns."""
    logins = tmp_path_factory.mktemp("hall") / "logins.json"
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic():
        patch.setattr(demo, "LOGINS", logins)
        walked = walk(build_hall(), owner_of_demo())
        found = [Page(screen, dict(answer.headers), answer.content.decode()) for screen, answer in walked]
        transaction.set_rollback(True)
    return found


@pytest.fixture
def open_pages(browser: Any, pages: list[Page]) -> Iterator[Callable[..., Iterator[tuple[Page, Any]]]]:
    """Opens every page in turn, in one tab: `for page, tab in open_pages(LAPTOP, bypass_csp=True)`."""
    contexts = []

    def each(
        device: dict[str, Any], where: Callable[[Page], bool] = lambda page: True, **options: Any
    ) -> Iterator[tuple[Page, Any]]:
        context = browser.new_context(reduced_motion="reduce", **device, **options)
        contexts.append(context)
        shown: dict[str, Page] = {}
        context.route("**/*", lambda route: _answer(route, shown))
        tab = context.new_page()
        for page in filter(where, pages):
            shown["now"] = page
            tab.goto(f"{SITE}{page.screen.address}")
            yield page, tab

    yield each
    for context in contexts:
        context.close()


def _answer(route: Any, shown: dict[str, Page]) -> None:
    page, path = shown["now"], urlsplit(route.request.url).path
    if path.startswith("/static/"):
        route.fulfill(path=finders.find(path.removeprefix("/static/")))
    elif route.request.is_navigation_request():
        route.fulfill(body=page.html, headers=page.headers)
    else:
        route.fulfill(status=204)
