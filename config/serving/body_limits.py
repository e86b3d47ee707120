"""Size limits of request bodies, by address.

Senders without the right to a large body are refused before it is read. `config.serving.request_bodies` asks
before it takes a body from the network. Behind a WSGI server, which reads nothing by itself, the middleware
asks before a form or a parser reads.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib.auth import get_user
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import PermissionDenied
from django.core.handlers.wsgi import WSGIRequest
from django.db import DatabaseError, InterfaceError, close_old_connections
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import Resolver404, resolve
from django.utils.datastructures import MultiValueDict
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext

from decks.access import is_list_editor
from tournament.access.permissions import Right, require_right
from tournament.archive.document import MEGABYTES
from tournament.events.models.event import Event
from tournament.events.selectors import get_player_by_token
from tournament.web.refusals import refusal_page, signed_out_response

KILOBYTE = 1024
MEGABYTE = 1024 * KILOBYTE
# Room for the parts of a form or JSON besides the file or the text.
MARGIN = 64 * KILOBYTE
# A proxy that refuses a body by itself sends the request on without it, and with this header.
REFUSED_HEADER = "X-Body-Refused"
DISCARD_BYTES = 64 * MEGABYTE
DISCARD_SECONDS = 30

Arguments = Mapping[str, object]
Requirement = Callable[[Any, Arguments], None]


class SignInRequired(PermissionDenied):
    """No one is signed in."""


def allow_anyone(user: Any, arguments: Arguments) -> None:
    """Allow everyone to send."""


def require_sign_in(user: Any, arguments: Arguments) -> None:
    """Raise SignInRequired for the public."""
    if not user.is_authenticated:
        raise SignInRequired(gettext("Sign in first."))


def require_catalogue_editor(user: Any, arguments: Arguments) -> None:
    """Raise PermissionDenied for everyone but catalogue editors."""
    require_sign_in(user, arguments)
    if not user.has_perm("decks.import_catalogue"):
        raise PermissionDenied(gettext("Only catalogue editors may send files here."))


def require_list_editor(user: Any, arguments: Arguments) -> None:
    """Raise PermissionDenied for everyone but ban list editors."""
    require_sign_in(user, arguments)
    if not is_list_editor(user):
        raise PermissionDenied(gettext("Only ban list editors may send documents here."))


def require_link(user: Any, arguments: Arguments) -> None:
    """Raise Http404 unless the address holds a player's private link."""
    if get_player_by_token(str(arguments["token"])) is None:
        raise Http404(gettext("No player has this private link."))


def require_event_right(right: Right) -> Requirement:
    """Make the requirement that the person has a right in the event of the address."""

    def require(user: Any, arguments: Arguments) -> None:
        require_sign_in(user, arguments)
        require_right(user, get_object_or_404(Event, slug=arguments["slug"]), right)

    return require


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """The bytes that an address takes, and who may send more than a form."""

    size: int
    require: Requirement = allow_anyone

    @property
    def most(self) -> int:
        """The largest body that is read: the size and what surrounds it."""
        return self.size + MARGIN

    @property
    def words(self) -> str:
        """The size for people."""
        if self.size < MEGABYTE:
            return f"{self.size // KILOBYTE} KB"
        return f"{self.size // MEGABYTE} MB"


FORM = BodyLimit(256 * KILOBYTE)
# A deck file or a table has at most 1 MB; a form writes a letter as up to nine bytes.
TEXT_SIZE = 4 * MEGABYTE
PUBLIC_TEXT = BodyLimit(TEXT_SIZE)
PLAYERS_TEXT = BodyLimit(TEXT_SIZE, require_link)
STAFF_LIST = BodyLimit(TEXT_SIZE, require_event_right(Right.LISTS))
PLAYER_TABLE = BodyLimit(TEXT_SIZE, require_event_right(Right.PLAYERS))
DOCUMENT = BodyLimit(TEXT_SIZE, require_list_editor)
CATALOGUE = BodyLimit(32 * MEGABYTE, require_catalogue_editor)
ARCHIVE = BodyLimit(MEGABYTES * MEGABYTE, require_sign_in)

