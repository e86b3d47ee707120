"""Who was signed out meanwhile and sends a form, or whose page asks for a part of itself, is told so.

Without this he is led to sign in, what he had written is gone, and after signing in he stands at an address
that only takes what a form sends; a page that exchanges its parts would show the form for signing in as one.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from tournament.web.refusals import REASON_HEADER, signed_out_response

SENTENCE = "You are signed out. Nothing was changed."


class SignedOutMiddleware(MiddlewareMixin):
    """Answers with 403 where a form or a part of a page would be led to sign in."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Exchange such an answer; every other one stays as it is."""
        if not _leads_to_sign_in(request, response):
            return response
        if request.headers.get("HX-Request") == "true":
            headers = {REASON_HEADER: "signed-out"}
            return HttpResponse(
                SENTENCE, content_type="text/plain; charset=utf-8", status=403, headers=headers
            )
        return signed_out_response(request) if request.method == "POST" else response


def _leads_to_sign_in(request: HttpRequest, response: HttpResponse) -> bool:
    if response.status_code != 302 or not response["Location"].startswith(f"{settings.LOGIN_URL}?"):
        return False
    return not request.user.is_authenticated
