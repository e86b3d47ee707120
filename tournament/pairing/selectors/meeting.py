"""One table of a round as everybody may see it: who met, with what behind them, and why these two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.standings.selectors.points_before import points_before

METHODS = {
    "neighbours": "Ordered by points, neighbours meet; that alone proves it.",
    "windows": "Where neighbours could not meet, an exact matching of their scores was solved.",
    "exhaustive": "All pairings of the field were compared.",
    "look-ahead": "It is the best of those that leave the rest of the event playable.",
    "table": "It follows a schedule that is written down.",
}


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match with the points both came with, their earlier meetings, and facts of the round's pairing."""

    match: Match
    p1_points: Any
    p2_points: Any
    earlier: list[Match]
    method: str
    is_proved: bool

    @property
    def is_by_hand(self) -> bool:
        """Whether somebody changed the round's pairing by hand."""
        return bool(self.match.round.pairing.get("by_hand"))


def meeting(event: Event, match_id: int) -> Meeting | None:
    """One published table of the event; None where there is none. Three queries."""
    related = Match.objects.select_related("p1", "p2", "round__stage__event", "settlement")
    found = related.filter(pk=match_id, round__stage__event=event)
    match = found.exclude(round__state=Round.State.DRAFT).first()
    if match is None:
        return None
    points = points_before(match.round)
    pairing = match.round.pairing
    return Meeting(
        match=match,
        p1_points=points[match.p1_id],
        p2_points=points[match.p2_id] if match.p2_id else None,
        earlier=_earlier(match, match.p1, match.p2) if match.p2 else [],
        method=METHODS.get(pairing.get("method", ""), ""),
        is_proved=bool(pairing.get("proved")),
    )


def _earlier(match: Match, one: Player, two: Player) -> list[Match]:
    both = Q(p1=one, p2=two) | Q(p1=two, p2=one)
    met = Match.objects.filter(both, round__stage__event_id=match.round.stage.event_id)
    met = met.exclude(round__state=Round.State.DRAFT).filter(pk__lt=match.pk)
    return list(met.select_related("p1", "p2", "round__stage").order_by("pk"))
