"""Console pages of what pairing heeds: options, tables, pairs that never meet, the facts of one player."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.events.models.event import Event
from tournament.pairing.forms import PlayerPairingForm
from tournament.web.console_page import console_page, show
from tournament.web.locked_form import compared_under_lock


@console_page(Right.PLAYERS)
@require_http_methods(["GET", "POST"])
@compared_under_lock
def player_facts(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """What pairing heeds of one player."""
    person = get_object_or_404(event.players.select_related("event"), number=number)
    form = PlayerPairingForm(request.POST or None, player=person)
    saved = None
    if request.method == "POST" and form.is_valid():
        saved = form.save(Actor.of_user(request.user))
    if saved is not None:
        messages.success(request, "Changed.")
        return redirect("console_player", event.slug, person.number)
    return show(request, event, "tournament/pairing/player_pairing.html", "players", player=person, form=form)
