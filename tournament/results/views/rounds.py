"""The page of one round: its draft, or its tables with results."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from tournament.access.permissions import Right
from tournament.clock.selectors import get_round_clock
from tournament.events import selectors as events_selectors
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.events.settings import get_stage_sides
from tournament.pairing.draft_page import load_draft_context
from tournament.results.round_changes import can_tell_by_rows, find_changed_players, find_latest_step
from tournament.results.round_page import FILTERS, load_changed_tables, load_round_page
from tournament.results.row_html import render_rows
from tournament.web.console_page import console_page, get_request_rights, render_console_page
from tournament.web.page_query import read_choice

SINCE_HEADER = "X-Ringside-Since"
MAX_DIGITS = 18


@console_page(Right.SEE)
@require_GET
def show_round(request: HttpRequest, event: Event, stage: int, number: int) -> HttpResponse:
    """Show a round as its draft, or as its tables with results.

    It shows only the changed tables if the page asks for that.
    """
    rounds = Round.objects.select_related("stage__event").filter(stage__event=event)
    round_ = get_object_or_404(rounds, stage__position=stage, number=number)
    context = {"round": round_, "all_rounds": events_selectors.get_rounds(event)}
    if round_.is_draft:
        may_pair = Right.PAIR in get_request_rights(request, event)
        draft = load_draft_context(round_, request.GET, may_pair=may_pair)
        return render_console_page(
            request, event, "tournament/pairing/draft.html", "rounds", **context, **draft
        )
    show, since = read_choice(request, "show", FILTERS), request.headers.get(SINCE_HEADER, "")
    context |= _load_changes(request, event, round_, show, since) or _load_shown(request, event, round_, show)
    template = "_round_changes" if "is_partial" in context else "round"
    return render_console_page(request, event, f"tournament/results/{template}.html", "rounds", **context)


def render_tables(request: HttpRequest, event: Event, round_: Round) -> HttpResponse:
    """Render what changes on the page of a round with each result.

    This is for the buttons of its tables. A page that says which step it shows gets the tables that changed
    since, else all.
    """
    round_.stage.event = event
    show = request.POST.get("show", "")
    show = show if show in FILTERS else ""
    changes = _load_changes(request, event, round_, show, request.POST.get("since", ""))
    context = changes or {"is_partial": True, **_load_shown(request, event, round_, show)}
    template = "_round_changes" if changes else "_round_parts"
    response = render_console_page(
        request,
        event,
        f"tournament/results/{template}.html",
        "rounds",
        round=round_,
        all_rounds=events_selectors.get_rounds(event),
        **context,
    )
    if changes:
        response["HX-Reswap"] = "none"
    return response


def _load_shown(request: HttpRequest, event: Event, round_: Round, show: str) -> dict[str, object]:
    since = find_latest_step(event)
    rights = get_request_rights(request, event)
    page = load_round_page(round_, rights, show)
    # A table of more than two sides has rows of its own.
    rows = render_rows(page, event, rights, show=show, token=get_token(request)) if page.sides.is_duel else ""
    return {"view": page, "rows": rows, "show": show, "since": since, "clock": get_round_clock(round_)}


def _load_changes(
    request: HttpRequest, event: Event, round_: Round, show: str, since: str
) -> dict[str, object] | None:
    """Load the rows that changed since a step; None if the page needs all of them."""
    if not since.isdecimal() or len(since) > MAX_DIGITS or not get_stage_sides(round_.stage).is_duel:
        return None
    latest = find_latest_step(event)
    players = find_changed_players(round_, int(since))
    if players is None:
        return None
    rights = get_request_rights(request, event)
    page = load_changed_tables(round_, rights, players, show)
    if not can_tell_by_rows(page, show):
        return None
    token = get_token(request)
    rows = "" if show else render_rows(page, event, rights, show=show, token=token, is_partial=True)
    hidden_tables = [row.match.table for row in page.rows] if show else []
    return {
        "view": page,
        "rows": rows,
        "hidden_tables": hidden_tables,
        "show": show,
        "since": latest,
        "is_partial": True,
    }
