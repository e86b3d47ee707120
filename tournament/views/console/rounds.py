"""Console pages of the rounds: pair, look, publish; standings, the cut and the bracket."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from tournament import permissions
from tournament.errors import Refused
from tournament.models import Event, Round, Stage
from tournament.permissions import Right
from tournament.selectors import console
from tournament.selectors import cut as cut_selectors
from tournament.selectors.bracket import bracket_view
from tournament.selectors.clock import round_clock
from tournament.selectors.drafts import draft_view, mark, resting
from tournament.selectors.table import standings_table, standings_words
from tournament.services import cuts, rehearsal, rounds
from tournament.services.actor import Actor
from tournament.services.cut_again import make_cut_again
from tournament.views.console.access import attempt, console_page, show
from tournament.views.console.drafts import picked
from tournament.views.refusals import say


def _round(event: Event, stage: int, number: int) -> Round:
    rounds_of = Round.objects.select_related("stage__event").filter(stage__event=event)
    return get_object_or_404(rounds_of, stage__position=stage, number=number)


@console_page(Right.SEE)
@require_GET
def show_round(request: HttpRequest, event: Event, stage: int, number: int) -> HttpResponse:
    """One round: the draft to look at, or the tables with their results."""
    shown = _round(event, stage, number)
    only_open = request.GET.get("show") == "playing"
    context = {
        "round": shown,
        "view": console.round_view(shown, only_open=only_open),
        "only_open": only_open,
        "all_rounds": console.rounds_of(event),
        "clock": round_clock(shown),
        **(_draft(request, shown) if shown.is_draft else {}),
    }
    return show(request, event, "round.html", "rounds", **context)


def _draft(request: HttpRequest, shown: Round) -> dict[str, Any]:
    """What the page of a draft shows besides its tables."""
    draft = draft_view(shown)
    may_pair = permissions.can(request.user, shown.stage.event, Right.PAIR)
    rows = console.round_view(shown).rows
    return {
        "draft": draft,
        "draft_mark": mark(shown),
        "draft_rows": [(row, draft.by_match.get(row.match.pk, [])) for row in rows],
        "picked": picked(request, shown),
        "can_change": may_pair and shown.stage.kind != Stage.Kind.ROBIN,
        "resting": resting(shown),
    }


@console_page(Right.PAIR)
@require_POST
def pair(request: HttpRequest, event: Event) -> HttpResponse:
    """Pair the round the button named."""
    number = request.POST.get("number", "")
    wanted = int(number) if number.isdecimal() else None
    try:
        paired = rounds.pair_next_round(event, Actor.of_user(request.user), number=wanted)
    except Refused as refusal:
        say(request, refusal)
        return redirect("console_event", event.slug)
    return redirect("console_round", event.slug, paired.stage.position, paired.number)


@console_page(Right.SEE)
@require_GET
def standings(request: HttpRequest, event: Event) -> HttpResponse:
    """The table as it stands now, or after a past round, with every tiebreaker."""
    rounds = [r for r in console.rounds_of(event) if not r.stage.is_elimination and not r.is_draft]
    shown = next((r for r in rounds if str(r.number) == request.GET.get("after")), None)
    number = shown.number if shown else None
    context = {
        "table": standings_table(event, after_round=number) if rounds else None,
        "number": number,
        "numbers": [r.number for r in rounds],
        "called": standings_words(event, shown),
    }
    return show(request, event, "standings.html", "standings", **context)


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
def cut(request: HttpRequest, event: Event) -> HttpResponse:
    """Who is in or out and why; making the cut; the bracket."""
    if request.method == "POST":
        permissions.require(request.user, event, Right.PAIR)
        _make_cut(request, event)
        return redirect("console_cut", event.slug)
    stage = cut_selectors.stage_of(event)
    bracket = bracket_view(stage) if stage else None
    again = rehearsal.preview_cut_again(event, Actor.of_user(request.user)) if stage else None
    context = {"stage": stage, "decisions": [], "bracket": bracket, "again": again}
    if event.cut != Event.Cut.NONE and event.stages.exists():
        try:
            context["decisions"] = cut_selectors.decisions(event, stage)
            context["cut_mark"] = cut_selectors.mark(context["decisions"])
        except Refused as refusal:
            context["refusal"] = refusal
    return show(request, event, "cut.html", "cut", **context)


def _make_cut(request: HttpRequest, event: Event) -> None:
    actor, seen = Actor.of_user(request.user), request.POST.get("again", "")
    if seen:
        attempt(request, lambda: make_cut_again(event, actor, seen=seen[:40]), "The cut is made anew.")
    else:
        attempt(
            request, lambda: cuts.make_cut(event, actor, seen=request.POST.get("seen")), "The cut is made."
        )
