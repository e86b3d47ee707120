"""Who waits, in which order, and who is missing."""

from __future__ import annotations

from django.db.models import F, QuerySet

from tournament.models import Event, Player


def in_line(event: Event) -> QuerySet[Player]:
    """The waiting list: who came first stands first."""
    waiting = event.players.filter(status=Player.Status.WAITING)
    return waiting.order_by(F("waiting_since").asc(nulls_first=True), "number")


def place_in_line(player: Player) -> int:
    """The player's place in the waiting list, from 1. One query."""
    return list(in_line(player.event).values_list("pk", flat=True)).index(player.pk) + 1


def missing(event: Event) -> QuerySet[Player]:
    """Who has a place and is not checked in, by name."""
    return event.players.filter(
        status=Player.Status.REGISTERED, dropped_after__isnull=True, checked_in_at__isnull=True
    ).order_by("name", "number")
