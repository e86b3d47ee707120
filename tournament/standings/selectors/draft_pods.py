"""Standings of one draft pod.

They are the rows of its players, with their ranks in the whole event.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from tournament.events.models.event import Event
from tournament.events.selectors import get_limited_play
from tournament.standings.selectors.table import StandingsTable


def map_draft_pods(event: Event) -> Mapping[int, int]:
    """Return the draft pod of each player, by ids.

    One query where the format has pods, else none.
    """
    limited = get_limited_play(event)
    if limited is None or limited.pods is None:
        return {}
    return dict(event.pod_seats.values_list("player_id", "pod"))


def filter_table(table: StandingsTable, players: Collection[int]) -> StandingsTable:
    """Return the same table with the rows of these players alone."""
    parts = [
        replace(part, rows=[row for row in part.rows if row.line.player.pk in players])
        for part in table.parts
    ]
    return replace(table, parts=[part for part in parts if part.rows])
