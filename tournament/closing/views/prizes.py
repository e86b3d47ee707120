"""The console page of an event's prizes."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.closing.forms import PrizesForm
from tournament.closing.selectors.report import report
from tournament.events.models.event import Event
from tournament.web.console_page import console_page, show
from tournament.web.locked_form import compared_under_lock


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
@compared_under_lock
def prizes(request: HttpRequest, event: Event) -> HttpResponse:
    """What is given for which place, and, once the event is over, to whom."""
    form = PrizesForm(request.POST or None, event=event)
    if request.method == "POST" and form.is_valid() and form.save(Actor.of_user(request.user)):
        messages.success(request, "The prizes are announced.")
        return redirect("console_prizes", event.slug)
    return show(request, event, "tournament/closing/prizes.html", "settings", form=form, report=report(event))
