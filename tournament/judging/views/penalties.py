"""Penalties: list, give, undo."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from decks.shared.refusals import Refused
from tournament.access.permissions import Actor
from tournament.decklists.services.exchanges import current_match
from tournament.events.models.event import Event
from tournament.judging.forms import PenaltyForm
from tournament.judging.services import penalties as penalty_services
from tournament.judging.views.page import judge_page, player_or_404, show, submitted_data
from tournament.penalties.models import Penalty
from tournament.penalties.selectors import (
    describe_penalty,
    get_penalties,
    get_penalty_history,
    list_penalty_choices,
)
from tournament.web.console_page import redirect_back
from tournament.web.refusals import show_refusal


@judge_page
@require_GET
def penalty_list(request: HttpRequest, event: Event) -> HttpResponse:
    """Show all penalties of the event, newest first."""
    return show(
        request,
        event,
        "tournament/judging/penalties.html",
        section="penalties",
        penalties=list(get_penalties(event)),
    )


@judge_page
@require_http_methods(["GET", "POST"])
def give_penalty(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Give a player a penalty; suggest the level for each infraction."""
    person = player_or_404(event, number)
    history = get_penalty_history(person)
    match = current_match(person)
    is_running = match is not None and match.p2_id is not None and not match.is_finished
    query = request.GET
    infraction = query.get("infraction", "")
    start = {
        "seen": len(history.penalties),
        "check": query.get("check", ""),
        "infraction": infraction,
        "degree": history.suggested_levels.get(infraction, ""),
        "counts": "now" if is_running else "next",
    }
    form = PenaltyForm(submitted_data(request), initial=start)
    if request.method == "POST" and form.is_valid():
        new_penalty = form.save(person, Actor.of_user(request.user))
        if new_penalty:
            messages.success(request, describe_penalty(new_penalty.degree, new_penalty.infraction, person))
            return redirect_back(request, "judge_player", event.slug, number)
    context = {
        "player": person,
        "history": history,
        "choices": list_penalty_choices(person, history),
        "form": form,
        "match": match,
        "is_running": is_running,
        "next": request.POST.get("next") or query.get("next", ""),
    }
    status = 422 if form.is_bound else 200
    return show(
        request, event, "tournament/judging/penalty.html", section="penalties", status=status, **context
    )


@judge_page
@require_POST
def undo_penalty(request: HttpRequest, event: Event, penalty: int) -> HttpResponse:
    """Undo a penalty and its effect on the match; if refused, show the penalty."""
    penalty_row = get_object_or_404(
        Penalty.objects.select_related("event", "player"), pk=penalty, event=event
    )
    reason = request.POST.get("reason", "").replace("\x00", "")
    actor = Actor.of_user(request.user)
    try:
        remaining_matches = penalty_services.undo_penalty(penalty_row, actor, reason=reason)
    except Refused as refusal:
        show_refusal(request, refusal)
    else:
        undone_text = gettext("Penalty of %(player)s undone.") % {"player": penalty_row.player}
        messages.success(request, undone_text)
        for match in remaining_matches:
            messages.warning(request, penalty_services.unchanged_match_message(match))
        if remaining_matches:
            return redirect("console_match", event.slug, remaining_matches[0].pk)
    return redirect_back(request, "judge_player", event.slug, penalty_row.player.number)
