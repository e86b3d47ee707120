"""Console pages of the clock: the round's clock with its buttons, the questions at a table, the settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from decks.shared.refusals import Refused
from rules import timed
from tournament.access import rights as permissions
from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.clock import selectors
from tournament.clock import services as clock
from tournament.clock.forms import ClockForm, TableTimeForm
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.events.selectors.rounds import open_matches
from tournament.web.console_page import attempt, back, console_page, show
from tournament.web.locked_form import compared_under_lock

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
    return _asked(form, show(request, event, "tournament/clock/clock.html", "clock", **context))


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
    return _asked(
        form, show(request, event, "tournament/clock/clock_settings.html", "clock", form=form, rule=rule)
    )
