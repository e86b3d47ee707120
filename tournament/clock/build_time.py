"""The time to draft and build decks before round 1 of a limited event.

It has a clock like a round.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from rules.limited import LimitedPlay
from tournament.clock.models import BuildClockEntry, ClockEntry
from tournament.engine.clock import ClockAction
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.events.selectors import get_limited_play

MINUTE = 60


@dataclass(frozen=True, slots=True)
class BuildTime:
    """The build time of an event, by the format's facts."""

    event: Event
    limited: LimitedPlay

    @property
    def seconds(self) -> int:
        """Its duration if staff enter no other."""
        return self.limited.minutes * MINUTE


# Anything that has a clock.
Timed = Round | BuildTime


def find_build_time(event: Event) -> BuildTime | None:
    """Return the build time of an event until round 1 is published.

    One query for a limited format, else none.
    """
    limited = get_limited_play(event)
    if limited is None or event.phase in (Event.Phase.PREPARING, Event.Phase.FINISHED):
        return None
    published_rounds = Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT)
    return None if published_rounds.exists() else BuildTime(event, limited)


def get_timed_event(timed_part: Timed) -> Event:
    """Return the event of a round or of a build time."""
    return timed_part.event if isinstance(timed_part, BuildTime) else timed_part.stage.event


def build_entry(
    timed_part: Timed,
    act: ClockAction,
    at: datetime | None,
    *,
    seconds: int = 0,
    match: Match | None = None,
    reason: str = "",
) -> ClockEntry | BuildClockEntry:
    """Return a new fact about a clock, not written yet."""
    facts = {"act": act, "at": at, "seconds": seconds, "reason": reason[:200]}
    if isinstance(timed_part, BuildTime):
        return BuildClockEntry(event=timed_part.event, **facts)
    return ClockEntry(round=timed_part, match=match, **facts)
