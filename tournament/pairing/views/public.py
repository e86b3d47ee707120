"""Public pages of an event's stages: round robins, the final ranking, and why two players met."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.clock.selectors import round_clock
from tournament.events.models.event import Event
from tournament.events.selectors import published
from tournament.pairing.selectors import pairings as pairing_pairings
from tournament.pairing.selectors.meeting import meeting
from tournament.web.event_page import _chosen, event_page


@event_page("pairings")
def match(request: HttpRequest, event: Event, context: dict[str, Any], match_id: int) -> HttpResponse:
    """Why these two met."""
    shown = meeting(event, match_id)
    if shown is None:
        raise Http404("This table is not published.")
    return render(request, "tournament/pairing/public_match.html", {**context, "meeting": shown})


@event_page("pairings")
def pairings(
    request: HttpRequest, event: Event, context: dict[str, Any], number: int | None = None
) -> HttpResponse:
    """Who meets whom at which table in a Swiss round: by table or by name, with a search."""
    swiss = published.swiss_rounds(context["rounds"])
    shown = _chosen(swiss, number)
    every = pairing_pairings.tables(shown) if shown else []
    if shown is not None:
        shown.stage.event = event
    query = request.GET.get("q", "").strip()[:80]
    found = pairing_pairings.search(every, query)
    extra = {
        "swiss": swiss,
        "shown": shown,
        "clock": round_clock(shown) if shown else None,
        "query": query,
        "by": "name" if request.GET.get("by") == "name" else "table",
        "tables": found,
        "seatings": pairing_pairings.by_name(found) if request.GET.get("by") == "name" else [],
        "finished": sum(not table.is_open for table in every),
        "total": len(every),
    }
    return render(request, "tournament/pairing/public_pairings.html", {**context, **extra})
