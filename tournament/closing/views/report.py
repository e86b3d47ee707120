"""Public pages about the whole of an event: which characters are played, and the closing report."""

from __future__ import annotations

import csv
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.brackets.selectors.picture import bracket_view
from tournament.closing.selectors.characters import breakdown
from tournament.closing.selectors.report import Report, report
from tournament.events.models.event import Event
from tournament.events.selectors.stages import stage_of
from tournament.shared.place_lines import prizes_of
from tournament.standings.selectors.standings import system_of
from tournament.web.event_page import event_page

FORMULA = ("=", "+", "-", "@", "\t", "\r")


@event_page("characters")
def characters(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """How many play each character, how they fare, and who made the cut."""
    return render(
        request, "tournament/closing/public_characters.html", {**context, "breakdown": breakdown(event)}
    )


@event_page("report")
def closing(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """The closing report: podium, prizes, final ranking, standings, bracket, characters."""
    told = report(event)
    stage = stage_of(event) if told else None
    extra = {
        "report": told,
        "without_place": told.without_place if told else [],
        "prizes": prizes_of(event.prizes),
        "breakdown": breakdown(event) if told else None,
        "bracket": bracket_view(stage) if stage else None,
        "system": system_of(event) if told and event.has_table_rounds else None,
    }
    return render(request, "tournament/closing/public_report.html", {**context, **extra})


@event_page("report")
def closing_csv(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """The final ranking with prizes, for a table program."""
    told = report(event)
    if told is None:
        raise Http404("The report is written when the event is over.")
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{event.slug}-report.csv"'
    _write(csv.writer(answer), told)
    return answer


def _write(out: Any, told: Report) -> None:
    out.writerow(["place", "shared", "number", "name", "character", "decided_in", "dropped", "prizes"])
    for each in told.ranking:
        player = each.player
        prizes = "; ".join(told.prizes_of(player))
        shared, dropped = ("yes" if is_so else "no" for is_so in (each.is_shared, player.is_dropped))
        texts = [_cell(text) for text in (player.name, player.character, each.stage)]
        out.writerow([each.place, shared, player.number, *texts, dropped, _cell(prizes)])
    for player in told.without_place:
        dropped = "yes" if player.is_dropped else "no"
        out.writerow(["", "no", player.number, _cell(player.name), _cell(player.character), "", dropped, ""])


def _cell(text: str) -> str:
    """A text that no table program takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text
