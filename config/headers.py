"""What every answer tells browsers beside its content."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

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
