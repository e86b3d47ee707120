"""The hall screen: full-screen views in turn, for a projector and nobody's hands."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.events.models.event import Event
from tournament.events.selectors import published as public
from tournament.screens.selectors import HALL, VIEWS, known_views
from tournament.screens.selectors import screen as screen_of
from tournament.web.event_page import event_page

FASTEST, USUAL, SLOWEST = 3, 8, 120
THEMES = ("light", "dark")


@event_page("screen")
def choose(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """Which views a screen can show, each with its address."""
    return render(request, "tournament/screens/public_screens.html", {**context, "views": VIEWS.items()})


def or_says_so(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A screen that starts while the public sees no such event says so in large words, and looks again."""

    @wraps(view)
    def page(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, slug, **kwargs)
        except Http404:
            if public.public_event(slug) is not None:
                raise
            return render(request, "tournament/screens/gone.html", {"slug": slug}, status=404)

    return page


@or_says_so
@event_page("screen")
def show(request: HttpRequest, event: Event, context: dict[str, Any], views: str) -> HttpResponse:
    """The views named in the address in turn: “pairings,clock”; “hall” for what staff has chosen."""
    asked = list(event.screen) if views == HALL else known_views(views.lower().split(","))
    if views != HALL and not asked:
        raise Http404(f"A screen shows {', '.join(VIEWS)}, or {HALL}.")
    theme = request.GET.get("theme", "")
    extra = {
        "screen": screen_of(event, asked),
        "seconds": _seconds(request.GET.get("seconds", "")),
        "theme": theme if theme in THEMES else "",
    }
    return render(request, "tournament/screens/screen.html", {**context, **extra})


def _seconds(text: str) -> int:
    """How long a page stands: what the address says, within reason."""
    if not (text.isascii() and text.isdecimal() and len(text) < 4):
        return USUAL
    return min(max(int(text), FASTEST), SLOWEST)
