"""From tournament.views.public, tournament.views.stages."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.events.models.event import Event, Stage
from tournament.events.selectors import published
from tournament.standings.selectors.groups import group_tables
from tournament.standings.selectors.table import StandingsTable, standings_table, standings_words
from tournament.web.event_page import _chosen, event_page


@event_page("groups")
def groups(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """The tables of every round robin: who stands where and who beat whom."""
    robins = [
        (stage, group_tables(stage))
        for stage in event.stages.filter(kind=Stage.Kind.ROBIN).select_related("event")
    ]
    if not robins:
        raise Http404("This event has no round robin.")
    return render(request, "tournament/standings/public_groups.html", {**context, "robins": robins})


@event_page("standings")
def standings(
    request: HttpRequest, event: Event, context: dict[str, Any], number: int | None = None
) -> HttpResponse:
    """The table after a round, or as it stands now, with what each column means."""
    swiss = published.swiss_rounds(context["rounds"])
    shown = _chosen(swiss, number) if number is not None else None
    table: StandingsTable | None = standings_table(event, after_round=number) if swiss else None
    called = standings_words(event, shown)
    extra = {"swiss": swiss, "number": number, "called": called, "table": table}
    return render(request, "tournament/standings/public_standings.html", {**context, **extra})
