"""Steps by which a phone trusts the https address of `bin/start --https`."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.http import require_safe


@require_safe
def show_steps(request: HttpRequest) -> HttpResponse:
    """Show the two steps, and a link to the previous page."""
    _require_https()
    return render(request, "tournament/public/trust.html", {"secure_link": _build_secure_link(request)})


@require_safe
def send_authority(request: HttpRequest) -> HttpResponse:
    """Return the certificate of the authority, as phones take it.

    Its key stays where it is.
    """
    _require_https()
    try:
        content = settings.HTTPS_AUTHORITY.read_bytes()
    except OSError as error:
        raise Http404(gettext("There is no certificate.")) from error
    return HttpResponse(content, content_type="application/x-x509-ca-cert")


def _require_https() -> None:
    if not settings.HTTPS_PORT:
        raise Http404(gettext("There is no certificate."))


def _build_secure_link(request: HttpRequest) -> str:
    """Return the https address on the same host.

    It is that of a page of Ringside, or else of the home page.
    """
    page = request.GET.get("to", "")
    is_ours = page.startswith("/") and url_has_allowed_host_and_scheme(page, allowed_hosts=None)
    host, colon, port = request.get_host().rpartition(":")
    name = host if colon and port.isdigit() else request.get_host()
    return f"https://{name}:{settings.HTTPS_PORT}{page if is_ours else reverse('home')}"
