"""Tell a signed-out user that the form was not sent, instead of redirecting.

A redirect would lose the input. A redirect to the sign-in page would lose what the user wrote and lead back
to an address that only accepts form submissions. A page that replaces its parts would show the sign-in form
as one of them.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext_lazy

from tournament.web.refusals import REASON_HEADER, signed_out_response

SENTENCE = gettext_lazy("You are signed out. Nothing was changed.")


class SignedOutMiddleware(MiddlewareMixin):
    """Answer with 403 instead of a redirect to sign in.

    This is for a form or a part of a page.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Replace such a redirect; pass every other response on."""
        if not _redirects_to_sign_in(request, response):
            return response
        if request.headers.get("HX-Request") == "true":
            headers = {REASON_HEADER: "signed-out"}
            return HttpResponse(
                SENTENCE, content_type="text/plain; charset=utf-8", status=403, headers=headers
            )
        return signed_out_response(request) if request.method == "POST" else response


def _redirects_to_sign_in(request: HttpRequest, response: HttpResponse) -> bool:
    if response.status_code != 302 or not response["Location"].startswith(f"{settings.LOGIN_URL}?"):
        return False
    return not request.user.is_authenticated
