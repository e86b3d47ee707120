"""From tournament.services.links."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def public_base(request: HttpRequest) -> str:
    """The address of this installation as https://host: the one that is set, else that of the request."""
    return settings.BASE_URL or f"{request.scheme}://{request.get_host()}"


def sends_mail() -> bool:
    """Whether mails leave this machine."""
    return settings.EMAIL_BACKEND.rsplit(".", 2)[-2] in ("smtp", "locmem")
