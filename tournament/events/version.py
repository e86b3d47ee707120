"""The version number of an event: the truth that every live page compares itself with."""

from __future__ import annotations

from django.db import connection
from django.db.models import F

from tournament.events.models.event import Event

CHANNEL = "ringside_event"


def touch(event_id: int) -> None:
    """Raise the version inside the running transaction; listeners hear of it when that commits."""
    Event.objects.filter(pk=event_id).update(version=F("version") + 1)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, str(event_id)])
