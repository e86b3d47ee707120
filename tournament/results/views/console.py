"""Results pages.

They are for one match, corrections, open tables, drops, slip links and time called.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from decks.shared.refusals import Refused
from tournament.access import permissions
from tournament.access.permissions import Actor, Right
from tournament.brackets.services.bracket import is_last_match
from tournament.clock import selectors
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors import is_in_bracket
from tournament.matches import ResultEntry, format_result
from tournament.results.forms import ResultForm, flatten_entry
from tournament.results.row_html import render_open_rows
from tournament.results.selectors import list_open_tables, list_reports
from tournament.results.services import drops, dry_run, results
from tournament.results.services import time_called as time_called_services
from tournament.results.table_at_time import (
    evaluate_time_called,
    list_seats_at_time,
    read_board_number,
    settlement_of,
)
from tournament.results.views import places
from tournament.results.views.entry import build_question_address, format_duel, get_match
from tournament.shared.coded_texts import format_coded_text
from tournament.shared.links import get_base_url, make_qr_png
from tournament.web.board_fields import PREFIX as BOARDS
from tournament.web.board_fields import list_boards
from tournament.web.console_page import console_page, redirect_back, render_console_page
from tournament.web.detail_fields import PREFIX
from tournament.web.player_page import get_remembered_player
from tournament.web.refusals import add_form_errors, show_refusal


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
def show_match(request: HttpRequest, event: Event, match_id: int) -> HttpResponse:
    """Show a table.

    It shows the players' reports, a form for any result, and decisions with reasons.
    """
    match = get_match(event, match_id)
    if match.is_pod:
        return places.show_table(request, event, match)
    form = ResultForm(match=match, initial=_typed_values(request.GET, match))
    if request.method == "POST":
        permissions.require_right(request.user, event, Right.SCORE)
        form = ResultForm(request.POST, match=match)
        if form.is_valid():
            answer = _enter_form(request, match, form)
            if answer is not None:
                return answer
    reports = list_reports(match)
    context = {
        "match": match,
        "form": form,
        "reports": reports,
        "seats": list_boards(match),
        "result_by": format_coded_text(match.result_by),
    }
    return render_console_page(request, event, "tournament/results/match.html", "rounds", **context)


def _typed_values(query: QueryDict, match: Match) -> dict[str, object]:
    """Return initial values of the form: typed values first, then the current result."""
    names = {
        *ResultForm.base_fields,
        *(name for name in query if name.startswith((f"{PREFIX}.", f"{BOARDS}."))),
    } - {"revision"}
    typed_values: dict[str, str | list[str]] = {
        name: query.get(name, "")[:400] for name in names if name in query
    }
    if "drop" in typed_values:
        typed_values["drop"] = query.getlist("drop")
    initial = ResultForm.initial_of(match)
    return {"revision": initial["revision"], **typed_values} if typed_values else initial


def _enter_form(request: HttpRequest, match: Match, form: ResultForm) -> HttpResponse | None:
    entry, seen_revision = form.entry(), form.cleaned_data["revision"]
    if entry["drop"]:
        permissions.require_right(request.user, match.round.stage.event, Right.PLAYERS)
    try:
        entered_match = results.enter_result(
            match, Actor.of_user(request.user), seen_revision=seen_revision, **entry
        )
    except Refused as refusal:
        if refusal.code == "way_needed":
            return redirect(build_question_address("console_correction", match, entry))
        add_form_errors(form, refusal)
        return None
    messages.success(request, gettext("%(p1)s vs. %(p2)s: %(result)s.") % _describe_match(entered_match))
    return redirect_back(request, "console_round", *_round_arguments(match))


def _describe_match(match: Match) -> dict[str, object]:
    return {"p1": match.p1, "p2": match.p2, "result": format_result(match)}


def _round_arguments(match: Match) -> tuple[str, int, int]:
    return match.round.stage.event.slug, match.round.stage.position, match.round.number


@console_page(Right.SCORE)
@require_http_methods(["GET", "POST"])
def correct_result(request: HttpRequest, event: Event, match_id: int) -> HttpResponse:
    """Show what a corrected result affects, and the ways to repair.

    Nothing is written before one of them is chosen.
    """
    match = get_match(event, match_id)
    if match.is_pod:
        return redirect("console_match", event.slug, match.pk)
    form = ResultForm(request.POST if request.method == "POST" else request.GET, match=match)
    if not form.is_valid():
        return redirect("console_match", event.slug, match.pk)
    entry, actor = form.entry(), Actor.of_user(request.user)
    if entry["drop"]:
        permissions.require_right(request.user, event, Right.PLAYERS)
    try:
        if request.method == "POST":
            return _correct(request, match, form, actor)
        impact = dry_run.preview_correction(match, actor, **entry)
    except Refused as refusal:
        show_refusal(request, refusal)
        name = "console_correction" if refusal.code == "plan_changed_meanwhile" else "console_match"
        return redirect(build_question_address(name, get_match(event, match_id), entry))
    context = {"match": match, "form": form, "impact": impact, "hidden_fields": _hidden_fields(entry, form)}
    return render_console_page(request, event, "tournament/results/correction.html", "rounds", **context)


def _correct(request: HttpRequest, match: Match, form: ResultForm, actor: Actor) -> HttpResponse:
    way = request.POST.get("way", "")
    entered_match = results.enter_result(
        match,
        actor,
        **form.entry(),
        way=way,
        seen_plan=request.POST.get(f"seen-{way}") or None,
        seen_revision=form.cleaned_data["revision"],
    )
    corrected_text = gettext("Corrected: %(p1)s vs. %(p2)s, %(result)s.") % _describe_match(entered_match)
    messages.success(request, corrected_text)
    return redirect("console_round", *_round_arguments(match))


def _hidden_fields(entry: ResultEntry, form: ResultForm) -> list[tuple[str, Any]]:
    values = {**flatten_entry(entry), "revision": form.cleaned_data["revision"], "reason": None}
    pairs = [(name, each) for name, value in values.items() for each in _as_list(value)]
    return [(name, value) for name, value in pairs if value not in ("", None, False)]


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


@console_page(Right.SEE)
@require_GET
def show_open_tables(request: HttpRequest, event: Event) -> HttpResponse:
    """Show open tables and disputed results."""
    rows = list_open_tables(event, timezone.now())
    disputes = [row for row in rows if row.match.is_disputed]
    context = {"rows": rows, "row_html": render_open_rows(rows, event), "disputes": disputes}
    return render_console_page(request, event, "tournament/results/tables.html", "rounds", **context)


@console_page(Right.PLAYERS)
@require_http_methods(["GET", "POST"])
def drop_mid_round(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Drop a player during a round.

    Ask about the open match and show which tables could change.
    """
    player = get_object_or_404(event.players.select_related("event"), number=number)
    actor = Actor.of_user(request.user)
    if request.method == "POST":
        return _drop_player(request, player, actor)
    match = drops.find_open_match(player) if event.is_playing else None
    may_change = match is not None and match.round.stage.kind == "swiss" and player.is_in
    context = {
        "player": player,
        "match": match,
        "in_bracket": is_in_bracket(player),
        "is_last_match": match is not None and is_last_match(match),
        "repairs": dry_run.preview_drop(player, actor) if may_change else None,
        "draft": dry_run.preview_draft_change(player) if event.is_playing and player.is_in else None,
    }
    return render_console_page(request, event, "tournament/results/leave.html", "players", **context)


