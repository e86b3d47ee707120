"""Console pages of the event itself: my events, a new one, its settings, the day at a glance."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

import rules
from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.events.models.event import Event
from tournament.events.selectors.time_zones import last_zone
from tournament.registration.selectors import over_capacity
from tournament.setup import selectors as conditions
from tournament.setup.forms.event import EventForm
from tournament.setup.forms.local_rules import LocalRulesForm
from tournament.setup.services import events
from tournament.web.console_page import attempt, back, console_page, show
from tournament.web.locked_form import compared_under_lock


@login_required
@require_GET
def choose_format(request: HttpRequest) -> HttpResponse:
    """First step of a new event: which game, which format."""
    choices = [(game, [rules.load_format(game.key, key) for key in game.formats]) for game in rules.games()]
    return render(request, "tournament/setup/choose_format.html", {"choices": choices})


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest, game: str, format_key: str) -> HttpResponse:
    """Second step of a new event: everything else, with sensible values filled in."""
    try:
        zone = last_zone(request.user)
        form = EventForm(request.POST or None, game=game, format_key=format_key, zone=zone)
    except rules.UnknownFormat as error:
        raise Http404(str(error)) from error
    if request.method == "POST" and form.is_valid():
        event = form.save(Actor.of_user(request.user))
        if event is not None:
            return redirect("console_event", event.slug)
    return render(request, "tournament/setup/event_form.html", {"form": form, "is_new": True})


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
@compared_under_lock
def settings(request: HttpRequest, event: Event) -> HttpResponse:
    """Change an event's settings."""
    form = EventForm(request.POST or None, event=event)
    if request.method == "POST" and form.is_valid() and form.save(Actor.of_user(request.user)) is not None:
        messages.success(request, "Kept.")
        if (words := over_capacity(Event.objects.get(pk=event.pk))) is not None:
            messages.info(request, words)
        return redirect("console_event", event.slug)
    return show(request, event, "tournament/setup/event_form.html", "settings", form=form, is_new=False)


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
@compared_under_lock
def local_rules(request: HttpRequest, event: Event) -> HttpResponse:
    """What this event changes in its format."""
    form = LocalRulesForm(request.POST or None, event=event)
    if request.method == "POST" and form.is_valid() and form.save(Actor.of_user(request.user)):
        messages.success(request, "These local rules hold now.")
        return redirect("console_rules", event.slug)
    numbers = [form[name] for name in form.fields if name.startswith(("number:", "reading:"))]
    context = {"form": form, "numbers": numbers, "words": conditions.local_rules(event)}
    return show(request, event, "tournament/setup/local_rules.html", "settings", **context)


STEPS = {
    "open-registration": (events.open_registration, "Registration is open."),
    "open-check-in": (events.open_check_in, "Check-in is open."),
    "close-check-in": (events.close_check_in, "Check-in is closed."),
    "finish": (events.finish_event, "The event is finished."),
}


@console_page(Right.MANAGE)
@require_POST
def take_step(request: HttpRequest, event: Event, step: str) -> HttpResponse:
    """Open or close registration and check-in, or finish the event."""
    if step not in STEPS:
        raise Http404
    act, done = STEPS[step]
    attempt(request, lambda: act(event, Actor.of_user(request.user)), done)
    return back(request, "console_event", event.slug)


@console_page(Right.PAIR)
@require_POST
def start(request: HttpRequest, event: Event) -> HttpResponse:
    """Start the event; with the box ticked, who is not checked in is left out."""
    drop_missing = bool(request.POST.get("drop_missing"))
    actor = Actor.of_user(request.user)
    attempt(
        request, lambda: events.start_event(event, actor, drop_missing=drop_missing), "The event has started."
    )
    return back(request, "console_event", event.slug)
