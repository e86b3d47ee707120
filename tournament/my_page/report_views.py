"""Report and confirm the result of a player's match."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from decks.shared.refusals import Conflict, Refused
from tournament.events.models.player import Player
from tournament.my_page import selectors
from tournament.my_page.board_forms import BoardsConfirmForm, BoardsReportForm
from tournament.my_page.board_rows import find_own_row, get_seat, list_board_rows
from tournament.my_page.forms import (
    ConfirmForm,
    PlacesReportForm,
    ReportForm,
    fill_match_fields,
    require_match,
)
from tournament.results import selectors as results_selectors
from tournament.results.selectors import MyMatch
from tournament.web.player_page import get_actor, player_page, render_player_page
from tournament.web.refusals import show_refusal


def load_report_context(player: Player, mine: MyMatch | None, seat: str) -> dict[str, object]:
    """Return the results that a player can report with one press, or board by board."""
    rows = list_board_rows(mine, seat)
    return {
        "buttons": selectors.list_buttons(player, mine),
        "place_buttons": selectors.list_place_buttons(mine),
        "board_rows": rows,
        "my_row": find_own_row(rows),
    }


def _new_form(player: Player, current: MyMatch) -> ReportForm:
    kind = BoardsReportForm if player.event.has_boards else ReportForm
    return kind(initial=fill_match_fields(current), event=player.event, match=current)


@player_page
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, player: Player) -> HttpResponse:
    """Report the result of the player's match.

    A usual result has a button, an unusual one is entered by numbers.
    """
    return _send_report(request, player, ReportForm)


@player_page
@require_POST
def confirm(request: HttpRequest, player: Player) -> HttpResponse:
    """Confirm the result that the opponent reported."""
    return _send_report(request, player, ConfirmForm)


def _send_report(request: HttpRequest, player: Player, kind: type[ReportForm]) -> HttpResponse:
    matches = results_selectors.list_my_matches(player)
    current = matches[0] if matches else None
    if current is not None and current.match.is_pod:
        kind = PlacesReportForm
    elif player.event.has_boards:
        kind = BoardsConfirmForm if kind is ConfirmForm else BoardsReportForm
    form = kind(request.POST, event=player.event, match=current) if request.method == "POST" else None
    try:
        current = require_match(current)
        if form is not None and form.is_valid():
            form.report(player, current, get_actor(request, player))
            return _answer_report(request, player)
    except Conflict as conflict:
        return _answer_report(request, player, conflict)
    except Refused as refusal:
        if form is None or current is None or current.opponent is None:
            return _answer_report(request, player, refusal)
        _add_refusal(form, refusal)
    if form is not None and _is_sent_by_script(request):
        sentences = [str(sentence) for field_errors in form.errors.values() for sentence in field_errors]
        return JsonResponse({"sentences": sentences}, status=422)
    return _report_page(request, player, current, form)


def _is_sent_by_script(request: HttpRequest) -> bool:
    """Return whether the phone kept the report until it could be sent (`reports.js`)."""
    return request.method == "POST" and request.headers.get("Accept") == "application/json"


def _answer_report(request: HttpRequest, player: Player, refusal: Refused | None = None) -> HttpResponse:
    if _is_sent_by_script(request):
        sentences = [problem.message for problem in refusal.problems] if refusal else []
        return JsonResponse({"sentences": sentences}, status=409 if refusal else 200)
    if refusal is not None:
        show_refusal(request, refusal)
    return redirect("player", player.token)


def _add_refusal(form: ReportForm, refusal: Refused) -> None:
    for problem in refusal.problems:
        form.add_error(problem.field if problem.field in form.fields else None, problem.message)


def _report_page(
    request: HttpRequest, player: Player, current: MyMatch, form: ReportForm | None
) -> HttpResponse:
    context = {
        "match": current,
        "report_form": form or _new_form(player, current),
        **load_report_context(player, current, get_seat(request, player)),
    }
    return render_player_page(
        request,
        player,
        "tournament/my_page/report.html",
        status=422 if form and form.errors else 200,
        **context,
    )
