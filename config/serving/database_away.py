"""The answer while the database does not answer: it is away for a moment, which is no fault of a page."""

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
# SQLite says with the same error that a table or column is missing, which is a fault of ours.
FAULTS = ("no such ", "has no column")


def is_away(error: BaseException | None) -> bool:
    """Whether the error says that the database is gone, starting up or held by others for too long."""
    if isinstance(error, InterfaceError):
        return True
    return isinstance(error, OperationalError) and not any(word in str(error) for word in FAULTS)


def server_error(request: HttpRequest) -> HttpResponse:
    """The last resort of every address: 503 while the database is away, 500 for what is our mistake.

    Nothing here may ask the database, not even who is signed in.
    """
    if not is_away(sys.exc_info()[1]):
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
