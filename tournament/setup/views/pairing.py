"""From tournament.views.console.pairing."""

from __future__ import annotations

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.events.models.event import Event
from tournament.leagues.forms import SeasonSeedsForm
from tournament.pairing.forms import ForbiddenPairForm
from tournament.pairing.selectors import halls
from tournament.pairing.services import player_facts as pairing_facts
from tournament.setup.forms.pairing import PairingForm
from tournament.web.console_page import attempt, console_page, show
from tournament.web.locked_form import compared_under_lock


@console_page(Right.MANAGE)
@require_http_methods(["GET", "POST"])
@compared_under_lock
def options(request: HttpRequest, event: Event) -> HttpResponse:
    """How rounds are paired and where in the hall the event plays."""
    form = PairingForm(request.POST or None, event=event)
    if request.method == "POST" and form.is_valid() and form.save(Actor.of_user(request.user)):
        messages.success(request, "The next round is paired this way.")
        return redirect("console_pairing", event.slug)
    return _page(request, event, form=form)


def _page(request: HttpRequest, event: Event, **forms: Form) -> HttpResponse:
    context = {
        "form": forms.get("form") or PairingForm(event=event),
        "pair_form": forms.get("pair_form") or ForbiddenPairForm(event=event),
        "season_form": forms.get("season_form") or SeasonSeedsForm(event=event),
        "pairs": event.forbidden_pairs.select_related("one", "two"),
        "overlaps": halls.overlaps(event),
        "shortage": halls.shortage(event),
        "neighbours": halls.neighbours(event),
    }
    return show(request, event, "tournament/setup/pairing.html", "settings", **context)


@console_page(Right.MANAGE)
@require_POST
def seed_by_season(request: HttpRequest, event: Event) -> HttpResponse:
    """The places in a league become the players' seeds."""
    form = SeasonSeedsForm(request.POST, event=event)
    known = form.save(Actor.of_user(request.user)) if form.is_valid() else None
    if known is None:
        return _page(request, event, season_form=form)
    several = "player has his seed" if known == 1 else "players have their seeds"
    messages.success(request, f"{known} {several} by {form.cleaned_data['league'].name}.")
    return redirect("console_pairing", event.slug)


@console_page(Right.MANAGE)
@require_POST
def forbid(request: HttpRequest, event: Event) -> HttpResponse:
    """Two players never meet."""
    form = ForbiddenPairForm(request.POST, event=event)
    pair = form.save(Actor.of_user(request.user)) if form.is_valid() else None
    if pair is None:
        return _page(request, event, pair_form=form)
    messages.success(request, f"{pair.one} and {pair.two} never meet.")
    return redirect("console_pairing", event.slug)


@console_page(Right.MANAGE)
@require_POST
def allow(request: HttpRequest, event: Event, pair: int) -> HttpResponse:
    """Two players may meet again."""
    found = get_object_or_404(event.forbidden_pairs.select_related("event", "one", "two"), pk=pair)
    done = f"{found.one} and {found.two} may meet."
    attempt(request, lambda: pairing_facts.allow(found, Actor.of_user(request.user)), done)
    return redirect("console_pairing", event.slug)
