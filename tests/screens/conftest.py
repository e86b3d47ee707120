"""All pages of the venue, fetched once; the browser then gets them from memory."""

from __future__ import annotations

import mimetypes
import pickle
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import pytest
from django.contrib.staticfiles import finders
from django.db import transaction
from django.test import override_settings

from tests import machine
from tests.fixtures.browser import Console
from tests.scenarios.rollback import rolled_back
from tests.screens.addresses import PageAddress
from tests.screens.hall import build_hall, owner_of_demo
from tests.screens.sheets import list_names, render_sheets
from tests.screens.walk import is_read_in_english, open_again, walk
from tests.translations.pseudo import pseudo_language
from tournament import demo
from tournament.events.models.event import Event


@dataclass(frozen=True)
class Page:
    """A screen and what the server answered."""

    screen: PageAddress
    headers: dict[str, str]
    html: str


@dataclass(frozen=True)
class Venue:
    """All that is read of the venue in the pseudo-locale, and pages in English.

    This is its pages, its sheets by name, and what people and data wrote in it.
    """

    pages: list[Page]
    sheets: dict[str, str]
    names: frozenset[str]
    english_pages: list[Page]


@pytest.fixture(scope="session")
def pseudo_hall(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: Any) -> Venue:
    """Return the venue in the pseudo-locale: every page in every moment of an event.

    The database is empty again when this returns. The processes of a run share what the first of them
    fetches: building a venue takes longer than everything else.
    """
    with django_db_blocker.unblock():
        return _share(lambda: _fetch(tmp_path_factory.mktemp("hall")))


@pytest.fixture(scope="session")
def pages(pseudo_hall: Venue) -> list[Page]:
    """Pages in English: those without an account and some others.

    In the whole run, these are all pages in every moment of an event.
    """
    return pseudo_hall.english_pages


def _share(fetch: Callable[[], Venue]) -> Venue:
    file = machine.folder() / "hall.pickle"
    with machine.one_at_a_time("hall"):
        if not file.exists():
            file.write_bytes(pickle.dumps(fetch()))
        hall: Venue = pickle.loads(file.read_bytes())
    return hall


def _fetch(folder: Path) -> Venue:
    """Read the venue in both languages.

    What its pages write when they are read is undone.
    """
    with pytest.MonkeyPatch.context() as patch, transaction.atomic():
        patch.setattr(demo, "LOGINS", folder / "logins.json")
        moments = build_hall()
        with _speak_pseudo(folder, patch) as language, rolled_back():
            events = _translate(moments, language)
            pages = _list_pages(walk(events, owner_of_demo()))
            sheets, names = dict(render_sheets(events)), frozenset(list_names())
        _translate(moments, "en")
        screens = [page.screen for page in pages if machine.whole() or is_read_in_english(page.screen)]
        english_pages = _list_pages(open_again(screens, owner_of_demo()))
        transaction.set_rollback(True)
    return Venue(pages, sheets, names, english_pages)


@contextmanager
def _speak_pseudo(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[str]:
    with pseudo_language(folder, patch) as language, override_settings(LANGUAGE_CODE=language):
        yield language


def _translate(moments: dict[str, Event], language: str) -> dict[str, Event]:
    Event.objects.update(language=language)
    return {moment: Event.objects.get(pk=event.pk) for moment, event in moments.items()}


def _list_pages(answers: Iterable[tuple[PageAddress, Any]]) -> list[Page]:
    return [Page(screen, dict(answer.headers), answer.content.decode()) for screen, answer in answers]


class Answers(BaseHTTPRequestHandler):
    """Serves the current page and the files that it names, and nothing else."""

    protocol_version = "HTTP/1.1"
    now: ClassVar[Page]

    def do_GET(self) -> None:
        """Answer a browser."""
        path = urlsplit(self.path).path
        if path.startswith("/static/"):
            file = Path(finders.find(path.removeprefix("/static/")))
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            self._send(200, file.read_bytes(), {"Content-Type": kind, "Cache-Control": "max-age=3600"})
        elif self.headers["Sec-Fetch-Mode"] == "navigate":
            self._send(200, self.now.html.encode(), self.now.headers)
        else:
            self._send(204, b"", {})

    def do_POST(self) -> None:
        """Answer a polling script of a page: nothing new."""
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        self._send(204, b"", {})

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Print no log line."""


class Site(ThreadingHTTPServer):
    """The server of the walk."""

    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Ignore requests that a tab drops when it moves to the next page."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address under which the pages are given."""
    server = Site(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def open_pages(
    browser: Any, pages: list[Page], site: str
) -> Iterator[Callable[..., Iterator[tuple[Page, Any]]]]:
    """Yield a function that opens every page in turn, in one tab.

    Example: `for page, tab in open_pages(LAPTOP, bypass_csp=True)`. `before` are scripts that run before
    those of each page; `console` collects the complaints of the pages; `measured_pages` are other pages than
    those in English.
    """
    contexts = []

    def each(
        device: dict[str, Any],
        where: Callable[[Page], bool] = lambda page: True,
        *,
        before: Sequence[str] = (),
        console: Console | None = None,
        measured_pages: Sequence[Page] = (),
        **options: Any,
    ) -> Iterator[tuple[Page, Any]]:
        context = browser.new_context(reduced_motion="reduce", service_workers="block", **device, **options)
        contexts.append(context)
        tab = context.new_page()
        for script in before:
            tab.add_init_script(script)
        if console is not None:
            console.watch(tab)
        for page in filter(where, measured_pages or pages):
            Answers.now = page
            tab.goto(f"{site}{page.screen.address}")
            yield page, tab

    yield each
    for context in contexts:
        context.close()
