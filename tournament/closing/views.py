"""Pages of prizes, played characters and the closing report."""

from __future__ import annotations

import csv
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from tournament.access.permissions import Actor, Right
from tournament.brackets.selectors.picture import load_bracket_view
from tournament.closing.forms import PrizesForm
from tournament.closing.selectors import EventReport, character_breakdown, closing_report
from tournament.events.models.event import Event
from tournament.events.selectors import get_bracket_stage
from tournament.shared.awards import load_prizes
from tournament.standings.selectors.standings import scoring_system_of
from tournament.web.console_page import console_page, lock_row_on_post, render_console_page
from tournament.web.public_page import public_page


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
@lock_row_on_post
def prizes(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the prizes of places, and after the event who gets them."""
    form = PrizesForm(request.POST or None, event=event)
    if request.method == "POST" and form.is_valid() and form.save(Actor.of_user(request.user)):
        messages.success(request, "The prizes are announced.")
        return redirect("console_prizes", event.slug)
    return render_console_page(
        request, event, "tournament/closing/prizes.html", "settings", form=form, report=closing_report(event)
    )


FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@public_page("characters")
def characters(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """Show for each character how many play it, their results, and who made the cut."""
    return render(
        request,
        "tournament/closing/public_characters.html",
        {**context, "breakdown": character_breakdown(event)},
    )


@public_page("report")
def event_report(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """The closing report: podium, prizes, final ranking, standings, bracket, characters."""
    report = closing_report(event)
    stage = get_bracket_stage(event) if report else None
    extra = {
        "report": report,
        "without_place": report.without_place if report else [],
        "prizes": load_prizes(event.prizes),
        "breakdown": character_breakdown(event) if report else None,
        "bracket": load_bracket_view(stage) if stage else None,
        "system": scoring_system_of(event) if report and event.has_table_rounds else None,
    }
    return render(request, "tournament/closing/public_report.html", {**context, **extra})


@public_page("report")
def event_report_csv(request: HttpRequest, event: Event, context: dict[str, Any]) -> HttpResponse:
    """Export the final ranking with prizes as CSV."""
    report = closing_report(event)
    if report is None:
        raise Http404("The report is written when the event is over.")
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{event.slug}-report.csv"'
    _write_report(csv.writer(answer), report)
    return answer


def _write_report(writer_target: Any, report: EventReport) -> None:
    writer_target.writerow(
        ["place", "shared", "number", "name", "character", "decided_in", "dropped", "prizes"]
    )
    for each in report.ranking:
        player = each.player
        prizes = "; ".join(report.prizes_of(player))
        yes_or_no, dropped = ("yes" if flag else "no" for flag in (each.is_shared, player.is_dropped))
        texts = [_escape_formula(text) for text in (player.name, player.character, each.stage)]
        writer_target.writerow(
            [each.place, yes_or_no, player.number, *texts, dropped, _escape_formula(prizes)]
        )
    for player in report.without_place:
        dropped = "yes" if player.is_dropped else "no"
        writer_target.writerow(
            [
                "",
                "no",
                player.number,
                _escape_formula(player.name),
                _escape_formula(player.character),
                "",
                dropped,
                "",
            ]
        )


def _escape_formula(text: str) -> str:
    """A text that no table program takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
