"""Pages of judges: dashboard, tables, players, calls, deck checks, penalties."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from decks.catalogue.selectors import find_namesakes
from decks.shared.refusals import Refused
from tournament.access import permissions
from tournament.access.permissions import Actor, Right
from tournament.clock import services as clock_services
from tournament.decklists.selectors import build_check_sheet
from tournament.decklists.services.exchanges import current_match
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.judging import selectors
from tournament.judging.forms import CheckDrawForm, CloseCallForm, EndCheckForm, PenaltyForm, TableRulingForm
from tournament.judging.models import DeckCheck, JudgeCall
from tournament.judging.selectors import find_match
from tournament.judging.services import calls
from tournament.judging.services import deck_checks as deck_check_services
from tournament.judging.services import penalties as penalty_services
from tournament.penalties.models import Penalty
from tournament.penalties.selectors import get_penalties, get_penalty_history
from tournament.web.console_page import allow_camera, attempt_step, console_page, redirect_back
from tournament.web.refusals import show_refusal

judge_page = console_page(Right.JUDGE)


def submitted_data(request: HttpRequest) -> QueryDict | None:
    """The submitted data of a POST request, also if empty; else None."""
    return request.POST if request.method == "POST" else None


def show(
    request: HttpRequest, event: Event, template: str, *, section: str, status: int = 200, **context: Any
) -> HttpResponse:
    """Render a page of judges with what its frame needs; its field may be filled by the camera."""
    rights = {right.value for right in permissions.get_rights(request.user, event)}
    shared_context = {"event": event, "section": section, "rights": rights}
    return allow_camera(render(request, template, {**shared_context, **context}, status=status))


@judge_page
@require_GET
def dashboard(request: HttpRequest, event: Event) -> HttpResponse:
    """Open calls, disputes, tables still playing, open checks, and the field to find a table."""
    return show(
        request, event, "tournament/judging/desk.html", section="desk", desk=selectors.judge_dashboard(event)
    )


@judge_page
@require_POST
def find(request: HttpRequest, event: Event) -> HttpResponse:
    """Go to what was typed or scanned: a table's number, a player's name or code, a slip's code."""
    words = request.POST.get("what", "").replace("\x00", "").strip()[:200]
    found_url = selectors.find_scanned(event, words)
    if isinstance(found_url, Match):
        return redirect(
            "judge_table", event.slug, found_url.round.stage.position, found_url.round.number, found_url.table
        )
    if isinstance(found_url, Player):
        return redirect("judge_player", event.slug, found_url.number)
    players = selectors.search_players_by_name(event, words) if words else []
    if len(players) == 1:
        return redirect("judge_player", event.slug, players[0].number)
    return show(request, event, "tournament/judging/found.html", section="desk", words=words, people=players)


def match_or_404(event: Event, stage: int, number: int, table: int) -> Match:
    """A table of a published round. Raises Http404."""
    match = selectors.find_match(event, stage, number, table)
    if match is None:
        raise Http404(gettext("There is no such table."))
    return match


@judge_page
@require_http_methods(["GET", "POST"])
def table(request: HttpRequest, event: Event, stage: int, number: int, table: int) -> HttpResponse:
    """A table: both players, their lists, checks and penalties, the result, and what was ruled there."""
    match = match_or_404(event, stage, number, table)
    form = TableRulingForm(submitted_data(request))
    if request.method == "POST" and form.is_valid() and form.save(match, Actor.of_user(request.user)):
        messages.success(request, gettext("Ruling recorded."))
        return redirect("judge_table", event.slug, stage, number, table)
    status = 422 if form.is_bound else 200
    context = {"view": selectors.table_view(match), "form": form}
    return show(request, event, "tournament/judging/table.html", section="desk", status=status, **context)


@judge_page
@require_GET
def table_lists(request: HttpRequest, event: Event, stage: int, number: int, table: int) -> HttpResponse:
    """The registered lists of both players beside each other, in checking order."""
    match = match_or_404(event, stage, number, table)
    view = selectors.table_view(match)
    namesake_places = find_namesakes(event.game)
    sheets = [(side, build_check_sheet(side.version, namesake_places=namesake_places)) for side in view.sides]
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


def player_or_404(event: Event, number: int) -> Player:
    """A player of the event. Raises Http404."""
    return get_object_or_404(event.players.select_related("event", "deck_list__current"), number=number)


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
    """The table of a match; the whole round for who sits at none."""
    place = (event.slug, match.round.stage.position, match.round.number)
    return (
        reverse("judge_table", args=[*place, match.table])
        if match.table
        else reverse("console_round", args=place)
    )


