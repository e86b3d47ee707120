"""Who plays in the stage being played: who came into it; in a bracket, who is not beaten yet."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.brackets.selectors.bracket import bracket_state
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.selectors.stages import current


@dataclass(frozen=True, slots=True)
class PlayingOn:
    """The ids of who came into a stage, and of who of them is not beaten for good; drops are not asked."""

    came_in: frozenset[int]
    unbeaten: frozenset[int]

    def came(self, player: Player) -> bool:
        """Whether the stage is the player's."""
        return player.pk in self.came_in

    def plays(self, player: Player) -> bool:
        """Whether he has not left and has something left to play there."""
        return player.is_in and player.pk in self.unbeaten


def playing_on(event: Event) -> PlayingOn | None:
    """Of the stage being played; None where all who are registered play. Four queries at most."""
    stage = current(event) if event.is_playing else None
    seeds = dict(stage.entrants.values_list("seed", "player_id")) if stage is not None else {}
    if stage is None or not seeds:
        return None
    everybody = frozenset(seeds.values())
    return PlayingOn(everybody, everybody - _beaten(stage, seeds))


def _beaten(stage: Stage, seeds: dict[int, int]) -> frozenset[int]:
    if not stage.is_elimination:
        return frozenset()
    return frozenset(seeds[final.seed] for final in bracket_state(stage).places)
