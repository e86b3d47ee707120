"""A player calls a judge from his own page, and calls him off."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from tournament.models import Player
from tournament.selectors.judging import call_of
from tournament.services.actor import Actor
from tournament.services.judging import calls
from tournament.views.player import player_page, take


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
