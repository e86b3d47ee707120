"""From tournament.views.public, tournament.views.stages."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from decks.shared.refusals import Refused
from tournament.brackets.selectors.bracket import champion
from tournament.brackets.selectors.picture import bracket_view
from tournament.brackets.selectors.ranking import final_ranking, without_place
from tournament.clock.selectors import event_clock
from tournament.events.models.event import Event
from tournament.events.selectors import published, stages
from tournament.standings.selectors import qualifying
from tournament.web.event_page import event_page


@event_page("ranking")
def ranking(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """Who came in where, over all stages, once the event is over."""
    is_over = event.phase == Event.Phase.FINISHED
    told = {"ranked": final_ranking(event), "without_place": without_place(event)} if is_over else {}
    return render(request, "tournament/brackets/public_ranking.html", {**context, **told})


@event_page("cut")
def cut(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """Who is in the cut or out of it, and why: every player."""
    if event.cut == Event.Cut.NONE:
        raise Http404("This event has no cut.")
    stage = stages.stage_of(event)
    rows, refusal = [], None
    if published.swiss_rounds(context["rounds"]):
        try:
            rows = qualifying.decisions(event, stage)
        except Refused as refused:
            refusal = refused
    anew = max(
        (r.amended_at for r in context["rounds"] if stage and r.stage_id == stage.pk and r.amended_at),
        default=None,
    )
    extra = {"stage": stage, "decisions": rows, "refusal": refusal, "made_anew_at": anew}
    return render(request, "tournament/brackets/public_cut.html", {**context, **extra})


@event_page("bracket")
def bracket(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """The bracket, and the champion."""
    if not event.has_bracket:
        raise Http404("This event has no bracket.")
    stage = stages.stage_of(event)
    extra = {
        "stage": stage,
        "bracket": bracket_view(stage) if stage else None,
        "clock": event_clock(event),
        "champion": champion(stage) if stage else None,
    }
    return render(request, "tournament/brackets/public_bracket.html", {**context, **extra})
