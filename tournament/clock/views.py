"""Console pages and forms of the round clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from decks.shared.edit_conflicts import ConcurrentEditForm
from decks.shared.refusals import Refused
from rules import timed
from tournament.access import permissions
from tournament.access.permissions import Actor, Right
from tournament.clock import selectors
from tournament.clock import services as clock
from tournament.clock.selectors import MAX_MINUTES, get_clock_rules
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.events.selectors import get_open_matches
from tournament.web.console_page import (
    attempt_step,
    console_page,
    form_response,
    lock_row_on_post,
    redirect_back,
    render_console_page,
)
from tournament.web.refusals import attempt_form_step

Act = Callable[[Round, Actor, HttpRequest], None]


def _add_time(played: Round, actor: Actor, request: HttpRequest) -> None:
    text = request.POST.get("minutes", "").strip()
    whole = text.removeprefix("-").removeprefix("+")
    if not (whole.isascii() and whole.isdecimal() and len(whole) < 4):
        raise Refused("minutes_wrong", f"“{text[:20]}” is no number of minutes.", field="minutes")
    minutes = -int(whole) if text.startswith("-") else int(whole)
    clock.change_time(played, actor, minutes=minutes, reason=request.POST.get("reason", ""))


ACTS: dict[str, tuple[Act, str]] = {
    "start": (lambda r, a, q: clock.start_clock(r, a), "The clock runs."),
    "pause": (
        lambda r, a, q: clock.pause_clock(r, a, reason=q.POST.get("reason", "")),
        "The clock stands still.",
    ),
    "resume": (lambda r, a, q: clock.resume_clock(r, a), "The clock goes on."),
    "more": (_add_time, "The time is changed."),
    "call-time": (lambda r, a, q: clock.call_time(r, a), "Time is called."),
}


def _get_played_round(event: Event) -> Round | None:
    """The round that is being played."""
    playing = Round.objects.select_related("stage__event").filter(stage__event=event)
    return playing.filter(state=Round.State.PUBLISHED).order_by("-stage__position", "-number").first()


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
def show_clock(request: HttpRequest, event: Event) -> HttpResponse:
    """The clock of the round, who still plays, more time for one table, what happens at the end."""
    played = _get_played_round(event)
    form = TableTimeForm(request.POST or None, initial={"table": request.GET.get("table", "")})
    if request.method == "POST":
        permissions.require_right(request.user, event, Right.SCORE)
        if played is None:
            messages.error(request, "No round is being played.")
            return redirect("console_clock", event.slug)
        if form.is_valid() and form.save(played, Actor.of_user(request.user)):
            messages.success(request, f"Table {form.cleaned_data['table']} has more time.")
            return redirect("console_clock", event.slug)
    context = {"form": form, "played": played, **(_round_context(event, played) if played else {})}
    return form_response(
        form, render_console_page(request, event, "tournament/clock/clock.html", "clock", **context)
    )


def _round_context(event: Event, played: Round) -> dict[str, Any]:
    stage = selectors.get_stage_word(played.stage)
    return {
        "clock": selectors.get_round_clock(played),
        "rule": selectors.get_clock_rules(event),
        "steps": timed.end_steps(event.game, event.rules_version, stage),
        "playing": get_open_matches(event),
    }


@console_page(Right.SCORE)
@require_POST
def run_clock_action(request: HttpRequest, event: Event, act: str) -> HttpResponse:
    """One press: start, pause, go on, more time for all, call time."""
    if act not in ACTS:
        raise Http404
    step, done = ACTS[act]
    played = _get_played_round(event)
    if played is None:
        messages.error(request, "No round is being played.")
        return redirect_back(request, "console_clock", event.slug)
    attempt_step(request, lambda: step(played, Actor.of_user(request.user), request), done)
    return redirect_back(request, "console_clock", event.slug)


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
@lock_row_on_post
def clock_settings(request: HttpRequest, event: Event) -> HttpResponse:
    """Warning, random end, matches of a bracket."""
    form = ClockForm(request.POST or None, event=event)
    if request.method == "POST" and form.is_valid() and form.save(Actor.of_user(request.user)):
        messages.success(request, "Kept.")
        return redirect("console_clock", event.slug)
    rule = selectors.get_clock_rules(event)
    return form_response(
        form,
        render_console_page(
            request, event, "tournament/clock/clock_settings.html", "clock", form=form, rule=rule
        ),
    )


def _minutes(label: str, help_text: str = "") -> forms.IntegerField:
    return forms.IntegerField(
        required=False, min_value=0, max_value=MAX_MINUTES, label=label, help_text=help_text
    )


class ClockForm(ConcurrentEditForm):
    """How an event's rounds are timed beyond their minutes."""

    warning = _minutes("Warning, minutes before the end")
    elimination = _minutes(
        "Minutes of a match in a bracket", "Empty: as in the other rounds. 0: played without a clock."
    )
    hidden_from = _minutes("Random end: not before minute")
    hidden_to = _minutes(
        "Random end: not after minute",
        "The end is drawn when the clock starts, and nobody sees it before it comes.",
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        self.event = event
        kept = {name: event.clock_options.get(name) for name in self.base_fields}
        super().__init__(*args, initial=kept, **kwargs)
        self.carry_initial_values()
        stated = get_clock_rules(event).warning_minutes_left
        usual = (
            f"Empty: {stated}, as the rule has it." if stated else "Empty: none; the rule knows no warning."
        )
        self.fields["warning"].help_text = f"{usual} 0: no warning."

    def save(self, actor: Actor) -> bool:
        """Keep it; False when the services refused, with the reasons beside the fields."""
        chosen = {name: value for name, value in self.cleaned_data.items() if value is not None}
        attempt_form_step(self, lambda: clock.set_clock_options(self.event, actor, chosen))
        return not self.errors


class TableTimeForm(forms.Form):
    """More time for one table, with the reason."""

    table = forms.IntegerField(min_value=1, max_value=99999, label="Table")
    minutes = forms.IntegerField(min_value=1, max_value=clock.MOST_MINUTES, label="Minutes more", initial=3)
    reason = forms.CharField(max_length=200, label="Why")

    def save(self, played: Round, actor: Actor) -> bool:
        """Give the time; False when the services refused."""
        attempt_form_step(self, lambda: self._give(played, actor))
        return not self.errors

    def _give(self, played: Round, actor: Actor) -> None:
        number = self.cleaned_data["table"]
        match = played.matches.filter(table=number).first()
        if match is None:
            raise Refused(
                "no_such_table", f"There is no table {number} in round {played.number}.", field="table"
            )
        values = {name: self.cleaned_data[name] for name in ("minutes", "reason")}
        clock.change_time(played, actor, match=match, **values)
