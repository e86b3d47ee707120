"""The page of a player as an app on a phone.

It has a service worker, a page for no network, a manifest and a QR code.
"""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.events.models.player import Player
from tournament.languages.choice import find_language, speak
from tournament.registration.services import contact as links
from tournament.shared.links import make_scaled_qr_png
from tournament.web.player_page import player_page

SERVICE_WORKER_FILE = Path(__file__).parents[1] / "static" / "ringside" / "my_page" / "worker.js"

APP_SCOPE = "/p/"

APP_ICONS = (("icon-192.png", "192x192", "any"), ("icon-512.png", "512x512", "any"))

MASKABLE_ICON = ("icon-maskable-512.png", "512x512", "maskable")

BAR_COLOR = "#12161d"


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker.

    Its address is at the root, so it can serve the private pages below `/p/`.
    """
    answer = HttpResponse(SERVICE_WORKER_FILE.read_bytes(), content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    return answer


@require_safe
def offline_page(request: HttpRequest) -> HttpResponse:
    """Return the page for phones without network.

    The service worker shows it if there is no network and no cached page. It speaks the language that the
    worker names, that of the page which was opened last.
    """
    language = find_language(request.GET.get("language", ""))
    with speak(language) if language else nullcontext():
        answer = render(request, "offline.html")
        answer["Content-Language"] = get_language() or settings.LANGUAGE_CODE
        return answer


@player_page
@require_safe
def app_manifest(request: HttpRequest, player: Player) -> HttpResponse:
    """Return the web app manifest of the player's page. It contains the private link."""
    home = reverse("player", args=[player.token])
    icons = [
        {"src": static(f"ringside/icons/{name}"), "sizes": sizes, "type": "image/png", "purpose": purpose}
        for name, sizes, purpose in (*APP_ICONS, MASKABLE_ICON)
    ]
    app_description = {
        "name": f"{player.event.name}: {player.name}",
        "short_name": player.event.name[:24],
        "id": home,
        "start_url": home,
        "scope": APP_SCOPE,
        "display": "standalone",
        "background_color": BAR_COLOR,
        "theme_color": BAR_COLOR,
        "icons": icons,
    }
    return JsonResponse(app_description, content_type="application/manifest+json")


@player_page
@require_safe
def private_link_qr(request: HttpRequest, player: Player) -> HttpResponse:
    """Return the private link as a QR code with one pixel per module.

    The page scales it up.
    """
    link = links.build_private_link(request, player)
    return HttpResponse(make_scaled_qr_png(link), content_type="image/png")
