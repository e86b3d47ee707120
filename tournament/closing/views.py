"""Pages of prizes, played characters and the closing report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from decks.shared.csv_cells import write_rows
from tournament.access.permissions import Right
from tournament.brackets.selectors.picture import load_bracket_view
from tournament.closing.forms import PrizesForm
from tournament.closing.selectors import EventReport, character_breakdown, closing_report
from tournament.events.models.event import Event
from tournament.events.selectors import get_bracket_stage
from tournament.shared.awards import load_prizes
from tournament.standings.selectors.standings import scoring_system_of
from tournament.web.console_page import console_page, lock_row_on_post, render_console_page, save_form
from tournament.web.public_page import PageContext, public_page


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
@lock_row_on_post
def prizes(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the prizes of places, and after the event who gets them."""
    form = PrizesForm(request.POST or None, event=event)
    if save_form(request, form):
        messages.success(request, gettext("The prizes are published."))
        return redirect("console_prizes", event.slug)
    return render_console_page(
        request, event, "tournament/closing/prizes.html", "settings", form=form, report=closing_report(event)
    )


REPORT_HEADER = ("place", "shared", "number", "name", "character", "decided_in", "dropped", "prizes")


@public_page("characters")
def characters(request: HttpRequest, event: Event, context: PageContext) -> HttpResponse:
    """Show for each character how many play it, their results, and who made the cut."""
    return render(
        request,
        "tournament/closing/public_characters.html",
        {**context, "breakdown": character_breakdown(event)},
    )


@public_page("report")
def event_report(request: HttpRequest, event: Event, context: PageContext) -> HttpResponse:
    """Show the closing report.

    It has the podium, prizes, final ranking, standings, bracket and characters.
    """
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
def event_report_csv(request: HttpRequest, event: Event, context: PageContext) -> HttpResponse:
    """Export the final ranking with prizes as CSV."""
    report = closing_report(event)
    if report is None:
        raise Http404(gettext("The report is available after the event."))
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{event.slug}-report.csv"'
    write_rows(answer, _report_rows(report))
    return answer


def _report_rows(report: EventReport) -> Iterator[Sequence[object]]:
    yield REPORT_HEADER
    for each in report.ranking:
        player, is_shared = each.player, _yes_or_no(each.is_shared)
        names = (player.number, player.name, player.character, each.stage_name)
        yield (
            each.place,
            is_shared,
            *names,
            _yes_or_no(player.is_dropped),
            "; ".join(report.prizes_of(player)),
        )
    for player in report.without_place:
        yield "", "no", player.number, player.name, player.character, "", _yes_or_no(player.is_dropped), ""


def _yes_or_no(flag: bool) -> str:
    return "yes" if flag else "no"
