"""Bracket pages: the cut, the bracket and the final ranking."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from decks.shared.refusals import Refused
from tournament.access import permissions
from tournament.access.permissions import Actor, Right
from tournament.brackets.selectors.bracket import champion_of_stage, final_ranking, players_without_place
from tournament.brackets.selectors.picture import load_bracket_view
from tournament.brackets.services import cut as cut_services
from tournament.brackets.services.cut import remake_cut
from tournament.brackets.services.stages import is_next_stage_due
from tournament.clock.selectors import get_event_clock
from tournament.events import selectors
from tournament.events.models.event import Event
from tournament.standings.selectors import qualifying
from tournament.web.console_page import attempt_step, console_page, render_console_page
from tournament.web.public_page import PageContext, public_page


@console_page(Right.SEE)
@require_http_methods(["GET", "POST"])
def console_cut(request: HttpRequest, event: Event) -> HttpResponse:
    """Show who is in the cut and why; make the cut; show the bracket."""
    if request.method == "POST":
        permissions.require_right(request.user, event, Right.PAIR)
        _make_or_remake_cut(request, event)
        return redirect("console_cut", event.slug)
    stage = selectors.get_bracket_stage(event)
    bracket = load_bracket_view(stage) if stage else None
    again = cut_services.preview_remade_cut(event, Actor.of_user(request.user)) if stage else None
    context: dict[str, object] = {"stage": stage, "decisions": [], "bracket": bracket, "again": again}
    context["is_cut_due"] = stage is None and is_next_stage_due(event)
    if event.cut != Event.Cut.NONE and event.stages.exists():
        try:
            decisions = qualifying.list_cut_decisions(event, stage)
            context |= {"decisions": decisions, "cut_mark": qualifying.fingerprint_decisions(decisions)}
        except Refused as refusal:
            context["refusal"] = refusal
    return render_console_page(request, event, "tournament/brackets/cut.html", "cut", **context)


def _make_or_remake_cut(request: HttpRequest, event: Event) -> None:
    actor, seen_cut = Actor.of_user(request.user), request.POST.get("again", "")
    if seen_cut:
        attempt_step(
            request, lambda: remake_cut(event, actor, seen_mark=seen_cut[:40]), gettext("The cut is re-made.")
        )
    else:
        attempt_step(
            request,
            lambda: cut_services.make_cut(event, actor, seen_mark=request.POST.get("seen")),
            gettext("The cut is made."),
        )


@public_page("ranking")
def public_ranking(request: HttpRequest, event: Event, context: PageContext) -> HttpResponse:
    """Show the final ranking over all stages of a finished event."""
    is_over = event.phase == Event.Phase.FINISHED
    ranking_context = (
        {"ranking": final_ranking(event), "without_place": players_without_place(event)} if is_over else {}
    )
    return render(request, "tournament/brackets/public_ranking.html", {**context, **ranking_context})


@public_page("cut")
def public_cut(
    request: HttpRequest,
    event: Event,
    context: PageContext,
) -> HttpResponse:
    """Show for every player whether they are in the cut, and why."""
    if event.cut == Event.Cut.NONE:
        raise Http404(gettext("This event has no cut."))
    stage = selectors.get_bracket_stage(event)
    rows, refusal = [], None
    if selectors.exclude_bracket_rounds(context["rounds"]):
        try:
            rows = qualifying.list_cut_decisions(event, stage)
        except Refused as error:
            refusal = error
    remade_at = max(
        (r.amended_at for r in context["rounds"] if stage and r.stage_id == stage.pk and r.amended_at),
        default=None,
    )
    extra = {"stage": stage, "decisions": rows, "refusal": refusal, "remade_at": remade_at}
    return render(request, "tournament/brackets/public_cut.html", {**context, **extra})


@public_page("bracket")
def public_bracket(request: HttpRequest, event: Event, context: PageContext) -> HttpResponse:
    """Show the bracket, and the champion."""
    if not event.has_bracket:
        raise Http404(gettext("This event has no bracket."))
    stage = selectors.get_bracket_stage(event)
    extra = {
        "stage": stage,
        "bracket": load_bracket_view(stage) if stage else None,
        "clock": get_event_clock(event),
        "champion": champion_of_stage(stage) if stage else None,
    }
    return render(request, "tournament/brackets/public_bracket.html", {**context, **extra})
