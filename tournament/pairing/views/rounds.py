"""Console pages of the rounds: pair, look, publish; standings, the cut and the bracket."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST

from decks.shared.refusals import Refused
from tournament.access import rights as permissions
from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.clock.selectors import round_clock
from tournament.events.models.event import Event, Stage
from tournament.events.models.round import Round
from tournament.events.selectors import rounds as events_rounds
from tournament.pairing.selectors import round_page as console
from tournament.pairing.selectors.drafts import draft_view, mark, resting
from tournament.pairing.services import rounds
from tournament.pairing.views.drafts import picked
from tournament.web.console_page import console_page, show
from tournament.web.refusals import say


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
        "all_rounds": events_rounds.rounds_of(event),
        "clock": round_clock(shown),
        **(_draft(request, shown) if shown.is_draft else {}),
    }
    return show(request, event, "tournament/pairing/round.html", "rounds", **context)


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
