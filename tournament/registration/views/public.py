"""From tournament.views.public."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.events.models.event import Event
from tournament.events.selectors import published
from tournament.registration import selectors
from tournament.registration.selectors import in_line
from tournament.web.event_page import Phase, event_page


@event_page("players")
def players(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """Who plays."""
    people = selectors.player_list(event)
    extra = {
        "people": [p for p in people if p.status == p.Status.REGISTERED],
        "waiting": in_line(event),
        "shows_characters": published.characters_are_public(event) and any(p.character for p in people),
        "shows_check_in": event.phase == Phase.CHECK_IN,
    }
    return render(request, "tournament/registration/public_players.html", {**context, **extra})
