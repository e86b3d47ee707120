"""From tournament.selectors.console."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match

Status = Player.Status


def _version(player: Player) -> Any:
    return player.deck_list.current if player.deck_list else None


def player_rows(event: Event, query: str = "", show: str = "") -> QuerySet[Player]:
    """Players with their list's verdict, by name; `show` narrows to missing, dropped or waiting."""
    rows = event.players.select_related("deck_list__current")
    if query:
        rows = rows.filter(
            Q(name__icontains=query) | Q(email__icontains=query) | Q(character__icontains=query)
        )
    narrow = {
        "missing": Q(status=Status.REGISTERED, checked_in_at__isnull=True, dropped_after__isnull=True),
        "dropped": Q(dropped_after__isnull=False),
        "waiting": Q(status=Status.WAITING),
    }
    return rows.filter(narrow.get(show, Q())).order_by("name", "number")


def player_detail(event: Event, player: Player) -> dict[str, Any]:
    """A player's matches and what the log says of him."""
    matches = Match.objects.filter(Q(p1=player) | Q(p2=player), round__stage__event=event)
    return {
        "matches": matches.select_related("p1", "p2", "round__stage").order_by(
            "round__stage__position", "round__number"
        ),
        "version": _version(player),
    }
