"""The page of one round: its draft, or its tables with results."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from tournament.access.permissions import Right, get_rights
from tournament.clock.selectors import get_round_clock
from tournament.events import selectors as events_selectors
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.pairing.draft_page import load_draft_context
from tournament.results.round_page import FILTERS, load_round_page
from tournament.results.row_html import render_rows
from tournament.web.console_page import console_page, render_console_page
from tournament.web.page_query import read_choice


@console_page(Right.SEE)
@require_GET
def show_round(request: HttpRequest, event: Event, stage: int, number: int) -> HttpResponse:
    """Show a round: its draft, or its tables with results."""
    rounds = Round.objects.select_related("stage__event").filter(stage__event=event)
    round_ = get_object_or_404(rounds, stage__position=stage, number=number)
    context = {"round": round_, "all_rounds": events_selectors.get_rounds(event)}
    if round_.is_draft:
        may_pair = Right.PAIR in get_rights(request.user, event)
        draft = load_draft_context(round_, request.GET, may_pair=may_pair)
        return render_console_page(
            request, event, "tournament/pairing/draft.html", "rounds", **context, **draft
        )
    round_view = _load_shown(request, event, round_, read_choice(request, "show", FILTERS))
    return render_console_page(
        request, event, "tournament/results/round.html", "rounds", **context, **round_view
    )


def render_tables(request: HttpRequest, event: Event, round_: Round) -> HttpResponse:
    """Render what changes on the page of a round with each result, for the buttons of its tables."""
    round_.stage.event = event
    show = request.POST.get("show", "")
    round_view = _load_shown(request, event, round_, show if show in FILTERS else "")
    return render_console_page(
        request,
        event,
        "tournament/results/_round_parts.html",
        "rounds",
        round=round_,
        is_partial=True,
        **round_view,
    )


def _load_shown(request: HttpRequest, event: Event, round_: Round, show: str) -> dict[str, object]:
    rights = get_rights(request.user, event)
    page = load_round_page(round_, rights, show)
    # A table of more than two sides has rows of its own.
    rows = render_rows(page, event, rights, show=show, token=get_token(request)) if page.sides.is_duel else ""
    return {"view": page, "rows": rows, "show": show, "clock": get_round_clock(round_)}
