"""Which tables are still playing, since when and until when, and where two players disagree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Sum

from tournament.clock.models import ClockEntry
from tournament.events.models.event import Event
from tournament.events.models.round import Match, ResultReport
from tournament.events.selectors.rounds import open_matches


@dataclass(frozen=True, slots=True)
class OpenTable:
    """One match without a result: what was reported, minutes of extension, whole minutes since it began."""

    match: Match
    reports: Sequence[ResultReport]
    extension: int
    minutes: int

    @property
    def is_disputed(self) -> bool:
        """Whether both players reported, and not the same."""
        return len(self.reports) == 2 and self.reports[0].says != self.reports[1].says


def open_tables(event: Event, now: datetime) -> list[OpenTable]:
    """Every published table without a result, disputed ones first. Three queries."""
    matches = open_matches(event)
    entries = ClockEntry.objects.filter(match__in=[match.pk for match in matches])
    seconds = dict(entries.values_list("match_id").annotate(Sum("seconds")).order_by())
    tables = [_table(match, seconds.get(match.pk) or 0, now) for match in matches]
    return sorted(tables, key=lambda table: not table.is_disputed)


def _table(match: Match, seconds: int, now: datetime) -> OpenTable:
    began = match.amended_at or match.round.published_at or now
    reports = sorted(match.reports.all(), key=lambda report: report.player_id != match.p1_id)
    return OpenTable(match, reports, round(seconds / 60), max(int((now - began).total_seconds() // 60), 0))


def match_history(match: Match) -> list[ResultReport]:
    """What the players reported, with their names. One query."""
    return list(match.reports.select_related("player").order_by("reported_at"))
