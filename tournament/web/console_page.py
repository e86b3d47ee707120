"""What every console page shares: the event, the right to be here, and refusals shown as messages."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone

from decks.shared.refusals import Refused
from tournament.access import rights as permissions
from tournament.access.rights import Right
from tournament.accounts.services import devices
from tournament.events.models.event import Event
from tournament.events.selectors import rounds as console
from tournament.web.refusals import say

View = Callable[..., HttpResponse]


def console_page(right: Right) -> Callable[[View], View]:
    """A page of one event for staff with the given right; the view gets the event in place of the slug."""

    def decorate(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
            event = get_object_or_404(Event, slug=slug)
            permissions.require(request.user, event, right)
            devices.seen(request)
            with timezone.override(event.zone):
                return view(request, event, **kwargs)

        return login_required(page)

    return decorate


def attempt(request: HttpRequest, act: Callable[[], Any], done: str = "") -> bool:
    """Run one step; say what was done, or why it was refused."""
    try:
        act()
    except Refused as refusal:
        say(request, refusal)
        return False
    if done:
        messages.success(request, done)
    return True


def show(request: HttpRequest, event: Event, template: str, section: str, **context: Any) -> HttpResponse:
    """Render a console page with what its navigation needs."""
    rights = permissions.rights_in(request.user, event)
    extra = {
        "event": event,
        "section": section,
        "rights": {right.value for right in rights},
        "latest_round": console.latest_round(event),
    }
    return render(request, template, {**extra, **context})


def back(request: HttpRequest, fallback: str, *args: Any) -> HttpResponse:
    """Return to the page the button was on, or to the fallback."""
    target = request.POST.get("next", "")
    if target.startswith("/") and not target.startswith("//"):
        return redirect(target)
    return redirect(fallback, *args)
