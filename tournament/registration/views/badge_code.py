"""The address in the code on a player's page and badge: one for all, and each is led where he belongs.

It names the event and the number and holds no secret: a neighbour's code opens nothing.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournament.access import rights as permissions
from tournament.access.rights import Right
from tournament.events.models.event import Event
from tournament.events.selectors.published import public_event
from tournament.shared.addresses import public_base
from tournament.shared.qr import code_png
from tournament.web.own_registration import remembered


def badge_address(event: Event, number: int) -> str:
    """The path that a player's code leads to; it reads capitals, which make small codes."""
    return reverse("badge", args=[event.slug.upper(), number])


@require_safe
def badge(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Staff to check-in or the console, the player to his own page, all others to the list."""
    event = get_object_or_404(Event, slug=slug.lower())
    rights = permissions.rights_in(request.user, event)
    if Right.SEE in rights:
        get_object_or_404(event.players, number=number)
        door = Right.PLAYERS in rights and event.phase == Event.Phase.CHECK_IN
        return redirect("console_check_in_one" if door else "console_player", event.slug, number)
    if not event.is_public:
        raise Http404("There is no public event at this address.")
    me = remembered(request, event)
    if me is not None and me.number == number:
        return redirect("player", me.token)
    return redirect("players", event.slug)


@require_safe
def code(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The code itself, as a picture of one pixel a module."""
    event = public_event(slug)
    if event is None:
        raise Http404("There is no public event at this address.")
    address = f"{public_base(request)}{badge_address(event, number)}"
    answer = HttpResponse(code_png(address), content_type="image/png")
    answer["Cache-Control"] = "public, max-age=3600"
    return answer
