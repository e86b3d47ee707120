"""Console pages of results: one line a slip, one page a table, what a correction touches, what is open."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from decks.shared.refusals import Refused
from tournament.access import rights as permissions
from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.events.selectors import rounds as console
from tournament.matches.result import in_words
from tournament.pairing.selectors import round_page
from tournament.results.forms.entry import ResultForm, read_slip
from tournament.results.selectors.open_tables import match_history, open_tables
from tournament.results.services import preview as rehearsal
from tournament.results.services import results
from tournament.web.console_page import back, console_page, show
from tournament.web.form_refusals import add_refusals
from tournament.web.refusals import say

ASKED = frozenset({"way_needed", "reason_needed", "another_result_stands", "too_early_for_no_show"})
MOST_NUMBER = 10


def match_of(event: Event, match_id: int) -> Match:
    """A match of the event with a published round, or the page that says there is none."""
    related = Match.objects.select_related("round__stage__event", "p1", "p2")
    return get_object_or_404(related, pk=match_id, round__stage__event=event)


def _round(event: Event, stage: int, number: int) -> Round:
    related = Round.objects.select_related("stage__event").filter(stage__event=event)
    return get_object_or_404(related, stage__position=stage, number=number)


@console_page(Right.SCORE)
@require_POST
def quick_result(request: HttpRequest, event: Event, stage: int, number: int) -> HttpResponse:
    """One line of a slip. Where another result stands already, the page of the table asks."""
    played = _round(event, stage, number)
    try:
        slip = read_slip(request.POST.get("line", "").replace("\0", ""))
        match = played.matches.filter(table=slip.table).first()
        if match is None:
            raise Refused("no_such_table", f"There is no table {slip.table} in round {number}.")
    except Refused as refusal:
        say(request, refusal)
        return _after_result(request, event, stage, number)
    match = match_of(event, match.pk)
    return _enter(request, event, match, {**slip.entry, "drop": slip.drop}, overwrite=False)


@console_page(Right.SCORE)
@require_POST
def match_result(request: HttpRequest, event: Event, match_id: int) -> HttpResponse:
    """The buttons of one table; the page's revision guards against overwriting somebody else's entry."""
    match = match_of(event, match_id)
    seen = _number(request.POST.get("revision", ""))
    score = request.POST.get("score", "").replace("\0", "")
    where = (event, match.round.stage.position, match.round.number)
    try:
        if score != "clear":
            entry = read_slip(f"{match.table or 0} {score}").entry
            reason = request.POST.get("reason", "").replace("\0", "")[:400]
            return _enter(request, event, match, entry, seen_revision=seen, reason=reason)
        results.clear_result(match, Actor.of_user(request.user), seen_revision=seen)
    except Refused as refusal:
        say(request, refusal)
    return _after_result(request, *where)


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < MOST_NUMBER else None


def _enter(
    request: HttpRequest, event: Event, match: Match, entry: dict[str, Any], **guards: Any
) -> HttpResponse:
    if entry.get("drop"):
        permissions.require(request.user, event, Right.PLAYERS)
    try:
        entered = results.enter_result(match, Actor.of_user(request.user), **entry, **guards)
        where = f"Table {entered.table}" if entered.table else "The match"
        messages.success(request, f"{where}: {entered.p1} {in_words(entered)} {entered.p2}.")
        if (other := _other_round(event, match)) is not None:
            messages.info(request, f"This is round {match.round.number}; {other} is being played.")
    except Refused as refusal:
        if refusal.code in ASKED:
            return _asked(request, match, entry, refusal)
        say(request, refusal)
    return _after_result(request, event, match.round.stage.position, match.round.number)


def _other_round(event: Event, match: Match) -> str | None:
    """The round that is being played, where a result was entered for an earlier one; else None."""
    running = console.latest_round(event)
    if running is None or running.pk == match.round_id or match.round.stage.is_elimination:
        return None
    if running.state != Round.State.PUBLISHED:
        return None
    return "the bracket" if running.stage.is_elimination else f"round {running.number}"


def _asked(request: HttpRequest, match: Match, entry: dict[str, Any], refusal: Refused) -> HttpResponse:
    """Lead to the page on which the question can be answered, with what was typed."""
    name = "console_correction" if refusal.code == "way_needed" else "console_match"
    if refusal.code != "way_needed":
        say(request, refusal)
    address = _address(name, match, entry)
    if not getattr(request, "htmx", False):
        return redirect(address)
    return HttpResponse(status=204, headers={"HX-Redirect": address})


def _address(name: str, match: Match, entry: dict[str, Any]) -> str:
    typed = {key: value for key, value in entry.items() if value not in ("", None, False, (), [])}
    query = urlencode({**typed, "revision": match.revision}, doseq=True)
    return f"{reverse(name, args=[match.round.stage.event.slug, match.pk])}?{query}"


def _after_result(request: HttpRequest, event: Event, stage: int, number: int) -> HttpResponse:
    if not getattr(request, "htmx", False):
        return back(request, "console_round", event.slug, stage, number)
    event.refresh_from_db()
    shown = Round.objects.filter(stage__event=event, stage__position=stage, number=number).first()
    if shown is None:
        return HttpResponse(status=204, headers={"HX-Redirect": reverse("console_event", args=[event.slug])})
    only_open = request.POST.get("show") == "playing"
    context = {
        "round": shown,
        "view": round_page.round_view(shown, only_open=only_open),
        "only_open": only_open,
        "is_partial": True,
    }
    return show(request, event, "tournament/results/_round_tables.html", "rounds", **context)


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
def table(request: HttpRequest, event: Event, match_id: int) -> HttpResponse:
    """One table: who said what, everything a result can be, and the decision with its reason."""
    match = match_of(event, match_id)
    form = ResultForm(match=match, initial=_typed(request.GET, match))
    if request.method == "POST":
        permissions.require(request.user, event, Right.SCORE)
        form = ResultForm(request.POST, match=match)
        if form.is_valid():
            answer = _enter_form(request, match, form)
            if answer is not None:
                return answer
    reports = match_history(match)
    disputed = len(reports) == 2 and reports[0].says != reports[1].says and not match.is_finished
    context = {"match": match, "form": form, "reports": reports, "is_disputed": disputed}
    return show(request, event, "tournament/results/match.html", "rounds", **context)


def _typed(query: QueryDict, match: Match) -> dict[str, Any]:
    """What somebody typed elsewhere, over what stands."""
    names = set(ResultForm.base_fields) - {"revision"}
    told = {name: query.get(name, "")[:400] for name in names if name in query}
    if "drop" in told:
        told["drop"] = query.getlist("drop")
    initial = ResultForm.initial_of(match)
    return {"revision": initial["revision"], **told} if told else initial


def _enter_form(request: HttpRequest, match: Match, form: ResultForm) -> HttpResponse | None:
    entry, seen = form.entry(), form.cleaned_data["revision"]
    if entry["drop"]:
        permissions.require(request.user, match.round.stage.event, Right.PLAYERS)
    try:
        entered = results.enter_result(match, Actor.of_user(request.user), seen_revision=seen, **entry)
    except Refused as refusal:
        if refusal.code == "way_needed":
            return redirect(_address("console_correction", match, entry))
        add_refusals(form, refusal)
        return None
    messages.success(request, f"{entered.p1} against {entered.p2}: {in_words(entered)}.")
    return back(request, "console_round", *_place(match))


def _place(match: Match) -> tuple[str, int, int]:
    return match.round.stage.event.slug, match.round.stage.position, match.round.number


@console_page(Right.SCORE)
@require_http_methods(["GET", "POST"])
def correction(request: HttpRequest, event: Event, match_id: int) -> HttpResponse:
    """What a changed result touches, and the ways out; nothing is written before one is chosen."""
    match = match_of(event, match_id)
    form = ResultForm(request.POST if request.method == "POST" else request.GET, match=match)
    if not form.is_valid():
        return redirect("console_match", event.slug, match.pk)
    entry, actor = form.entry(), Actor.of_user(request.user)
    if entry["drop"]:
        permissions.require(request.user, event, Right.PLAYERS)
    try:
        if request.method == "POST":
            return _correct(request, match, form, actor)
        told = rehearsal.preview(match, actor, **entry)
    except Refused as refusal:
        say(request, refusal)
        name = "console_correction" if refusal.code == "plan_changed_meanwhile" else "console_match"
        return redirect(_address(name, match_of(event, match_id), entry))
    context = {"match": match, "form": form, "told": told, "kept": _hidden(entry, form)}
    return show(request, event, "tournament/results/correction.html", "rounds", **context)


def _correct(request: HttpRequest, match: Match, form: ResultForm, actor: Actor) -> HttpResponse:
    entered = results.enter_result(
        match,
        actor,
        **form.entry(),
        way=request.POST.get("way", ""),
        seen_plan=request.POST.get("seen") or None,
        seen_revision=form.cleaned_data["revision"],
    )
    messages.success(request, f"Corrected: {entered.p1} against {entered.p2}, {in_words(entered)}.")
    return redirect("console_round", *_place(match))


def _hidden(entry: dict[str, Any], form: ResultForm) -> list[tuple[str, Any]]:
    values = {**entry, "revision": form.cleaned_data["revision"], "reason": None}
    pairs = [(name, each) for name, value in values.items() for each in _each(value)]
    return [(name, value) for name, value in pairs if value not in ("", None, False)]


def _each(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


@console_page(Right.SEE)
@require_GET
def tables(request: HttpRequest, event: Event) -> HttpResponse:
    """The tables still playing and the results that players disagree about."""
    rows = open_tables(event, timezone.now())
    disputes = [row for row in rows if row.is_disputed]
    return show(request, event, "tournament/results/tables.html", "rounds", rows=rows, disputes=disputes)
