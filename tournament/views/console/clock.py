"""Console pages of the clock: the round's clock with its buttons, the questions at a table, the settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_POST

from rules import timed
from tournament import permissions
from tournament.errors import Refused
from tournament.forms.clock import ClockForm, ScreenForm, TableTimeForm
from tournament.models import Event, Match, Round
from tournament.permissions import Right
from tournament.selectors import clock as selectors
from tournament.selectors.console import open_matches
from tournament.selectors.time_called import settlement_of, time_called
from tournament.services import clock
from tournament.services import time_called as settlements
from tournament.services.actor import Actor
from tournament.views.console.access import attempt, back, console_page, show
from tournament.views.refusals import say
from tournament.views.under_lock import compared_under_lock

Act = Callable[[Round, Actor, HttpRequest], None]


def _more(played: Round, actor: Actor, request: HttpRequest) -> None:
    text = request.POST.get("minutes", "").strip()
    whole = text.removeprefix("-").removeprefix("+")
    if not (whole.isascii() and whole.isdecimal() and len(whole) < 4):
        raise Refused("minutes_wrong", f"“{text[:20]}” is no number of minutes.", field="minutes")
    minutes = -int(whole) if text.startswith("-") else int(whole)
    clock.change_time(played, actor, minutes=minutes, reason=request.POST.get("reason", ""))


ACTS: dict[str, tuple[Act, str]] = {
    "start": (lambda r, a, q: clock.start(r, a), "The clock runs."),
    "pause": (lambda r, a, q: clock.pause(r, a, reason=q.POST.get("reason", "")), "The clock stands still."),
    "resume": (lambda r, a, q: clock.resume(r, a), "The clock goes on."),
    "more": (_more, "The time is changed."),
    "call-time": (lambda r, a, q: clock.call_time(r, a), "Time is called."),
}


def _played(event: Event) -> Round | None:
    """The round that is being played."""
    playing = Round.objects.select_related("stage__event").filter(stage__event=event)
    return playing.filter(state=Round.State.PUBLISHED).order_by("-stage__position", "-number").first()


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
def show_clock(request: HttpRequest, event: Event) -> HttpResponse:
    """The clock of the round, who still plays, more time for one table, what happens at the end."""
    played = _played(event)
    form = TableTimeForm(request.POST or None, initial={"table": request.GET.get("table", "")})
    if request.method == "POST":
        permissions.require(request.user, event, Right.SCORE)
        if played is None:
            messages.error(request, "No round is being played.")
            return redirect("console_clock", event.slug)
        if form.is_valid() and form.save(played, Actor.of_user(request.user)):
            messages.success(request, f"Table {form.cleaned_data['table']} has more time.")
            return redirect("console_clock", event.slug)
    context = {"form": form, "played": played, **(_round_context(event, played) if played else {})}
    return _asked(form, show(request, event, "clock.html", "clock", **context))


def _asked(form: forms.Form, answer: HttpResponse) -> HttpResponse:
    """The page of a form, marked when the form was refused."""
    answer.status_code = 422 if form.errors else 200
    return answer


def _round_context(event: Event, played: Round) -> dict[str, Any]:
    stage = selectors.stage_word(played.stage)
    return {
        "clock": selectors.round_clock(played),
        "rule": selectors.rule_of(event),
        "steps": timed.end_steps(event.game, event.rules_version, stage),
        "playing": open_matches(event),
    }


@console_page(Right.SCORE)
@require_POST
def act(request: HttpRequest, event: Event, act: str) -> HttpResponse:
    """One press: start, pause, go on, more time for all, call time."""
    if act not in ACTS:
        raise Http404
    step, done = ACTS[act]
    played = _played(event)
    if played is None:
        messages.error(request, "No round is being played.")
        return back(request, "console_clock", event.slug)
    attempt(request, lambda: step(played, Actor.of_user(request.user), request), done)
    return back(request, "console_clock", event.slug)


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
@compared_under_lock
def settings(request: HttpRequest, event: Event) -> HttpResponse:
    """Warning, random end, matches of a bracket."""
    form = ClockForm(request.POST or None, event=event)
    if request.method == "POST" and form.is_valid() and form.save(Actor.of_user(request.user)):
        messages.success(request, "Kept.")
        return redirect("console_clock", event.slug)
    rule = selectors.rule_of(event)
    return _asked(form, show(request, event, "clock_settings.html", "clock", form=form, rule=rule))


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
def table_at_time(request: HttpRequest, event: Event, match_id: int) -> HttpResponse:
    """The questions of the game's rule for one table, the outcome, the result in one press."""
    matches = Match.objects.select_related("round__stage__event", "p1", "p2").exclude(p2=None)
    match = get_object_or_404(matches, pk=match_id, round__stage__event=event)
    if match.round.is_draft:
        raise Http404
    if request.method == "POST":
        permissions.require(request.user, event, Right.SCORE)
        return _answered(request, event, match)
    kept = settlement_of(match)
    found = time_called(match, kept.facts if kept else {})
    steps = timed.end_steps(event.game, event.rules_version, selectors.stage_word(match.round.stage))
    return show(request, event, "time_called.html", "clock", match=match, found=found, kept=kept, steps=steps)


def _answered(request: HttpRequest, event: Event, match: Match) -> HttpResponse:
    actor = Actor.of_user(request.user)
    try:
        if request.POST.get("enter"):
            revision = request.POST.get("revision", "")
            seen = int(revision) if revision.isdecimal() and len(revision) < 10 else None
            settled = settlements.settle(match, actor, seen_revision=seen)
            messages.success(request, f"Table {match.table}: {settled.p1} {settled.score} {settled.p2}.")
            return redirect("console_clock", event.slug)
        settlements.answer(match, actor, dict(request.POST.items()))
    except Refused as refusal:
        say(request, refusal)
    return redirect("console_time", event.slug, match.pk)


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
@compared_under_lock
def screen(request: HttpRequest, event: Event) -> HttpResponse:
    """What the hall screen shows, and its addresses."""
    form = ScreenForm(request.POST or None, event=event)
    if request.method == "POST":
        permissions.require(request.user, event, Right.PAIR)
        if form.is_valid() and form.save(Actor.of_user(request.user)):
            messages.success(request, "The hall screen follows at once.")
            return redirect("console_screen", event.slug)
    return _asked(form, show(request, event, "screen.html", "screen", form=form))
