"""The console page of an event's prizes."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from tournament.forms.prizes import PrizesForm
from tournament.models import Event
from tournament.permissions import Right
from tournament.selectors.report import report
from tournament.services.actor import Actor
from tournament.views.console.access import console_page, show
from tournament.views.under_lock import compared_under_lock


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
@compared_under_lock
def prizes(request: HttpRequest, event: Event) -> HttpResponse:
    """What is given for which place, and, once the event is over, to whom."""
    form = PrizesForm(request.POST or None, event=event)
    if request.method == "POST" and form.is_valid() and form.save(Actor.of_user(request.user)):
        messages.success(request, "The prizes are announced.")
        return redirect("console_prizes", event.slug)
    return show(request, event, "prizes.html", "settings", form=form, report=report(event))
