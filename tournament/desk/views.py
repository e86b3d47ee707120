"""First pages of the console.

They are the events of a user, and the overview of one event.
"""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tournament.access.permissions import Right, get_signed_in_user
from tournament.clock.selectors import get_event_clock
from tournament.desk import selectors as console
from tournament.desk.my_events import list_my_events
from tournament.events.models.event import Event
from tournament.judging.selectors import judging_summary
from tournament.log.wording import show_entries
from tournament.registration.services.contact import build_registration_url
from tournament.web.console_page import console_page, get_request_rights, render_console_page


@login_required
@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Show the events that the user helps to run."""
    return render(
        request,
        "tournament/desk/home.html",
        {"events": list_my_events(get_signed_in_user(request.user))},
    )


@console_page(Right.SEE)
@require_GET
def overview(request: HttpRequest, event: Event) -> HttpResponse:
    """Show an event at a glance: next step, missing players, open tables."""
    registering = event.phase in (Event.Phase.REGISTRATION, Event.Phase.CHECK_IN)
    invite = build_registration_url(request, event) if registering else ""
    day = console.get_overview(event)
    recheck = [day.latest_recheck] if day.latest_recheck else []
    show_entries([*day.log, *recheck], get_request_rights(request, event))
    return render_console_page(
        request,
        event,
        "tournament/desk/overview.html",
        "overview",
        invite=invite,
        day=day,
        judging=judging_summary(event),
        clock=get_event_clock(event),
    )
