"""Respond with 503 while the database is unavailable."""

from __future__ import annotations

import sys
from http import HTTPStatus

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader

from tournament.web.refusals import get_return_url

SECONDS_TO_WAIT = 5
CODE = "database_away"
SENTENCE = "The database does not answer at the moment."
FIX = "Look in a moment whether what you sent was kept, and send it again if not."
# SQLite raises the same error for a missing table or column, which is a programming error.
PROGRAMMING_ERRORS = ("no such ", "has no column")


def is_connection_error(error: BaseException | None) -> bool:
    """Tell whether the error means that the database is down, starting up or locked."""
    if isinstance(error, InterfaceError):
        return True
    return isinstance(error, OperationalError) and not any(word in str(error) for word in PROGRAMMING_ERRORS)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an unhandled error: 503 while the database is unavailable, otherwise 500.

    Nothing here may query the database, not even for the user.
    """
    if not is_connection_error(sys.exc_info()[1]):
        return HttpResponse(_page("500.html", request), status=HTTPStatus.INTERNAL_SERVER_ERROR)
    if request.path.startswith("/api/"):
        problem = {"code": CODE, "sentence": SENTENCE, "fix": FIX, "field": None}
        answer: HttpResponse = JsonResponse({"problems": [problem]})
    else:
        answer = HttpResponse(_page("503.html", request))
    answer.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    answer["Retry-After"] = str(SECONDS_TO_WAIT)
    return answer


def _page(template: str, request: HttpRequest) -> str:
    return loader.get_template(template).render({"way_back": get_return_url(request)})
