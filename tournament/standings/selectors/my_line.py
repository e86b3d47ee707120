"""From tournament.selectors.player."""

from __future__ import annotations

from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.standings.selectors.groups import standings_in_parts
from tournament.standings.selectors.standings import Line

Phase = Event.Phase


def my_line(player: Player) -> Line | None:
    """The player's line of the standings (of his group) as they are now; None before the start."""
    if player.event.phase not in (Phase.SWISS, Phase.CUT, Phase.FINISHED):
        return None
    parts = standings_in_parts(player.event)
    return next((line for part in parts for line in part.lines if line.player.pk == player.pk), None)
