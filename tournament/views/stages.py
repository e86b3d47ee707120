"""Public pages of an event's stages: round robins, the final ranking, and why two players met."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.models import Event, Stage
from tournament.selectors.groups import group_tables
from tournament.selectors.meeting import meeting
from tournament.selectors.ranking import final_ranking, without_place
from tournament.views.public import event_page


@event_page("groups")
def groups(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """The tables of every round robin: who stands where and who beat whom."""
    robins = [
        (stage, group_tables(stage))
        for stage in event.stages.filter(kind=Stage.Kind.ROBIN).select_related("event")
    ]
    if not robins:
        raise Http404("This event has no round robin.")
    return render(request, "public/groups.html", {**context, "robins": robins})


@event_page("ranking")
def ranking(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """Who came in where, over all stages, once the event is over."""
    is_over = event.phase == Event.Phase.FINISHED
    told = {"ranked": final_ranking(event), "without_place": without_place(event)} if is_over else {}
    return render(request, "public/ranking.html", {**context, **told})


@event_page("pairings")
def match(request: HttpRequest, event: Event, context: dict[str, Any], match_id: int) -> HttpResponse:
    """Why these two met."""
    shown = meeting(event, match_id)
    if shown is None:
        raise Http404("This table is not published.")
    return render(request, "public/match.html", {**context, "meeting": shown})
