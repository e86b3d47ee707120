"""Deck checks: the overview with the draw, one check with its rows to tick."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.decklists.selectors.check_sheet import check_sheet
from tournament.events.models.event import Event
from tournament.judging import selectors
from tournament.judging.forms import DrawForm, EndCheckForm
from tournament.judging.models import DeckCheck
from tournament.judging.services import deck_checks as services
from tournament.judging.views.desk import player_or_404
from tournament.judging.views.page import judge_page, sent, show
from tournament.judging.views.time_extension import extend_table
from tournament.web.console_page import attempt

STEPS = {
    "reopen": (services.reopen_check, "The check is open again."),
    "off": (services.call_off, "The check is called off."),
}


@judge_page
@require_http_methods(["GET", "POST"])
def overview(request: HttpRequest, event: Event) -> HttpResponse:
    """Who was checked and with what outcome; tables drawn at random."""
    form = DrawForm(sent(request))
    if request.method == "POST" and form.is_valid() and form.save(event, Actor.of_user(request.user)):
        messages.success(request, "The tables are drawn.")
        return redirect("judge_checks", event.slug)
    context = {"form": form, "states": selectors.check_states(event), "draws": selectors.draws_of(event)}
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
def begin(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Check one player's deck by hand."""
    made = services.begin_check(player_or_404(event, number), Actor.of_user(request.user))
    return redirect("judge_check", event.slug, made.pk)


def _check(event: Event, check: int) -> DeckCheck:
    held = DeckCheck.objects.select_related("event", "player", "version__deck_list", "draw")
    return get_object_or_404(held, pk=check, event=event)


@judge_page
@require_http_methods(["GET", "POST"])
def check(request: HttpRequest, event: Event, check: int) -> HttpResponse:
    """The registered list in checking order, row by row, and the outcome."""
    held = _check(event, check)
    proposed = selectors.proposed_extension(held, timezone.now())
    form = EndCheckForm(sent(request), initial={"extension": proposed})
    if request.method == "POST" and form.is_valid() and form.save(held, Actor.of_user(request.user)):
        extend_table(request, held, form.cleaned_data["extension"] or 0)
        messages.success(request, f"The check of {held.player} is on record.")
        return redirect("judge_check", event.slug, held.pk)
    context = {
        "check": held,
        "sheet": check_sheet(held.version, held.ticks),
        "form": form,
        "penalties": held.penalties.all(),
        "others": event.deck_checks.filter(outcome="", table=held.table).exclude(pk=held.pk),
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
def ticks(request: HttpRequest, event: Event, check: int) -> HttpResponse:
    """Keep one tick (`place`, `ticked`), as the script sends it, or all of them from the form."""
    held = _check(event, check)
    place = request.POST.get("place", "")
    try:
        if place:
            is_on = request.POST.get("ticked") == "1"
            return JsonResponse({"ticks": services.tick(held, _place(place), ticked=is_on)})
        services.save_ticks(held, [_place(each) for each in request.POST.getlist("ticks")])
    except Refused as refusal:
        if place:
            return JsonResponse({"error": refusal.message}, status=409)
        messages.error(request, refusal.message)
    return redirect("judge_check", event.slug, held.pk)


def _place(written: str) -> int:
    """The place of a row; one that cannot be is no row."""
    return int(written) if written.isascii() and written.isdigit() and len(written) < 6 else -1


@judge_page
@require_POST
def take_step(request: HttpRequest, event: Event, check: int, action: str) -> HttpResponse:
    """Open a closed check again, or call an open one off."""
    if action not in STEPS:
        raise Http404("There is no such step.")
    act, done = STEPS[action]
    held = _check(event, check)
    went = attempt(request, lambda: act(held, Actor.of_user(request.user)), done)
    if action == "off" and went:
        return redirect("judge_checks", event.slug)
    return redirect("judge_check", event.slug, held.pk)