def _drop_player(request: HttpRequest, player: Player, actor: Actor) -> HttpResponse:
    reason = request.POST.get("reason", "").replace("\0", "").strip()
    open_match_policy, champion = request.POST.get("running", "play"), request.POST.get("champion", "")
    seen_plan = request.POST.get("seen") or None
    try:
        drops.drop(
            player,
            actor,
            reason=reason,
            open_match_policy=open_match_policy,
            seen_plan=seen_plan,
            champion=champion,
        )
    except Refused as refusal:
        show_refusal(request, refusal)
        return redirect("console_leave", player.event.slug, player.number)
    messages.success(request, gettext("%(player)s is dropped.") % {"player": player})
    return redirect("console_player", player.event.slug, player.number)


def _get_slip_match(match_id: int) -> Match:
    matches = Match.objects.select_related("round__stage__event").exclude(round__state=Round.State.DRAFT)
    if match_id > 2**62:
        raise Http404(gettext("There is no such slip."))
    return get_object_or_404(matches, pk=match_id)


@require_safe
def open_slip(request: HttpRequest, match_id: int) -> HttpResponse:
    """Redirect from the code of a slip.

    Staff go to the result, players to their report, all others to the match.
    """
    match = _get_slip_match(match_id)
    stage, event = match.round.stage, match.round.stage.event
    if permissions.has_right(request.user, event, Right.SCORE):
        page = reverse("console_round", args=[event.slug, stage.position, match.round.number])
        return redirect(f"{page}#table-{match.table}")
    player = get_remembered_player(request, event)
    if player is not None and player.seats.filter(match=match).exists():
        return redirect("player_report", player.token)
    return redirect("match", event.slug, match.pk)


