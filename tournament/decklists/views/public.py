"""Public page of the field.

Shows the cards of all lists, once these are open to everyone.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tournament.access.permissions import Right
from tournament.decklists.field import FieldOrder, build_field, public_field
from tournament.events.models.event import Event
from tournament.web.console_page import console_page, render_console_page
from tournament.web.public_page import PageContext, public_page


@public_page("field")
def event_field(request: HttpRequest, event: Event, context: PageContext) -> HttpResponse:
    """Show the cards of all lists by share or by result."""
    order = _read_order(request)
    extra = {"field": public_field(event, order), "order": order}
    return render(request, "tournament/decklists/public_field.html", {**context, **extra})


@console_page(Right.LISTS)
@require_GET
def console_field(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the same for staff, before the lists are open."""
    order = _read_order(request)
    extra = {"field": build_field(event, order), "order": order}
    return render_console_page(request, event, "tournament/decklists/field.html", "lists", **extra)


def _read_order(request: HttpRequest) -> FieldOrder:
    return "result" if request.GET.get("by") == "result" else "share"
