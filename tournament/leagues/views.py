"""Pages of leagues: tables for everyone, settings for the owner."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from decks.shared.refusals import Refused
from tournament.access.permissions import Actor, get_signed_in_user
from tournament.leagues import selectors, services
from tournament.leagues.forms import LeagueEventForm, LeagueForm, SamePersonForm
from tournament.leagues.models import League, SamePerson
from tournament.leagues.owner_page import league_owner_page
from tournament.leagues.selectors import zone_of_league
from tournament.web.console_page import lock_row_on_post
from tournament.web.refusals import show_refusal

SHOWN_LINES = 50
MAX_ID = 2**63 - 1


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show all leagues, and those that the user runs."""
    managed_ids = {league.pk for league in selectors.managed_leagues(request.user)}
    return render(
        request, "tournament/leagues/index.html", {"leagues": League.objects.all(), "own": managed_ids}
    )


@require_safe
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table of a league."""
    league_row = get_object_or_404(League, slug=slug)
    context = {
        "league": league_row,
        "table": selectors.league_table(league_row),
        "may_run": selectors.can_manage_league(request.user, league_row),
    }
    return render(request, "tournament/leagues/league.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def new_league(request: HttpRequest) -> HttpResponse:
    """Create a league."""
    form = LeagueForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        league_row = form.save(get_signed_in_user(request.user))
        if league_row is not None:
            messages.success(request, gettext("League created. Add its events now."))
            return redirect("league_edit", league_row.slug)
    return render(request, "tournament/leagues/new.html", {"form": form}, status=422 if form.errors else 200)


@league_owner_page
@require_http_methods(["GET", "POST"])
@lock_row_on_post
def edit_league(request: HttpRequest, league: League) -> HttpResponse:
    """Edit a league; its events and players have separate forms on the page."""
    form = LeagueForm(request.POST or None, league=league)
    if (
        request.method == "POST"
        and form.is_valid()
        and form.save(get_signed_in_user(request.user)) is not None
    ):
        messages.success(request, gettext("League saved."))
        return redirect("league_edit", league.slug)
    return _league_page(request, league, form=form)


def _league_page(request: HttpRequest, league: League, **forms: Any) -> HttpResponse:
    table = selectors.league_table(league)
    context = {
        "league": league,
        "table": table,
        "entries": league.entries.select_related("event"),
        "lines": selectors.show_lines(league.log.all()[:SHOWN_LINES]),
        "zone": zone_of_league(league, get_signed_in_user(request.user)),
        "words": SamePerson.objects.filter(league=league).select_related("one__event", "two__event"),
        "form": LeagueForm(league=league),
        "event_form": LeagueEventForm(league=league, user=get_signed_in_user(request.user)),
        "same_form": SamePersonForm(league=league, table=table),
        **forms,
    }
    has_errors = any(form.errors for form in forms.values())
    return render(request, "tournament/leagues/edit.html", context, status=422 if has_errors else 200)


@league_owner_page
@require_POST
def add_event(request: HttpRequest, league: League) -> HttpResponse:
    """Put an event into the league."""
    form = LeagueEventForm(request.POST, league=league, user=get_signed_in_user(request.user))
    if form.is_valid() and form.save():
        sentence = gettext("%(event)s counts for the league now.") % {"event": form.cleaned_data["event"]}
        messages.success(request, sentence)
        return redirect("league_edit", league.slug)
    return _league_page(request, league, event_form=form)


@league_owner_page
@require_POST
def remove_event(request: HttpRequest, league: League, entry: int) -> HttpResponse:
    """Remove an event from the league."""
    services.remove_event(league, Actor.of_user(request.user), entry)
    messages.success(request, gettext("The event no longer counts."))
    return redirect("league_edit", league.slug)


@league_owner_page
@require_POST
def mark_same_person(request: HttpRequest, league: League) -> HttpResponse:
    """Mark two registrations as one person."""
    form = SamePersonForm(request.POST, league=league, table=selectors.league_table(league))
    if form.is_valid() and form.save(Actor.of_user(request.user)):
        messages.success(request, gettext("The players are merged."))
        return redirect("league_edit", league.slug)
    return _league_page(request, league, same_form=form)


@league_owner_page
@require_POST
def unmark_same_person(request: HttpRequest, league: League, word: int) -> HttpResponse:
    """Mark two registrations as two people again."""
    services.unmark_same_person(league, Actor.of_user(request.user), word)
    messages.success(request, gettext("The players are separate again."))
    return redirect("league_edit", league.slug)


@league_owner_page
@require_POST
def undo_change(request: HttpRequest, league: League, line: int) -> HttpResponse:
    """Undo an entry of the league's log."""
    log_line = get_object_or_404(league.log.select_related("league"), pk=min(line, MAX_ID))
    try:
        services.undo_league_change(log_line, Actor.of_user(request.user))
    except Refused as refusal:
        show_refusal(request, refusal)
    else:
        messages.success(request, gettext("Undone."))
    return redirect("league_edit", league.slug)
