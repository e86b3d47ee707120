"""Answer requests that Django itself refuses.

The answer is a page, or a problem for programs.
"""

from __future__ import annotations

from http import HTTPStatus

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.utils.translation import gettext

from config.serving.body_limits import find_limit, too_large_response
from tournament.web.refusals import refusal_page


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say what was wrong with the request.

    Nothing here may read it: reading it is what failed.
    """
    if isinstance(exception, RequestDataTooBig):
        limit, _ = find_limit(request.path_info)
        return too_large_response(request, limit)
    if isinstance(exception, TooManyFieldsSent | TooManyFilesSent):
        return refusal_page(
            request,
            HTTPStatus.BAD_REQUEST,
            "too_many_fields",
            gettext("This form has too many fields."),
            gettext("Nothing was changed. Send at most 1,000 fields and 100 files at once."),
        )
    if request.path_info.startswith("/api/"):
        sentence = gettext("This request was not understood.")
        problem = {
            "code": "bad_request",
            "sentence": sentence,
            "fix": gettext("See /api/schema/."),
            "field": None,
        }
        return JsonResponse({"problems": [problem]}, status=HTTPStatus.BAD_REQUEST)
    return HttpResponse(loader.get_template("400.html").render(), status=HTTPStatus.BAD_REQUEST)
