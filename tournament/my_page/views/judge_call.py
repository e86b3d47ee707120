"""A player calls a judge from his own page, and calls him off."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from tournament.access.actor import Actor
from tournament.events.models.player import Player
from tournament.judging.selectors import call_of
from tournament.judging.services import calls
from tournament.web.player_page import player_page, take


@player_page
@require_POST
def call_judge(request: HttpRequest, player: Player) -> HttpResponse:
    """Call a judge to my table, or say that it has settled itself."""
    actor = Actor.of_player(player)
    if not request.POST.get("off"):
        words = request.POST.get("words", "").replace("\x00", "")
        return take(
            request,
            player,
            lambda: calls.call_judge(player, actor, words=words),
            "A judge is called. Stay at your table.",
        )
    standing = call_of(player)
    if standing is None:
        return take(request, player, lambda: None, "No judge is on the way.")
    return take(request, player, lambda: calls.close_call(standing, actor), "The call is taken back.")
