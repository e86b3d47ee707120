"""Points that players come to a round with, by the event's own system."""

from __future__ import annotations

from tournament.events.models.round import Match, Round
from tournament.standings.points import WORTH, Ledger, Scores
from tournament.standings.selectors.standings import system_of


def points_before(shown: Round) -> Scores:
    """What each player has before a round: in its stage, for a bracket in the stage before. One query."""
    stage = shown.stage
    ledger = Ledger(system_of(stage.event).points)
    position = stage.position - 1 if stage.is_elimination else stage.position
    before = Match.objects.filter(round__stage__event_id=stage.event_id, round__stage__position=position)
    if not stage.is_elimination:
        before = before.filter(round__number__lt=shown.number)
    for p1, p2, *outcome in before.values_list("p1_id", "p2_id", *WORTH):
        ledger.credit(p1, p2, tuple(outcome))
    return ledger.scores
