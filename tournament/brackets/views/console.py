"""From tournament.views.console.rounds."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from decks.shared.refusals import Refused
from tournament.access import rights as permissions
from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.brackets.selectors.picture import bracket_view
from tournament.brackets.services import cut as cuts
from tournament.brackets.services import cut_again as rehearsal
from tournament.brackets.services.cut_again import make_cut_again
from tournament.events.models.event import Event
from tournament.events.selectors import stages
from tournament.standings.selectors import qualifying as cut_selectors
from tournament.web.console_page import attempt, console_page, show


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
def cut(request: HttpRequest, event: Event) -> HttpResponse:
    """Who is in or out and why; making the cut; the bracket."""
    if request.method == "POST":
        permissions.require(request.user, event, Right.PAIR)
        _make_cut(request, event)
        return redirect("console_cut", event.slug)
    stage = stages.stage_of(event)
    bracket = bracket_view(stage) if stage else None
    again = rehearsal.preview_cut_again(event, Actor.of_user(request.user)) if stage else None
    context = {"stage": stage, "decisions": [], "bracket": bracket, "again": again}
    if event.cut != Event.Cut.NONE and event.stages.exists():
        try:
            context["decisions"] = cut_selectors.decisions(event, stage)
            context["cut_mark"] = cut_selectors.mark(context["decisions"])
        except Refused as refusal:
            context["refusal"] = refusal
    return show(request, event, "tournament/brackets/cut.html", "cut", **context)


def _make_cut(request: HttpRequest, event: Event) -> None:
    actor, seen = Actor.of_user(request.user), request.POST.get("again", "")
    if seen:
        attempt(request, lambda: make_cut_again(event, actor, seen=seen[:40]), "The cut is made anew.")
    else:
        attempt(
            request, lambda: cuts.make_cut(event, actor, seen=request.POST.get("seen")), "The cut is made."
        )
