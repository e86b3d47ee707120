"""From tournament.selectors.console."""

from __future__ import annotations

from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round


def latest_round(event: Event) -> Round | None:
    """The round that was paired last, of the cut if there is one."""
    return Round.objects.filter(stage__event=event).select_related("stage").last()


def rounds_of(event: Event) -> list[Round]:
    """All rounds in the order they are played."""
    return list(Round.objects.filter(stage__event=event).select_related("stage"))


def open_matches(event: Event) -> list[Match]:
    """Published tables without a result, with what the players reported."""
    matches = Match.objects.filter(round__stage__event=event, outcome="").exclude(
        round__state=Round.State.DRAFT
    )
    return list(
        matches.select_related("p1", "p2", "round__stage").prefetch_related("reports").order_by("table")
    )


def is_disputed(match: Match) -> bool:
    """Whether its players report different results."""
    reports = list(match.reports.all())
    return len(reports) == 2 and reports[0].games != reports[1].games