@judge_page
@require_http_methods(["GET", "POST"])
def call(request: HttpRequest, event: Event, call: int, action: str) -> HttpResponse:
    """Take a judge call, or close it with an optional ruling."""
    judge_call = get_object_or_404(JudgeCall.objects.select_related("player", "event"), pk=call, event=event)
    actor = Actor.of_user(request.user)
    if action == "take" and request.method == "POST":
        taken = gettext("You took the call of %(player)s.") % {"player": judge_call.player}
        attempt_step(request, lambda: calls.take_call(judge_call, actor), taken)
        return redirect("judge", event.slug)
    if action != "close":
        raise Http404(gettext("There is no such step."))
    form = CloseCallForm(submitted_data(request), initial={"question": judge_call.words})
    if request.method == "POST" and form.is_valid() and form.close(judge_call, actor):
        resolved = gettext("The call of %(player)s is resolved.") % {"player": judge_call.player}
        messages.success(request, resolved)
        return redirect("judge", event.slug)
    status = 422 if form.is_bound else 200
    return show(
        request,
        event,
        "tournament/judging/call.html",
        section="desk",
        status=status,
        call=judge_call,
        form=form,
    )


def extend_table(request: HttpRequest, check: DeckCheck, minutes: int) -> None:
    """Extend the time of a checked table if it still plays; show a message either way."""
    place = (check.stage, check.round, check.table)
    if not minutes or None in place:
        return
    match = find_match(check.event, check.stage or 0, check.round or 0, check.table or 0)
    if match is None or match.is_finished:
        finished = gettext("Table %(table)s has finished, so it got no extension.") % {"table": check.table}
        messages.info(request, finished)
        return
    actor = Actor.of_user(request.user)
    attempt_step(
        request,
        lambda: clock_services.change_time(
            match.round, actor, minutes=minutes, match=match, reason="Deck check"
        ),
        ngettext(
            "Table %(table)s has %(count)d more minute.",
            "Table %(table)s has %(count)d more minutes.",
            minutes,
        )
        % {"table": check.table, "count": minutes},
    )


DECK_CHECK_STEPS = {
    "reopen": (deck_check_services.reopen_check, gettext_lazy("The deck check is reopened.")),
    "off": (deck_check_services.cancel_check, gettext_lazy("The deck check is canceled.")),
}


@judge_page
@require_http_methods(["GET", "POST"])
def deck_check_list(request: HttpRequest, event: Event) -> HttpResponse:
    """Show deck checks and their outcomes; draw tables at random."""
    form = CheckDrawForm(submitted_data(request))
    if request.method == "POST" and form.is_valid() and form.save(event, Actor.of_user(request.user)):
        messages.success(request, gettext("The tables are drawn."))
        return redirect("judge_checks", event.slug)
    context = {
        "form": form,
        "states": selectors.deck_check_states(event),
        "draws": selectors.check_draws_of(event),
    }
    return show(
        request,
        event,
        "tournament/judging/checks.html",
        section="checks",
        status=422 if form.is_bound else 200,
        **context,
    )


