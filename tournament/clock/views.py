"""Console pages and forms of the round clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from decks.shared.edit_conflicts import ConcurrentEditForm
from decks.shared.refusals import Refused
from tournament.access import permissions
from tournament.access.permissions import Actor, Right
from tournament.clock import selectors, services
from tournament.clock.build_time import BuildTime, Timed
from tournament.clock.options import MAX_MINUTES
from tournament.clock.selectors import get_clock_rules
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
    save_form,
)
from tournament.web.refusals import attempt_form_step

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

Act = Callable[[Timed, Actor, HttpRequest], None]


def _start(timed_part: Timed, actor: Actor, request: HttpRequest) -> None:
    minutes = _read_minutes(request) if "minutes" in request.POST else None
    services.start_clock(timed_part, actor, minutes=minutes)


def _add_time(timed_part: Timed, actor: Actor, request: HttpRequest) -> None:
    minutes = _read_minutes(request)
    services.change_time(timed_part, actor, minutes=minutes, reason=request.POST.get("reason", ""))


def _read_minutes(request: HttpRequest) -> int:
    text = request.POST.get("minutes", "").strip()
    digits = text.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 4):
        raise Refused("minutes_wrong.not_a_number", field="minutes", text=text[:20])
    return -int(digits) if text.startswith("-") else int(digits)


ACTS: dict[str, tuple[Act, StrOrPromise]] = {
    "start": (_start, gettext_lazy("The clock is running.")),
    "pause": (
        lambda r, a, q: services.pause_clock(r, a, reason=q.POST.get("reason", "")),
        gettext_lazy("The clock is paused."),
    ),
    "resume": (lambda r, a, q: services.resume_clock(r, a), gettext_lazy("The clock is running again.")),
    "more": (_add_time, gettext_lazy("The time is changed.")),
    "call-time": (lambda r, a, q: services.call_time(r, a), gettext_lazy("Time is called.")),
}


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
def show_clock(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the clock, open tables and extra time of tables.

    The page also has the procedure when time is called.
    """
    timed_part = selectors.find_timed(event)
    round_ = timed_part if isinstance(timed_part, Round) else None
    form = TableTimeForm(request.POST or None, initial={"table": request.GET.get("table", "")})
    if request.method == "POST":
        permissions.require_right(request.user, event, Right.SCORE)
        if round_ is None:
            messages.error(request, gettext("No round is in progress."))
            return redirect("console_clock", event.slug)
        if form.is_valid() and form.save(round_, Actor.of_user(request.user)):
            table = form.cleaned_data["table"]
            messages.success(request, gettext("Table %(table)s has a time extension.") % {"table": table})
            return redirect("console_clock", event.slug)
    context: dict[str, object] = {"form": form, "shown_round": round_}
    if round_ is not None:
        context |= _round_context(event, round_)
    elif isinstance(timed_part, BuildTime):
        context |= {"clock": selectors.get_build_clock(event), "limited": timed_part.limited}
    return form_response(
        form, render_console_page(request, event, "tournament/clock/clock.html", "clock", **context)
    )


def _round_context(event: Event, round_: Round) -> dict[str, object]:
    return {
        "clock": selectors.get_round_clock(round_),
        "rule": selectors.get_clock_rules(event),
        "steps": selectors.list_end_steps(round_.stage),
        "open_matches": get_open_matches(event),
    }


@console_page(Right.SCORE)
@require_POST
def run_clock_action(request: HttpRequest, event: Event, act: str) -> HttpResponse:
    """Start, pause or resume the clock, add time for all tables, or call time."""
    if act not in ACTS:
        raise Http404
    step, success_message = ACTS[act]
    timed_part = selectors.find_timed(event)
    if timed_part is None:
        messages.error(request, gettext("No round is in progress."))
        return redirect_back(request, "console_clock", event.slug)
    attempt_step(
        request, lambda: step(timed_part, Actor.of_user(request.user), request), str(success_message)
    )
    return redirect_back(request, "console_clock", event.slug)


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
@lock_row_on_post
def clock_settings(request: HttpRequest, event: Event) -> HttpResponse:
    """Change the warning, the random end and the clock of bracket matches."""
    form = ClockForm(request.POST or None, event=event)
    if save_form(request, form):
        messages.success(request, gettext("Timer settings saved."))
        return redirect("console_clock", event.slug)
    rule = selectors.get_clock_rules(event)
    return form_response(
        form,
        render_console_page(
            request, event, "tournament/clock/clock_settings.html", "clock", form=form, rule=rule
        ),
    )


def _minutes(label: StrOrPromise, help_text: StrOrPromise = "") -> forms.IntegerField:
    return forms.IntegerField(
        required=False, min_value=0, max_value=MAX_MINUTES, label=label, help_text=help_text
    )


class ClockForm(ConcurrentEditForm):
    """Clock settings of an event: warning, random end, bracket matches."""

    warning = _minutes(gettext_lazy("Warning (minutes before the end)"))
    elimination = _minutes(
        gettext_lazy("Minutes per bracket match"),
        gettext_lazy("Leave empty for the same as other rounds. 0 means no clock."),
    )
    hidden_from = _minutes(gettext_lazy("Random end, earliest minute"))
    hidden_to = _minutes(
        gettext_lazy("Random end, latest minute"),
        gettext_lazy("The end is random and stays hidden until it comes."),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        self.event = event
        kwargs["initial"] = {name: event.clock_options.get(name) for name in self.base_fields}
        super().__init__(*args, **kwargs)
        self.carry_initial_values()
        rule_minutes = get_clock_rules(event).warning_minutes_left
        self.fields["warning"].help_text = (
            gettext("Leave empty for %(minutes)d, the default of the game. 0 means no warning.")
            % {"minutes": rule_minutes}
            if rule_minutes
            else gettext("Leave empty for no warning, the default of the game.")
        )

    def save(self, actor: Actor) -> bool:
        """Save the settings; False if refused, with the reasons as field errors."""
        options = {name: value for name, value in self.cleaned_data.items() if value is not None}
        attempt_form_step(self, lambda: services.set_clock_options(self.event, actor, options))
        return not self.errors


class TableTimeForm(forms.Form):
    """Extra time for one table, with the reason."""

    table = forms.IntegerField(min_value=1, max_value=99999, label=gettext_lazy("Table"))
    minutes = forms.IntegerField(
        min_value=1, max_value=services.MOST_MINUTES, label=gettext_lazy("Extra minutes"), initial=3
    )
    reason = forms.CharField(max_length=200, label=gettext_lazy("Reason"))

    def save(self, round_: Round, actor: Actor) -> bool:
        """Add the extra time; False if refused."""
        attempt_form_step(self, lambda: self._give(round_, actor))
        return not self.errors

    def _give(self, round_: Round, actor: Actor) -> None:
        number = self.cleaned_data["table"]
        match = round_.matches.filter(table=number).first()
        if match is None:
            raise Refused("no_such_table.in_round", field="table", table=number, round=round_.number)
        values = {name: self.cleaned_data[name] for name in ("minutes", "reason")}
        services.change_time(round_, actor, match=match, **values)
