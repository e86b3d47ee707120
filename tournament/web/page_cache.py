"""Public pages as they were last rendered: after a change the whole hall asks for the same page at once.

A page depends on its address, the event's version and the looks its visitor chose, as long as he brings no
session. It is rendered once for each of these, kept compressed in this process, and not sent again to who has
it already.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from tournament.events.models.event import Event
from tournament.events.selectors.published import public_version
from tournament.shared.single_flight import Shelf
from tournament.web.appearance import CHOICES, chosen_looks

PAGES_KEPT = 256
LONGEST_ADDRESS = 200
Key = tuple[int, int, str, tuple[tuple[str, str], ...]]
# A page that holds a form bears the visitor's own code and is never kept; the others are the same with it.
HARMLESS = {*CHOICES, settings.CSRF_COOKIE_NAME}


shelf: Shelf[Key, bytes] = Shelf(PAGES_KEPT)


@contextmanager
def turn(request: HttpRequest, slug: str) -> Iterator[HttpResponse | None]:
    """One of all who ask for a page that is not kept renders it (None); the others wait, and have it then."""
    found = public_version(slug) if _is_for_everybody(request) else None
    if found is None:
        yield None
        return
    key = _key(request, *found)
    with shelf.turn(key) as has_waited:
        if has_waited:
            # Perhaps it was made of a newer version by now.
            yield from_shelf(request, slug)
        else:
            page = shelf.get(key)
            yield _answer(request, page) if page else None


def from_shelf(request: HttpRequest, slug: str) -> HttpResponse | None:
    """The page as it is kept for the event's present version; None where it has to be rendered."""
    found = public_version(slug) if _is_for_everybody(request) else None
    page = shelf.get(_key(request, *found)) if found else None
    return _answer(request, page) if page else None


def kept(request: HttpRequest, event: Event, render: Callable[[], HttpResponse]) -> HttpResponse:
    """The page rendered, and put on the shelf when it is the same for everybody."""
    answer = render()
    is_own = answer.cookies or "CSRF_COOKIE" in request.META
    if is_own or answer.status_code != 200 or not _is_for_everybody(request):
        return answer
    page = gzip.compress(answer.content, 6, mtime=0)
    shelf.put(_key(request, event.pk, event.version), page)
    return _answer(request, page)


def _key(request: HttpRequest, event: int, version: int) -> Key:
    return event, version, request.get_full_path(), chosen_looks(request)


def _is_for_everybody(request: HttpRequest) -> bool:
    """Nothing that tells who asks, no search, and no transaction whose rows nobody else can see yet."""
    plain = request.method == "GET" and "q" not in request.GET
    plain = plain and len(request.get_full_path()) <= LONGEST_ADDRESS
    plain = plain and request.COOKIES.keys() <= HARMLESS
    return plain and not settings.DEBUG and not connection.in_atomic_block


def _answer(request: HttpRequest, page: bytes) -> HttpResponse:
    tag = f'"{hashlib.blake2b(page, digest_size=12).hexdigest()}"'
    if tag in request.headers.get("If-None-Match", ""):
        answer = HttpResponse(status=304)
    elif "gzip" in request.headers.get("Accept-Encoding", ""):
        answer = HttpResponse(page, headers={"Content-Encoding": "gzip"})
    else:
        answer = HttpResponse(gzip.decompress(page))
    answer["ETag"] = tag
    answer["Cache-Control"] = "no-cache"
    patch_vary_headers(answer, ["Cookie", "Accept-Encoding"])
    return answer
