"""Decorator of public event pages, and a cache of rendered pages."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps
from typing import Any, TypedDict

from django.conf import settings
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from decks.shared.cache import SingleFlightCache
from decks.shared.rows import find_row
from tournament.access import permissions
from tournament.access.permissions import Right
from tournament.events import selectors
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.events.selectors import get_public_version
from tournament.languages.choice import get_asked_language, speak_to_visitor
from tournament.web.display_preferences import PREFERENCE_COOKIES, theme_attributes
from tournament.web.player_page import get_remembered_player

MAX_CACHED_PAGES = 256

MAX_CACHED_URL_LENGTH = 200

PageKey = tuple[int, int, str, str, tuple[tuple[str, str], ...]]

# A page that holds a form has the visitor's own code and is never kept; the others are the same with it.
CACHE_SAFE_COOKIES = {*PREFERENCE_COOKIES, settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME}

page_cache: SingleFlightCache[PageKey, bytes] = SingleFlightCache(MAX_CACHED_PAGES)


@contextmanager
def page_render_lock(request: HttpRequest, slug: str) -> Iterator[HttpResponse | None]:
    """Let one request render an uncached page while all others wait for it.

    Yields None to the request that has to render it.
    """
    public_version = get_public_version(slug) if _is_cacheable(request) else None
    if public_version is None:
        yield None
        return
    key = _page_key(request, *public_version)
    with page_cache.compute_lock(key) as has_waited:
        if has_waited:
            # Perhaps it was made of a newer version by now.
            yield get_cached_page(request, slug)
        else:
            page = page_cache.get(key)
            yield _cached_response(request, page) if page else None


def get_cached_page(request: HttpRequest, slug: str) -> HttpResponse | None:
    """Return the cached page for the event's present version.

    Returns None if it has to be rendered.
    """
    public_version = get_public_version(slug) if _is_cacheable(request) else None
    page = page_cache.get(_page_key(request, *public_version)) if public_version else None
    return _cached_response(request, page) if page else None


def cached_page(request: HttpRequest, event: Event, render: Callable[[], HttpResponse]) -> HttpResponse:
    """Return the rendered page, and cache it if it is the same for everyone."""
    answer = render()
    is_own = answer.cookies or "CSRF_COOKIE" in request.META
    if is_own or answer.status_code != 200 or not _is_cacheable(request):
        return answer
    page = gzip.compress(answer.content, 6, mtime=0)
    page_cache.put(_page_key(request, event.pk, event.version), page)
    return _cached_response(request, page)


def _page_key(request: HttpRequest, event: int, version: int) -> PageKey:
    # If nothing is known of the visitor, the event's language counts, which its version holds.
    language = get_asked_language(request) or ""
    return event, version, request.get_full_path(), language, theme_attributes(request)


def _is_cacheable(request: HttpRequest) -> bool:
    """Return whether a page may be cached.

    Nothing in it tells who asks, there is no search, and the transaction has no rows that no one else can see
    yet.
    """
    is_cacheable = request.method == "GET" and "q" not in request.GET
    is_cacheable = is_cacheable and len(request.get_full_path()) <= MAX_CACHED_URL_LENGTH
    is_cacheable = is_cacheable and request.COOKIES.keys() <= CACHE_SAFE_COOKIES
    return is_cacheable and not settings.DEBUG and not connection.in_atomic_block


def _cached_response(request: HttpRequest, page: bytes) -> HttpResponse:
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        answer = HttpResponse(page, headers={"Content-Encoding": "gzip"})
    else:
        answer = HttpResponse(gzip.decompress(page))
    patch_vary_headers(answer, ["Cookie", "Accept-Encoding", "Accept-Language"])
    return send_if_changed(request, answer, hashlib.blake2b(page, digest_size=12).hexdigest())


def send_if_changed(request: HttpRequest, response: HttpResponse, tag: str) -> HttpResponse:
    """Return the answer with its tag, or 304 while the browser has this version.

    The browser compares the tag each time.
    """
    response["ETag"] = f'"{tag}"'
    response["Cache-Control"] = "no-cache"
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


View = Callable[..., HttpResponse]


class PageContext(TypedDict):
    """The context of all public pages of an event.

    `me` is the player whom this browser registered.
    """

    event: Event
    section: str
    rounds: list[Round]
    me: Player | None


# Made for each visitor: no one waits for another's.
UNCACHED_SECTIONS = frozenset(("me", "register"))


def public_page(section: str) -> Callable[[View], View]:
    """Return a page of one public event.

    The view gets the event and adds to the context that all such pages share.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
            answer = get_cached_page(request, slug)
            if answer is not None:
                return answer
            with (
                nullcontext()
                if section in UNCACHED_SECTIONS
                else page_render_lock(request, slug) as made_by_another
            ):
                return made_by_another or render_event(request, slug, **kwargs)

        def render_event(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
            event = selectors.get_public_event(slug) or _get_preview_event(request, slug)
            if event is None:
                raise Http404(permissions.NO_EVENT)
            with timezone.override(event.zone), speak_to_visitor(request, event.language):
                return cached_page(
                    request,
                    event,
                    lambda: view(request, event, _page_context(request, event, section), **kwargs),
                )

        return (
            require_safe(page)
            if section not in UNCACHED_SECTIONS
            else require_http_methods(["GET", "HEAD", "POST"])(page)
        )

    return decorate


def _page_context(request: HttpRequest, event: Event, section: str) -> PageContext:
    rounds = selectors.get_published_rounds(event)
    return {"event": event, "section": section, "rounds": rounds, "me": get_remembered_player(request, event)}


def _get_preview_event(request: HttpRequest, slug: str) -> Event | None:
    """Return an event in preparation, for its staff alone."""
    if not request.user.is_authenticated:
        return None
    event = find_row(selectors.get_counted_events().filter(slug=slug))
    return event if event and permissions.has_right(request.user, event, Right.SEE) else None


def choose_round(swiss: list[Round], number: int | None) -> Round | None:
    """Return the round with that number, or the latest without a number.

    Raises Http404 for a round that no one may see yet.
    """
    if number is None:
        return swiss[-1] if swiss else None
    round_ = next((each for each in swiss if each.number == number), None)
    if round_ is None:
        raise Http404(gettext("This round is not published."))
    return round_
