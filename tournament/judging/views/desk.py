"""The first page of judges.

It shows calls, the field that finds a table or a player, and what is open.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.judging import selectors
from tournament.judging.forms import CloseCallForm
from tournament.judging.models import JudgeCall
from tournament.judging.services import calls
from tournament.judging.views.page import judge_page, show, submitted_data
from tournament.web.console_page import attempt_step, redirect_back


@judge_page
@require_GET
def dashboard(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the judges' desk.

    It has open calls, disputes, tables still playing, open checks, and the field to find a table.
    """
    desk = selectors.judge_dashboard(event)
    return show(
        request,
        event,
        "tournament/judging/desk.html",
        section="desk",
        desk=desk,
        waiting_calls=desk.waiting_calls,
    )


@judge_page
@require_POST
def find(request: HttpRequest, event: Event) -> HttpResponse:
    """Go to what was typed or scanned.

    This is a table's number, a player's name or code, or a slip's code.
    """
    words = request.POST.get("what", "").replace("\x00", "").strip()[:200]
    found_url = selectors.find_scanned(event, words)
    if isinstance(found_url, Match):
        return redirect(
            "judge_table", event.slug, found_url.round.stage.position, found_url.round.number, found_url.table
        )
    if isinstance(found_url, Player):
        return redirect("judge_player", event.slug, found_url.number)
    players = selectors.search_players_by_name(event, words) if words else []
    if len(players) == 1:
        return redirect("judge_player", event.slug, players[0].number)
    return show(request, event, "tournament/judging/found.html", section="desk", words=words, people=players)


@judge_page
@require_http_methods(["GET", "POST"])
def call(request: HttpRequest, event: Event, call: int, action: str) -> HttpResponse:
    """Take a judge call, or close it with an optional ruling."""
    judge_call = get_object_or_404(JudgeCall.objects.select_related("player", "event"), pk=call, event=event)
    actor = Actor.of_user(request.user)
    if action == "take" and request.method == "POST":
        notice = gettext("You took the call of %(player)s.") % {"player": judge_call.player}
        attempt_step(request, lambda: calls.take_call(judge_call, actor), notice)
        return redirect_back(request, "judge", event.slug)
    if action != "close":
        raise Http404(gettext("There is no such step."))
    form = CloseCallForm(submitted_data(request), initial={"question": judge_call.words})
    if request.method == "POST" and form.is_valid() and form.close(judge_call, actor):
        resolved_text = gettext("The call of %(player)s is resolved.") % {"player": judge_call.player}
        messages.success(request, resolved_text)
        return redirect("judge", event.slug)
    status = 422 if form.is_bound else 200
    return show(
        request,
        event,
        "tournament/judging/call.html",
        section="desk",
        status=status,
        call=judge_call,
        form=form,
    )
