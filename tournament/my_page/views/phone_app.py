"""What makes a player's page an app on his phone: the manifest, the worker, and the page for no network."""

from __future__ import annotations

from pathlib import Path

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournament.events.models.player import Player
from tournament.web.player_page import player_page

WORKER = Path(__file__).parents[2] / "static" / "ringside" / "js" / "worker.js"
SCOPE = "/p/"
ICONS = (("icon-192.png", "192x192", "any"), ("icon-512.png", "512x512", "any"))
MASKABLE = ("icon-maskable-512.png", "512x512", "maskable")
BAR = "#12161d"


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker. It lies at the root, so that it may serve the private pages below `/p/`."""
    answer = HttpResponse(WORKER.read_bytes(), content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    return answer


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """What the worker shows where there is neither a network nor a kept page."""
    return render(request, "offline.html")


@player_page
@require_safe
def manifest(request: HttpRequest, player: Player) -> HttpResponse:
    """How the page is put on the home screen. It holds the private link, and is as private as the page."""
    home = reverse("player", args=[player.token])
    icons = [
        {"src": static(f"ringside/icons/{name}"), "sizes": sizes, "type": "image/png", "purpose": purpose}
        for name, sizes, purpose in (*ICONS, MASKABLE)
    ]
    described = {
        "name": f"{player.event.name}: {player.name}",
        "short_name": player.event.name[:24],
        "id": home,
        "start_url": home,
        "scope": SCOPE,
        "display": "standalone",
        "background_color": BAR,
        "theme_color": BAR,
        "icons": icons,
    }
    return JsonResponse(described, content_type="application/manifest+json")