@require_safe
def slip_qr_code(request: HttpRequest, match_id: int) -> HttpResponse:
    """Send the code of a slip as a picture.

    It is for slips that are printed from the browser.
    """
    match = _get_slip_match(match_id)
    png = make_qr_png(f"{get_base_url(request)}{reverse('slip', args=[match.pk])}")
    return HttpResponse(png, content_type="image/png")


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
def table_at_time(request: HttpRequest, event: Event, match_id: int) -> HttpResponse:
    """Decide a match when time is called.

    Ask the questions of the game's rule, then offer the result.
    """
    matches = Match.objects.select_related("round__stage__event", "p1", "p2").exclude(p2=None)
    match = get_object_or_404(matches, pk=match_id, round__stage__event=event)
    if match.round.is_draft:
        raise Http404
    if match.is_pod:
        return redirect("console_match", event.slug, match.pk)
    seat = request.GET.get("seat", "A" if event.has_boards else "")
    try:
        board = read_board_number(match, seat)
    except Refused as refusal:
        raise Http404(refusal.message) from refusal
    if request.method == "POST":
        permissions.require_right(request.user, event, Right.SCORE)
        return _save_answers(request, event, match, seat)
    settlement = settlement_of(match, board)
    time_called = evaluate_time_called(match, settlement.facts if settlement else {})
    steps = selectors.list_end_steps(match.round.stage)
    return render_console_page(
        request,
        event,
        "tournament/results/time_called.html",
        "clock",
        match=match,
        advice=time_called,
        settlement=settlement,
        result_by=format_coded_text(match.result_by),
        seats=list_seats_at_time(match),
        seat=seat,
        steps=steps,
    )


def _save_answers(request: HttpRequest, event: Event, match: Match, seat: str) -> HttpResponse:
    actor = Actor.of_user(request.user)
    try:
        if request.POST.get("enter"):
            revision = request.POST.get("revision", "")
            seen_revision = int(revision) if revision.isdecimal() and len(revision) < 10 else None
            settled_match = time_called_services.enter_settled_result(
                match, actor, seen_revision=seen_revision
            )
            result_values = {"table": match.table, "result": format_duel(settled_match, settled_match.score)}
            messages.success(request, gettext("Table %(table)s: %(result)s.") % result_values)
            return redirect_back(request, "console_clock", event.slug)
        time_called_services.save_answers(match, actor, dict(request.POST.items()), seat=seat)
    except Refused as refusal:
        show_refusal(request, refusal)
    return redirect_back(request, "console_time", event.slug, match.pk)
