"""From tournament.views.console.clock."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from tournament.access import rights as permissions
from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.clock.views import _asked
from tournament.events.models.event import Event
from tournament.screens.forms import ScreenForm
from tournament.web.console_page import console_page, show
from tournament.web.locked_form import compared_under_lock


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
@compared_under_lock
def screen(request: HttpRequest, event: Event) -> HttpResponse:
    """What the hall screen shows, and its addresses."""
    form = ScreenForm(request.POST or None, event=event)
    if request.method == "POST":
        permissions.require(request.user, event, Right.PAIR)
        if form.is_valid() and form.save(Actor.of_user(request.user)):
            messages.success(request, "The hall screen follows at once.")
            return redirect("console_screen", event.slug)
    return _asked(form, show(request, event, "tournament/screens/console_screen.html", "screen", form=form))
