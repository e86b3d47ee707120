"""From tournament.views.player."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers

from decks.shared.refusals import Refused
from tournament.access import retired_links
from tournament.events.models.player import Player
from tournament.events.selectors import players
from tournament.web.refusals import say

View = Callable[..., HttpResponse]


def private(answer: HttpResponse) -> HttpResponse:
    """Keep a private page out of caches, search engines and the address lines of other sites."""
    add_never_cache_headers(answer)
    answer["X-Robots-Tag"] = "noindex, nofollow"
    answer["Referrer-Policy"] = "same-origin"
    return answer


def player_page(view: View) -> View:
    """A page behind a private link; the view gets the player. An unknown link gets a page that helps."""

    @wraps(view)
    def page(request: HttpRequest, token: str, **kwargs: Any) -> HttpResponse:
        player = players.player_of(token)
        if player is None:
            template = "replaced" if retired_links.is_retired(token) else "unknown"
            return private(render(request, f"tournament/web/{template}.html", status=404))
        with timezone.override(player.event.zone):
            return private(view(request, player, **kwargs))

    return page


def show(
    request: HttpRequest, player: Player, template: str, *, status: int = 200, **context: Any
) -> HttpResponse:
    """Render a page of the player with what its frame needs."""
    return render(request, template, {"player": player, "event": player.event, **context}, status=status)


def take(request: HttpRequest, player: Player, act: Callable[[], Any], done: str) -> HttpResponse:
    """Run one step and go back to the player's page, with what was done or why not."""
    try:
        act()
    except Refused as refusal:
        say(request, refusal)
    else:
        messages.success(request, done)
    return redirect("player", player.token)