# By the name of the address. Every other address takes a form.
BODY_LIMITS: Mapping[str, BodyLimit] = {
    "deck_check": PUBLIC_TEXT,
    "deck_export": PUBLIC_TEXT,
    "api_deck_check": PUBLIC_TEXT,
    "player_list": PLAYERS_TEXT,
    "player_check": PLAYERS_TEXT,
    "player_list_pick": PLAYERS_TEXT,
    "api_own_list": PLAYERS_TEXT,
    "api_own_list_check": PLAYERS_TEXT,
    "console_list": STAFF_LIST,
    "console_exchange": STAFF_LIST,
    "api_player_list": STAFF_LIST,
    "api_player_exchanges": STAFF_LIST,
    "console_players_import": PLAYER_TABLE,
    "api_player_table": PLAYER_TABLE,
    "list_document": DOCUMENT,
    "api_lists_check": DOCUMENT,
    "catalogue": CATALOGUE,
    "api_catalogue_imports": CATALOGUE,
    "console_import": ARCHIVE,
    "api_archives": ARCHIVE,
}


def find_limit(path: str) -> tuple[BodyLimit, Arguments]:
    """Return the limit of an address, and the values that the address holds."""
    try:
        match = resolve(path)
    except Resolver404:
        return FORM, {}
    return BODY_LIMITS.get(match.view_name, FORM), match.kwargs


def find_allowed_size(request: HttpRequest) -> int:
    """Return the bytes that this person may send to this address.

    Asks the database who it is; reads no body.
    """
    limit, arguments = find_limit(request.path_info)
    if limit.require is allow_anyone:
        return limit.most
    close_old_connections()
    try:
        SessionMiddleware(lambda _: HttpResponse()).process_request(request)
        limit.require(get_user(request), arguments)
    except (PermissionDenied, Http404, DatabaseError, InterfaceError):
        return FORM.most
    finally:
        close_old_connections()
    return limit.most


class BodyLimitMiddleware(MiddlewareMixin):
    """Refuse a body that is too large, or that this person may not send.

    It is refused before anything reads it.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Return the refusal; None if the body may be read."""
        is_refused = REFUSED_HEADER in request.headers
        length = _announced_length(request)
        if length <= FORM.most and not is_refused:
            return None
        limit, arguments = find_limit(request.path_info)
        if is_refused or length > limit.most:
            _forget_body(request, length)
            return too_large_response(request, limit)
        try:
            limit.require(request.user, arguments)
        except (PermissionDenied, Http404) as error:
            _forget_body(request, length)
            return _not_allowed_response(request, error)
        return None


def too_large_response(request: HttpRequest, limit: BodyLimit) -> HttpResponse:
    """Say that the body is larger than the address takes."""
    return refusal_page(
        request,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "body_too_large",
        gettext("This is too large: at most %(size)s can be sent here.") % {"size": limit.words},
        gettext("Nothing was changed. Send a smaller file or text."),
    )


def _not_allowed_response(request: HttpRequest, error: Exception) -> HttpResponse:
    """Answer as the address itself would; a page does so by the error."""
    if not request.path_info.startswith("/api/"):
        if isinstance(error, SignInRequired):
            return signed_out_response(request)
        raise error
    if isinstance(error, Http404):
        return refusal_page(
            request, HTTPStatus.NOT_FOUND, "not_found", gettext("There is nothing at this address.")
        )
    code = "not_authenticated" if isinstance(error, SignInRequired) else "permission_denied"
    return refusal_page(request, HTTPStatus.FORBIDDEN, code, str(error))


def _announced_length(request: HttpRequest) -> int:
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


def _forget_body(request: HttpRequest, length: int) -> None:
    """Let nothing read the body any more.

    A WSGI server closes the connection after the answer. What is still unread then would make the answer
    itself be lost, so some of it is read and discarded.
    """
    if isinstance(request, WSGIRequest):
        until, bytes_left = time.monotonic() + DISCARD_SECONDS, min(length, DISCARD_BYTES)
        while bytes_left > 0 and time.monotonic() < until and (data := request.read(MARGIN)):
            bytes_left -= len(data)
    vars(request).update(_read_started=True, _post=QueryDict(), _files=MultiValueDict())
