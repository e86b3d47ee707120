"""Penalties: the list of an event, giving one, taking one back."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.decklists.services.exchanges import current_match
from tournament.events.models.event import Event
from tournament.judging.forms import PenaltyForm
from tournament.judging.services import penalties_taken_back as taking_back
from tournament.judging.views.desk import player_or_404
from tournament.judging.views.page import judge_page, sent, show
from tournament.penalties.models import Penalty
from tournament.penalties.selectors import history, penalties_of
from tournament.web.console_page import back
from tournament.web.refusals import say


@judge_page
@require_GET
def overview(request: HttpRequest, event: Event) -> HttpResponse:
    """Every penalty of the event, the newest first."""
    return show(
        request,
        event,
        "tournament/judging/penalties.html",
        section="penalties",
        penalties=list(penalties_of(event)),
    )


@judge_page
@require_http_methods(["GET", "POST"])
def give(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Give a player a penalty; the next step for each infraction is suggested."""
    person = player_or_404(event, number)
    known = history(person)
    match = current_match(person)
    is_running = match is not None and match.p2_id is not None and not match.is_finished
    asked = request.GET
    infraction = asked.get("infraction", "")
    start = {
        "seen": len(known.penalties),
        "check": asked.get("check", ""),
        "infraction": infraction,
        "degree": known.suggested.get(infraction, ""),
        "counts": "now" if is_running else "next",
    }
    form = PenaltyForm(sent(request), initial=start)
    if request.method == "POST" and form.is_valid():
        given = form.save(person, Actor.of_user(request.user))
        if given:
            messages.success(request, f"{person}: {given.get_degree_display().lower()}. It is in the log.")
            return redirect("judge_player", event.slug, number)
    context = {"player": person, "history": known, "form": form, "match": match, "is_running": is_running}
    status = 422 if form.is_bound else 200
    return show(
        request, event, "tournament/judging/penalty.html", section="penalties", status=status, **context
    )


@judge_page
@require_POST
def take_back(request: HttpRequest, event: Event, penalty: int) -> HttpResponse:
    """Take a penalty back, with what it did to the match; one that stays is shown, to be corrected."""
    given = get_object_or_404(Penalty.objects.select_related("event", "player"), pk=penalty, event=event)
    reason = request.POST.get("reason", "").replace("\x00", "")
    actor = Actor.of_user(request.user)
    try:
        stay = taking_back.take_back(given, actor, reason=reason)
    except Refused as refusal:
        say(request, refusal)
    else:
        messages.success(request, f"{given.player}: taken back. The log keeps both.")
        for match in stay:
            messages.warning(request, taking_back.stays(match))
        if stay:
            return redirect("console_match", event.slug, stay[0].pk)
    return back(request, "judge_player", event.slug, given.player.number)
