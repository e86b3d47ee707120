"""The cut and the bracket, read: who qualifies and why, who meets whom, who is champion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tournament.engine import cut as engine
from tournament.models import Event, Player, Stage
from tournament.selectors.standings import standings


@dataclass(frozen=True, slots=True)
class Selection:
    """Who is in, by seed, and a reason for every player."""

    result: engine.CutResult

    @property
    def places(self) -> tuple[engine.Place, ...]:
        """The qualified players with their seeds."""
        return self.result.places

    def as_data(self) -> list[dict[str, Any]]:
        """The decisions as they are kept with the stage."""
        return [
            {
                "player": d.player,
                "rank": d.rank,
                "in": d.is_in,
                "code": d.code,
                "reason": d.reason,
                "clause": d.clause,
            }
            for d in self.result.decisions
        ]


def select(event: Event) -> Selection:
    """Apply the event's cut to the standings as they are now."""
    lines = standings(event)
    return Selection(
        engine.select_cut(
            [line.row for line in lines],
            event.cut_size or 0,
            diversity=event.cut == Event.Cut.DIVERSITY,
            characters={line.player.pk: line.player.character for line in lines},
            declined={line.player.pk for line in lines if line.player.declined_cut},
            short=event.short_cut,
        )
    )


def decisions(event: Event, stage: Stage | None) -> list[dict[str, Any]]:
    """Why each player is in or out: as kept when the cut was made, or as it would be now."""
    data = stage.selection if stage is not None else select(event).as_data()
    players = Player.objects.in_bulk([row["player"] for row in data])
    return [{**row, "player": players[row["player"]]} for row in data]
