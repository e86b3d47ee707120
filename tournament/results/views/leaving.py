"""Console page of a player who leaves in the middle of a round: what becomes of his match."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.results.services import drops
from tournament.results.services import preview as rehearsal
from tournament.web.console_page import console_page, show
from tournament.web.refusals import say


@console_page(Right.PLAYERS)
@require_http_methods(["GET", "POST"])
def leave(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Ask what becomes of the open match, show which tables could change, and drop the player."""
    player = get_object_or_404(event.players.select_related("event"), number=number)
    actor = Actor.of_user(request.user)
    if request.method == "POST":
        return _drop(request, player, actor)
    match = drops.open_match_of(player) if event.is_playing else None
    may_change = match is not None and match.round.stage.kind == "swiss" and player.is_in
    context = {
        "player": player,
        "match": match,
        "repairs": rehearsal.preview_drop(player, actor) if may_change else None,
    }
    return show(request, event, "tournament/results/leave.html", "players", **context)


def _drop(request: HttpRequest, player: Player, actor: Actor) -> HttpResponse:
    match = drops.open_match_of(player)
    reason = request.POST.get("reason", "").replace("\0", "").strip()
    running = request.POST.get("running", "play")
    try:
        if running == "both" and match is not None:
            drops.drop_table(match, actor, reason=reason)
        else:
            seen = request.POST.get("seen") or None
            drops.drop(player, actor, reason=reason, running=running, seen_plan=seen)
    except Refused as refusal:
        say(request, refusal)
        return redirect("console_leave", player.event.slug, player.number)
    messages.success(request, f"{player} is dropped.")
    return redirect("console_player", player.event.slug, player.number)