@judge_page
@require_POST
def start_deck_check(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Start a deck check of one player."""
    new_check = deck_check_services.start_check(player_or_404(event, number), Actor.of_user(request.user))
    return redirect("judge_check", event.slug, new_check.pk)


def _get_check(event: Event, check: int) -> DeckCheck:
    deck_checks = DeckCheck.objects.select_related("event", "player", "version__deck_list", "draw")
    return get_object_or_404(deck_checks, pk=check, event=event)


@judge_page
@require_http_methods(["GET", "POST"])
def deck_check(request: HttpRequest, event: Event, check: int) -> HttpResponse:
    """Show the registered list in checking order, and record the outcome."""
    check_row = _get_check(event, check)
    proposed_minutes = selectors.proposed_extension(check_row, timezone.now())
    form = EndCheckForm(submitted_data(request), initial={"extension": proposed_minutes})
    if request.method == "POST" and form.is_valid() and form.save(check_row, Actor.of_user(request.user)):
        extend_table(request, check_row, form.cleaned_data["extension"] or 0)
        finished = gettext("The deck check of %(player)s is finished.") % {"player": check_row.player}
        messages.success(request, finished)
        return redirect("judge_check", event.slug, check_row.pk)
    context = {
        "check": check_row,
        "sheet": build_check_sheet(check_row.version, check_row.ticks),
        "form": form,
        "penalties": check_row.penalties.all(),
        "others": event.deck_checks.filter(outcome="", table=check_row.table).exclude(pk=check_row.pk),
    }
    return show(
        request,
        event,
        "tournament/judging/check.html",
        section="checks",
        status=422 if form.is_bound else 200,
        **context,
    )


@judge_page
@require_POST
def deck_check_ticks(request: HttpRequest, event: Event, check: int) -> HttpResponse:
    """Save one tick (`place`, `ticked`) sent by the script, or all ticks of the form."""
    check_row = _get_check(event, check)
    place = request.POST.get("place", "")
    try:
        if place:
            is_on = request.POST.get("ticked") == "1"
            return JsonResponse(
                {"ticks": deck_check_services.set_tick(check_row, _row_index(place), is_ticked=is_on)}
            )
        deck_check_services.save_ticks(
            check_row, [_row_index(each) for each in request.POST.getlist("ticks")]
        )
    except Refused as refusal:
        if place:
            return JsonResponse({"error": refusal.message}, status=409)
        messages.error(request, refusal.message)
    return redirect("judge_check", event.slug, check_row.pk)


def _row_index(text: str) -> int:
    """The index of a row; -1 if it is not a valid index."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1


@judge_page
@require_POST
def deck_check_step(request: HttpRequest, event: Event, check: int, action: str) -> HttpResponse:
    """Reopen a closed deck check, or cancel an open one."""
    if action not in DECK_CHECK_STEPS:
        raise Http404(gettext("There is no such step."))
    run, success_message = DECK_CHECK_STEPS[action]
    check_row = _get_check(event, check)
    has_run = attempt_step(request, lambda: run(check_row, Actor.of_user(request.user)), str(success_message))
    if action == "off" and has_run:
        return redirect("judge_checks", event.slug)
    return redirect("judge_check", event.slug, check_row.pk)


@judge_page
@require_GET
def penalty_list(request: HttpRequest, event: Event) -> HttpResponse:
    """Show all penalties of the event, newest first."""
    return show(
        request,
        event,
        "tournament/judging/penalties.html",
        section="penalties",
        penalties=list(get_penalties(event)),
    )


@judge_page
@require_http_methods(["GET", "POST"])
def give_penalty(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Give a player a penalty; suggest the level for each infraction."""
    person = player_or_404(event, number)
    history = get_penalty_history(person)
    match = current_match(person)
    is_running = match is not None and match.p2_id is not None and not match.is_finished
    query = request.GET
    infraction = query.get("infraction", "")
    start = {
        "seen": len(history.penalties),
        "check": query.get("check", ""),
        "infraction": infraction,
        "degree": history.suggested.get(infraction, ""),
        "counts": "now" if is_running else "next",
    }
    form = PenaltyForm(submitted_data(request), initial=start)
    if request.method == "POST" and form.is_valid():
        new_penalty = form.save(person, Actor.of_user(request.user))
        if new_penalty:
            given = {"player": person, "penalty": new_penalty.get_degree_display()}
            messages.success(request, gettext("%(player)s: %(penalty)s.") % given)
            return redirect("judge_player", event.slug, number)
    context = {"player": person, "history": history, "form": form, "match": match, "is_running": is_running}
    status = 422 if form.is_bound else 200
    return show(
        request, event, "tournament/judging/penalty.html", section="penalties", status=status, **context
    )


@judge_page
@require_POST
def undo_penalty(request: HttpRequest, event: Event, penalty: int) -> HttpResponse:
    """Undo a penalty and its effect on the match; if refused, show the penalty."""
    penalty_row = get_object_or_404(
        Penalty.objects.select_related("event", "player"), pk=penalty, event=event
    )
    reason = request.POST.get("reason", "").replace("\x00", "")
    actor = Actor.of_user(request.user)
    try:
        remaining_matches = penalty_services.undo_penalty(penalty_row, actor, reason=reason)
    except Refused as refusal:
        show_refusal(request, refusal)
    else:
        undone = gettext("Penalty of %(player)s undone.") % {"player": penalty_row.player}
        messages.success(request, undone)
        for match in remaining_matches:
            messages.warning(request, penalty_services.unchanged_match_message(match))
        if remaining_matches:
            return redirect("console_match", event.slug, remaining_matches[0].pk)
    return redirect_back(request, "judge_player", event.slug, penalty_row.player.number)
