"""From tournament.views.console.events."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tournament.access.rights import Right
from tournament.clock.selectors import event_clock
from tournament.desk import selectors as console
from tournament.events.models.event import Event
from tournament.judging.selectors import summary
from tournament.registration.views.register import register_address
from tournament.web.console_page import console_page, show


@login_required
@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The events this person helps to run."""
    return render(request, "tournament/desk/home.html", {"events": console.events_of(request.user)})


@console_page(Right.SEE)
@require_GET
def overview(request: HttpRequest, event: Event) -> HttpResponse:
    """The day on one screen: what to do next, who is missing, which tables still play."""
    registering = event.phase in (Event.Phase.REGISTRATION, Event.Phase.CHECK_IN)
    invite = register_address(request, event) if registering else ""
    return show(request, event, "tournament/desk/overview.html", "overview", invite=invite, **_day(event))


def _day(event: Event) -> dict[str, Any]:
    return {"day": console.day(event), "judging": summary(event), "clock": event_clock(event)}
