"""Open an event's public pages once, so its first visitor finds them rendered."""

from __future__ import annotations

from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, build_opener

import structlog
from django.conf import settings
from django.urls import reverse

from tournament.events.models.event import Event

log = structlog.get_logger(__name__)

PAGES = ("event", "pairings", "standings")
MAX_SECONDS = 5


def open_public_pages(event: Event, base: str) -> None:
    """Ask the web server for the pages that everyone opens.

    A server that does not answer is no error.
    """
    if not event.is_public:
        return
    for name in PAGES:
        try:
            _open(f"{_find_server(base)}{reverse(name, args=[event.slug])}", event.language)
        except (URLError, OSError, ValueError) as problem:
            log.info("page not warmed", page=name, problem=str(problem))
            return


def _find_server(base: str) -> str:
    """Return the address that the operator set, else this computer.

    It is never the host of a request.
    """
    if settings.BASE_URL:
        return str(settings.BASE_URL)
    return f"http://127.0.0.1:{urlsplit(base).port or 80}"


def _open(address: str, language: str) -> None:
    headers = {"Accept-Language": language, "Accept-Encoding": "gzip"}
    # The address is that of this installation.
    request = Request(address, headers=headers)  # noqa: S310
    with build_opener().open(request, timeout=MAX_SECONDS) as answer:
        answer.read()
