"""Deck checks: search, draw, tick, finish."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from decks.shared.refusals import Refused
from tournament.access.permissions import Actor
from tournament.clock import services as clock_services
from tournament.decklists.selectors import build_check_sheet
from tournament.events.models.event import Event
from tournament.judging import selectors
from tournament.judging.deck_check_states import deck_check_states
from tournament.judging.forms import CheckDrawForm, EndCheckForm
from tournament.judging.models import DeckCheck
from tournament.judging.selectors import find_match
from tournament.judging.services import deck_checks as deck_check_services
from tournament.judging.views.page import deck_owner_or_404, judge_page, show, submitted_data
from tournament.web.console_page import attempt_step


def extend_table(request: HttpRequest, check: DeckCheck, minutes: int) -> None:
    """Extend the time of a checked table if it is still playing.

    A message is shown in either case.
    """
    place = (check.stage, check.round, check.table)
    if not minutes or None in place:
        return
    match = find_match(check.event, check.stage or 0, check.round or 0, check.table or 0)
    if match is None or match.is_finished:
        finished_text = gettext("Table %(table)s has finished, so it got no extension.") % {
            "table": check.table
        }
        messages.info(request, finished_text)
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
    words = request.GET.get("q", "").replace("\x00", "").strip()[:100]
    if request.method == "POST" and form.is_valid() and form.save(event, Actor.of_user(request.user)):
        messages.success(request, gettext("The tables are selected."))
        return redirect("judge_checks", event.slug)
    context = {
        "form": form,
        "states": deck_check_states(event, words),
        "words": words,
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
    new_check = deck_check_services.start_check(deck_owner_or_404(event, number), Actor.of_user(request.user))
    return redirect("judge_check", event.slug, new_check.pk)


def _get_check(event: Event, check: int) -> DeckCheck:
    deck_checks = DeckCheck.objects.select_related("event", "player__team", "version__deck_list", "draw")
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
        finished_text = gettext("The deck check of %(player)s is finished.") % {
            "player": check_row.player.full_name
        }
        messages.success(request, finished_text)
        return redirect("judge_check", event.slug, check_row.pk)
    context = {
        "check": check_row,
        "sheet": build_check_sheet(check_row.version, check_row.ticks),
        "form": form,
        "penalties": check_row.penalties.all(),
        "others": event.deck_checks.filter(outcome="", table=check_row.table)
        .exclude(pk=check_row.pk)
        .select_related("player__team"),
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
    """Return the index of a row; -1 if it is not a valid index."""
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
