"""In which time zone somebody reads a time that belongs to no event."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.contrib.auth.models import User

from tournament.models import Event, League


def last_zone(user: User) -> str:
    """The time zone of the event that this person made or joined last; empty before the first."""
    zones = Event.objects.filter(staff__user=user).order_by("-pk").values_list("time_zone", flat=True)
    return zones.first() or ""


def zone_of(user: User) -> ZoneInfo | None:
    """The zone of the person's last event; None where only the device knows it. One query."""
    name = last_zone(user)
    return ZoneInfo(name) if name else None


def zone_of_league(league: League, reader: User) -> ZoneInfo | None:
    """The zone of the league's last event, else of the reader's. At most two queries."""
    last = league.entries.select_related("event").order_by("-event__starts_at").first()
    return last.event.zone if last else zone_of(reader)
