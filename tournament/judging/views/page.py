"""Parts that every page of judges shares.

They are the right, the frame, and the table and the player of an address.
"""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext

from tournament.access.permissions import Right
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.seats import list_owners
from tournament.judging import selectors
from tournament.web.console_page import allow_camera, console_page, get_request_rights

judge_page = console_page(Right.JUDGE)


def submitted_data(request: HttpRequest) -> QueryDict | None:
    """Return the submitted data of a POST request, also if empty; else None."""
    return request.POST if request.method == "POST" else None


def show(
    request: HttpRequest, event: Event, template: str, *, section: str, status: int = 200, **context: Any
) -> HttpResponse:
    """Render a page of judges with what its frame needs.

    Its field may be filled by the camera.
    """
    rights = {right.value for right in get_request_rights(request, event)}
    shared_context = {"event": event, "section": section, "rights": rights}
    if "waiting_calls" not in context:
        shared_context["waiting_calls"] = selectors.count_waiting_calls(event)
    return allow_camera(render(request, template, {**shared_context, **context}, status=status))


def match_or_404(event: Event, stage: int, number: int, table: int) -> Match:
    """Return a table of a published round. Raises Http404."""
    match = selectors.find_match(event, stage, number, table)
    if match is None:
        raise Http404(gettext("There is no such table."))
    return match


def player_or_404(event: Event, number: int) -> Player:
    """Return a player of the event. Raises Http404."""
    return get_object_or_404(event.players.select_related("event", "deck_list__current"), number=number)


def deck_owner_or_404(event: Event, number: int) -> Player:
    """Return a player whose deck can be checked.

    Where teams play on boards, it is a member. Raises Http404.
    """
    owners = list_owners(event).select_related("event", "team", "deck_list__current")
    return get_object_or_404(owners, number=number)
