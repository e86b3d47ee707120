"""From tournament.selectors.zones."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.contrib.auth.models import User

from tournament.events.models.event import Event


def last_zone(user: User) -> str:
    """The time zone of the event that this person made or joined last; empty before the first."""
    zones = Event.objects.filter(staff__user=user).order_by("-pk").values_list("time_zone", flat=True)
    return zones.first() or ""


def zone_of(user: User) -> ZoneInfo | None:
    """The zone of the person's last event; None where only the device knows it. One query."""
    name = last_zone(user)
    return ZoneInfo(name) if name else None
