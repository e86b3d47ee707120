"""Limit the processor time that one visitor can ask for.

The limit is for work that grows with what is sent. Pages are not counted: two hundred phones behind one
network address read them as they like. What a deck check or a search takes is counted for the private link,
for the account, or else for the network address.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext

from tournament.shared.text import describe_wait
from tournament.web.refusals import get_typed_text, refusal_page

logger = logging.getLogger(__name__)
# In memory, or in Redis for several processes: a table would be written by each check of a list.
cache = caches["work"]

WINDOW_SECONDS = 300
COUNTED_VISITOR = "ringside.counted_visitor"
POST = frozenset({"POST"})
READ = frozenset({"GET", "HEAD"})
# By the name of the address: the methods that are counted there.
COUNTED: Mapping[str, frozenset[str]] = {
    "deck_check": POST,
    "deck_export": POST,
    "api_deck_check": POST,
    "cards": READ,
    "api_cards": READ,
    "player_list": POST,
    "player_check": POST,
    "player_list_pick": POST,
    "player_list_compare": READ,
    "api_own_list": POST,
    "api_own_list_check": POST,
    "api_own_list_difference": READ,
    "api_outlooks": READ,
}


class WorkLimitMiddleware:
    """Answer with 429 once a visitor has used up the work of a window.

    What each answer took is counted.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Measure the processor time of a counted request."""
        began = time.thread_time()
        response = self.get_response(request)
        visitor = request.META.get(COUNTED_VISITOR, "")
        if visitor:
            record_work(visitor, time.thread_time() - began)
        return response

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Mapping[str, object]
    ) -> HttpResponse | None:
        """Return the refusal, where the visitor has to wait."""
        match = request.resolver_match
        if not settings.WORK_SECONDS or match is None or not is_counted(match.view_name, request.method):
            return None
        visitor = find_visitor(request, kwargs)
        wait = seconds_to_wait(visitor)
        if wait:
            return _refuse(request, wait)
        request.META[COUNTED_VISITOR] = visitor
        return None


def is_counted(name: str, method: str | None) -> bool:
    """Return whether the work of an address is counted."""
    return method in COUNTED.get(name, ())


def _refuse(request: HttpRequest, wait: int) -> HttpResponse:
    answer = refusal_page(
        request,
        HTTPStatus.TOO_MANY_REQUESTS,
        "too_much_work",
        gettext("Too many deck checks and searches came from here."),
        gettext("Nothing was changed. Try again in %(time)s.") % {"time": describe_wait(wait)},
        typed_text=get_typed_text(request),
    )
    answer["Retry-After"] = str(wait)
    return answer


def find_visitor(request: HttpRequest, arguments: Mapping[str, object]) -> str:
    """Return who is counted, as a key that tells nothing.

    The private link, the account or the network address.
    """
    if "token" in arguments:
        visitor = f"link {arguments['token']}"
    elif request.user.is_authenticated:
        visitor = f"account {request.user.pk}"
    else:
        visitor = f"network {find_network(request.META)}"
    return salted_hmac("config.work_limits", visitor, algorithm="sha256").hexdigest()


def find_network(meta: Mapping[str, str]) -> str:
    """Return the address that sent the request, or that the proxy saw.

    For IPv6, it is the network of the building.
    """
    forwarded_for = meta.get("HTTP_X_FORWARDED_FOR", "") if settings.SECURE_PROXY_SSL_HEADER else ""
    text = forwarded_for.split(",")[-1].strip() or meta.get("REMOTE_ADDR", "")
    try:
        address = ip_address(text)
    except ValueError:
        return text
    # One of IPv4 in the notation of IPv6 would be cut to one network for all of them.
    address = getattr(address, "ipv4_mapped", None) or address
    return str(address) if address.version == 4 else str(ip_network((address, 64), strict=False))


def record_work(visitor: str, seconds: float) -> None:
    """Count the seconds of work that an answer took."""
    window, _ = _now()
    name = _name(visitor, window)
    try:
        cache.add(name, 0, timeout=2 * WINDOW_SECONDS)
        cache.incr(name, math.ceil(seconds * 1000))
    except Exception:  # a cache may fail in ways of its own, and must not take pages with it
        logger.warning("The work of a visitor could not be counted.", exc_info=True)


def seconds_to_wait(visitor: str) -> int:
    """Return the seconds until the visitor may ask for more; 0 if it may now.

    The work of the window before counts by the part of it that is within the last five minutes.
    """
    window, into = _now()
    try:
        used_work = cache.get_many([_name(visitor, window), _name(visitor, window - 1)])
    except Exception:  # as above
        logger.warning("The work of a visitor could not be read.", exc_info=True)
        return 0
    present = float(used_work.get(_name(visitor, window), 0)) / 1000
    before = float(used_work.get(_name(visitor, window - 1), 0)) / 1000
    most = float(settings.WORK_SECONDS)
    if present + before * (1 - into / WINDOW_SECONDS) < most:
        return 0
    if present < most:
        return max(0, math.floor(WINDOW_SECONDS * (1 - (most - present) / before) - into)) + 1
    return math.floor(WINDOW_SECONDS - into + WINDOW_SECONDS * (1 - most / present)) + 1


def _now() -> tuple[int, float]:
    window, into = divmod(time.time(), WINDOW_SECONDS)
    return int(window), into


def _name(visitor: str, window: int) -> str:
    return f"work:{window}:{visitor}"
