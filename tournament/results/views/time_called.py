"""From tournament.views.console.clock."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from decks.shared.refusals import Refused
from rules import timed
from tournament.access import rights as permissions
from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.clock import selectors
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.results.selectors.time_called import settlement_of, time_called
from tournament.results.services import time_called as settlements
from tournament.web.console_page import console_page, show
from tournament.web.refusals import say


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
def table_at_time(request: HttpRequest, event: Event, match_id: int) -> HttpResponse:
    """The questions of the game's rule for one table, the outcome, the result in one press."""
    matches = Match.objects.select_related("round__stage__event", "p1", "p2").exclude(p2=None)
    match = get_object_or_404(matches, pk=match_id, round__stage__event=event)
    if match.round.is_draft:
        raise Http404
    if request.method == "POST":
        permissions.require(request.user, event, Right.SCORE)
        return _answered(request, event, match)
    kept = settlement_of(match)
    found = time_called(match, kept.facts if kept else {})
    steps = timed.end_steps(event.game, event.rules_version, selectors.stage_word(match.round.stage))
    return show(
        request,
        event,
        "tournament/results/time_called.html",
        "clock",
        match=match,
        found=found,
        kept=kept,
        steps=steps,
    )


def _answered(request: HttpRequest, event: Event, match: Match) -> HttpResponse:
    actor = Actor.of_user(request.user)
    try:
        if request.POST.get("enter"):
            revision = request.POST.get("revision", "")
            seen = int(revision) if revision.isdecimal() and len(revision) < 10 else None
            settled = settlements.settle(match, actor, seen_revision=seen)
            messages.success(request, f"Table {match.table}: {settled.p1} {settled.score} {settled.p2}.")
            return redirect("console_clock", event.slug)
        settlements.answer(match, actor, dict(request.POST.items()))
    except Refused as refusal:
        say(request, refusal)
    return redirect("console_time", event.slug, match.pk)
