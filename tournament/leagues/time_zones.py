"""In which time zone somebody reads a time that belongs to no event."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.contrib.auth.models import User

from tournament.events.selectors.time_zones import zone_of
from tournament.leagues.models import League


def zone_of_league(league: League, reader: User) -> ZoneInfo | None:
    """The zone of the league's last event, else of the reader's. At most two queries."""
    last = league.entries.select_related("event").order_by("-event__starts_at").first()
    return last.event.zone if last else zone_of(reader)
