"""Headers that every answer has, and the pages for answers without content."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.utils.deprecation import MiddlewareMixin

from config.env.private_addresses import is_private

HEADER = "Permissions-Policy"
# Only the page that reads players' codes asks for the camera, by a header of its own.
NOTHING = ", ".join(
    f"{name}=()" for name in ("camera", "microphone", "geolocation", "payment", "usb", "display-capture")
)


class PermissionsPolicyMiddleware(MiddlewareMixin):
    """No page may use what no page needs, nor may what is shown within it."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Add the policy where the page has none of its own."""
        response.setdefault(HEADER, NOTHING)
        return response


class PrivateAddressMiddleware(MiddlewareMixin):
    """Keep browsers from naming a page whose address is a key.

    They name the page that they come from to every other address. The site's own name stays, which Django
    asks for where a form is sent.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Let only the site be named on pages behind a private address."""
        if is_private(request.get_full_path()):
            response["Referrer-Policy"] = "strict-origin"
        return response


class WrongMethodMiddleware(MiddlewareMixin):
    """Answer with a page if a browser opens the address of a form.

    The page replaces Django's empty answer.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Fill an empty 405; API addresses report the error as JSON."""
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and not response.content:
            response.content = loader.render_to_string("405.html", request=request)
        return response
