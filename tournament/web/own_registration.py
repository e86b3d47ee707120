"""The player whom this browser registered, so that public pages can point at him and lead him back."""

from __future__ import annotations

from django.http import HttpRequest

from tournament.events.models.event import Event
from tournament.events.models.player import Player

KEY = "players"


def remember(request: HttpRequest, player: Player) -> None:
    """Keep who this browser is in the event; the token stays on the server, in the visitor's session."""
    known = request.session.get(KEY, {})
    request.session[KEY] = {**known, str(player.event_id): player.token}


def remembered(request: HttpRequest, event: Event) -> Player | None:
    """Who this browser is in the event, if it knows. No query for visitors without a session."""
    token = request.session.get(KEY, {}).get(str(event.pk))
    found = event.players.select_related("merged_into").filter(token=token).first() if token else None
    return found.merged_into or found if found else None
