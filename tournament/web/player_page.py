"""Decorator and helpers for pages behind a private link, and the known player."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers

from decks.shared.refusals import Refused
from decks.shared.rows import find_row
from tournament.access import models
from tournament.access.permissions import Actor
from tournament.events import selectors
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.languages.choice import speak_to_visitor
from tournament.web.refusals import show_refusal

View = Callable[..., HttpResponse]
FindPlayer = Callable[[str], Player | None]


def mark_private(response: HttpResponse) -> HttpResponse:
    """Keep a private page out of caches and search engines."""
    add_never_cache_headers(response)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def player_page(view: View, find_player: FindPlayer = selectors.get_player_by_token) -> View:
    """Return a page behind a private link; the view gets the player.

    An unknown link gets a page that helps. The link of a member leads to the page of the team, at the seat of
    the member.
    """

    def page(request: HttpRequest, player: Player, **kwargs: Any) -> HttpResponse:
        if player.team is not None:
            return redirect(f"{reverse('player', args=[player.team.token])}?seat={player.seat_letter}")
        return view(request, player, **kwargs)

    return list_page(wraps(view)(page), find_player)


def list_page(view: View, find_player: FindPlayer = selectors.get_player_by_token) -> View:
    """Return a page behind a private link that team members have, too.

    The view gets the player whose link it is.
    """

    @wraps(view)
    def page(request: HttpRequest, token: str, **kwargs: Any) -> HttpResponse:
        player = find_player(token)
        if player is None:
            retired_link = models.find_retired_link(token)
            template = "replaced" if retired_link else "unknown"
            context = {"event": retired_link.event} if retired_link else {}
            return mark_private(render(request, f"tournament/web/{template}.html", context, status=404))
        with timezone.override(player.event.zone), speak_to_visitor(request, player.event.language):
            return mark_private(view(request, player, **kwargs))

    return page


def render_player_page(
    request: HttpRequest, player: Player, template: str, *, status: int = 200, **context: Any
) -> HttpResponse:
    """Render a page of the player with what its frame needs."""
    return render(request, template, {"player": player, "event": player.event, **context}, status=status)


def attempt_player_step(
    request: HttpRequest, player: Player, run: Callable[[], Any], success_message: str
) -> HttpResponse:
    """Run one step and go back to the player's page, with what was done or why not."""
    try:
        run()
    except Refused as refusal:
        show_refusal(request, refusal)
    else:
        messages.success(request, success_message)
    return redirect("player", player.token)


def get_actor(request: HttpRequest, player: Player) -> Actor:
    """Return who acts on a page of the player; staff are logged as staff."""
    return Actor.of_private_link(request.user, player)


SESSION_KEY = "players"


def remember_player(request: HttpRequest, player: Player) -> None:
    """Remember who uses this browser in the event.

    The token stays on the server, in the visitor's session.
    """
    remembered_tokens = request.session.get(SESSION_KEY, {})
    request.session[SESSION_KEY] = {**remembered_tokens, str(player.event_id): player.token}


def get_remembered_player(request: HttpRequest, event: Event) -> Player | None:
    """Return who this browser is in the event, if it knows.

    No query for visitors without a session.
    """
    token = request.session.get(SESSION_KEY, {}).get(str(event.pk))
    player = find_row(event.players.select_related("merged_into").filter(token=token)) if token else None
    return player.merged_into or player if player else None
