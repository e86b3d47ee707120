"""The console page on which an owner removes the personal data of a player."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from decks.shared.refusals import Refused
from tournament.access.permissions import Actor, Right
from tournament.events.models.event import Event
from tournament.privacy import services
from tournament.web.console_page import console_page, render_console_page
from tournament.web.refusals import show_refusal


@console_page(Right.OWN)
@require_http_methods(["GET", "POST"])
def remove(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show what would be removed; remove it once the player's number is entered."""
    player = get_object_or_404(event.players.select_related("event"), number=number)
    actor = Actor.of_user(request.user)
    if request.method == "POST":
        try:
            services.refuse_unconfirmed(player, request.POST.get("confirm", ""))
            services.remove_personal_data(player, actor)
        except Refused as refusal:
            show_refusal(request, refusal)
            return redirect("console_remove_data", event.slug, number)
        messages.success(
            request, gettext("The personal data of %(player)s is removed.") % {"player": player.name}
        )
        return redirect("console_player", event.slug, number)
    context = {"player": player, "removal": services.preview_removal(player, actor)}
    return render_console_page(request, event, "tournament/privacy/remove.html", "players", **context)
