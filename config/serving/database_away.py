"""Respond with 503 while the database is unavailable, or the disk is full."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from http import HTTPStatus

import structlog
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.utils.translation import gettext_lazy

from decks.shared.disk import is_disk_full
from tournament.web.refusals import get_return_url

log = structlog.get_logger(__name__)

SECONDS_TO_WAIT = 5
CODE = "database_away"
SENTENCE = gettext_lazy("The database is unavailable at the moment.")
FIX = gettext_lazy("Check in a moment whether your change was saved. If not, send it again.")
DISK_FULL = {
    "code": "disk_full",
    "sentence": gettext_lazy("The server's disk is full. What you sent was not saved."),
    "fix": gettext_lazy("Tell the operator of this server, then send it again later."),
    "field": None,
}
# SQLite raises the same error for a missing table or column, which is a programming error.
PROGRAMMING_ERRORS = ("no such ", "has no column")


def is_connection_error(error: BaseException | None) -> bool:
    """Tell whether the error means that the database is down, starting up or locked."""
    if isinstance(error, InterfaceError):
        return True
    return isinstance(error, OperationalError) and not any(word in str(error) for word in PROGRAMMING_ERRORS)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an unhandled error with 503 or 500.

    The status is 503 while the database is unavailable or the disk full, otherwise 500. Nothing here may
    query the database, not even for the user.
    """
    error = sys.exc_info()[1]
    if is_disk_full(error):
        return disk_full(request, error)
    if not is_connection_error(error):
        return HttpResponse(_page("500.html", request), status=HTTPStatus.INTERNAL_SERVER_ERROR)
    problem = {"code": CODE, "sentence": SENTENCE, "fix": FIX, "field": None}
    return _unavailable(request, problem, "503.html")


def disk_full(request: HttpRequest, error: BaseException | None) -> HttpResponse:
    """Answer that the disk is full, and log it.

    There was no room for what the request brought or caused.
    """
    log.error("The disk is full: nothing can be saved.", path=request.path, error=str(error))
    return _unavailable(request, DISK_FULL, "503_disk_full.html")


def _unavailable(request: HttpRequest, problem: Mapping[str, object], template: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        answer: HttpResponse = JsonResponse({"problems": [problem]})
    else:
        answer = HttpResponse(_page(template, request))
    answer.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    answer["Retry-After"] = str(SECONDS_TO_WAIT)
    return answer


def _page(template: str, request: HttpRequest) -> str:
    return loader.get_template(template).render({"way_back": get_return_url(request)})
