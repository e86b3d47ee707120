"""A submitted version on any day, and on two days side by side: for its player and for staff."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

import rules
from decks.checking.days import TwoDays
from decks.checking.forms import DaysForm
from decks.submissions.models import DeckVersion
from decks.submissions.selectors.days import verdict_on
from tournament.access.rights import Right
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.web.console_page import console_page
from tournament.web.console_page import show as show_console
from tournament.web.player_page import player_page
from tournament.web.player_page import show as show_player


@player_page
@require_safe
def of_player(request: HttpRequest, player: Player, number: int) -> HttpResponse:
    """My version on the days I choose."""
    version = _version(player, number)
    return show_player(
        request,
        player,
        "tournament/decklists/player_list_days.html",
        version=version,
        **_days(request, player, version),
    )


@console_page(Right.LISTS)
@require_safe
def of_staff(request: HttpRequest, event: Event, number: int, version: int) -> HttpResponse:
    """A player's version on the days that staff chooses."""
    person = get_object_or_404(event.players.select_related("event"), number=number)
    found = _version(person, version)
    days = _days(request, person, found)
    return show_console(
        request,
        event,
        "tournament/decklists/console_list_days.html",
        "lists",
        player=person,
        version=found,
        **days,
    )


def _version(player: Player, number: int) -> DeckVersion:
    rows = DeckVersion.objects.filter(deck_list__player=player).select_related("deck_list")
    return get_object_or_404(rows, number=number)


def _days(request: HttpRequest, player: Player, version: DeckVersion) -> dict[str, Any]:
    """The form and the verdicts it asks for: without days, the event's day beside today."""
    today, held = timezone.localdate(), player.event.starts_local.date()
    form = DaysForm(request.GET or {"on": held.isoformat(), "beside": today.isoformat()})
    if not form.is_valid():
        return {"form": form}
    one, other = form.cleaned_data["on"] or today, form.cleaned_data["beside"]
    try:
        first = verdict_on(version, one)
        if other is None:
            return {"form": form, "day": first}
        return {"form": form, "two_days": TwoDays.of(first, verdict_on(version, other))}
    except (rules.UnknownFormat, rules.BadOverlay) as error:
        return {"form": form, "fault": str(error)}
