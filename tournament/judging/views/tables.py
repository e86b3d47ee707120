"""One table and one player as a judge sees them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from decks.catalogue.selectors import find_namesakes
from tournament.access.permissions import Actor
from tournament.clock.services import change_time
from tournament.decklists.selectors import build_check_sheet
from tournament.decklists.services.exchanges import current_match
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.judging import selectors
from tournament.judging.forms import TableRulingForm
from tournament.judging.services import deck_checks as deck_check_services
from tournament.judging.views.page import judge_page, match_or_404, player_or_404, show, submitted_data
from tournament.penalties.selectors import get_penalty_history
from tournament.web.console_page import attempt_step

EXTENSION_MINUTES = (1, 2, 3, 5, 10)


@judge_page
@require_http_methods(["GET", "POST"])
def table(request: HttpRequest, event: Event, stage: int, number: int, table: int) -> HttpResponse:
    """Show a table with everything about it.

    This is both players, their lists, checks and penalties, the result, and what was ruled there.
    """
    match = match_or_404(event, stage, number, table)
    form = TableRulingForm(submitted_data(request))
    if request.method == "POST" and form.is_valid() and form.save(match, Actor.of_user(request.user)):
        messages.success(request, gettext("Ruling recorded."))
        return redirect("judge_table", event.slug, stage, number, table)
    status = 422 if form.is_bound else 200
    context = {"view": selectors.table_view(match), "form": form, "minutes": EXTENSION_MINUTES}
    return show(request, event, "tournament/judging/table.html", section="desk", status=status, **context)


@judge_page
@require_POST
def extend_time(request: HttpRequest, event: Event, stage: int, number: int, table: int) -> HttpResponse:
    """Give one table more time, by one press."""
    match = match_or_404(event, stage, number, table)
    words, reason = request.POST.get("minutes", ""), request.POST.get("reason", "").replace("\x00", "")
    minutes = int(words) if words.isascii() and words.isdecimal() and len(words) < 4 else 0
    given_time = {"table": table, "count": minutes}
    attempt_step(
        request,
        lambda: change_time(
            match.round, Actor.of_user(request.user), minutes=minutes, match=match, reason=reason
        ),
        ngettext(
            "Table %(table)s has %(count)d more minute.",
            "Table %(table)s has %(count)d more minutes.",
            minutes,
        )
        % given_time,
    )
    return redirect("judge_table", event.slug, stage, number, table)


@judge_page
@require_GET
def table_lists(request: HttpRequest, event: Event, stage: int, number: int, table: int) -> HttpResponse:
    """Show the registered lists of both players beside each other, in checking order."""
    match = match_or_404(event, stage, number, table)
    view = selectors.table_view(match)
    namesake_places = find_namesakes(event.game)
    sheets = [(side, build_check_sheet(side.version, namesake_places=namesake_places)) for side in view.decks]
    return show(request, event, "tournament/judging/lists.html", section="desk", view=view, sheets=sheets)


@judge_page
@require_POST
def start_table_checks(
    request: HttpRequest, event: Event, stage: int, number: int, table: int
) -> HttpResponse:
    """Begin deck checks of both players at a table."""
    match = match_or_404(event, stage, number, table)
    attempt_step(request, lambda: deck_check_services.start_table_checks(match, Actor.of_user(request.user)))
    return redirect("judge_table", event.slug, stage, number, table)


@judge_page
@require_GET
def player(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show a player: list, table, deck checks and penalties across the event."""
    person = player_or_404(event, number)
    match = current_match(person)
    return show(
        request,
        event,
        "tournament/judging/player.html",
        section="desk",
        side=selectors.table_player(person),
        match=match,
        match_page=_match_address(event, match) if match else "",
        history=get_penalty_history(person),
        checks=list(person.deck_checks.select_related("version")),
    )


def _match_address(event: Event, match: Match) -> str:
    """Return the table of a match; the whole round for who sits at none."""
    place = (event.slug, match.round.stage.position, match.round.number)
    return (
        reverse("judge_table", args=[*place, match.table])
        if match.table
        else reverse("console_round", args=place)
    )
