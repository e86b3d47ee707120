"""The cut and the bracket, read: who qualifies and why, who meets whom, who is champion."""

from __future__ import annotations

from tournament.engine.brackets import layout as bracket_layout
from tournament.engine.brackets import playing as bracket_play
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.selectors.stages import stage_of
from tournament.penalties.selectors import disqualified
from tournament.standings.selectors.groups import overall
from tournament.standings.selectors.standings import Line

FEWEST_FOR_THIRD = 4


WON = (Match.Outcome.P1, Match.Outcome.P2)


def bracket_state(stage: Stage) -> bracket_play.State:
    """The bracket with the results so far. Two queries."""
    seeds = dict(stage.entrants.values_list("player_id", "seed"))
    matches = Match.objects.filter(round__stage=stage, outcome__in=WON)
    winners = {
        number: seeds[p1 if outcome == Match.Outcome.P1 else p2]
        for number, p1, p2, outcome in matches.values_list("bracket_match", "p1_id", "p2_id", "outcome")
    }
    third_place = stage.third_place and len(seeds) >= FEWEST_FOR_THIRD
    return bracket_play.play(bracket_layout.bracket(stage.kind, len(seeds), third_place), winners)


def seated(stage: Stage) -> tuple[bracket_play.Seated, ...]:
    """Every match of the bracket whose two players are known."""
    return bracket_play.seated(bracket_state(stage))


def champion(stage: Stage) -> Player | None:
    """The winner of the bracket, once there is one."""
    seed = bracket_state(stage).champion
    return None if seed is None else stage.entrants.select_related("player").get(seed=seed).player


def champion_of(event: Event) -> Player | None:
    """The champion of a finished event: of the bracket, or whoever stands first alone.

    Nobody who is disqualified, whenever that was: a bracket that he won has no champion (ours).
    """
    if event.phase != Event.Phase.FINISHED:
        return None
    stage, out = stage_of(event), disqualified(event)
    if stage is not None:
        winner = champion(stage)
        return winner if winner is None or winner.pk not in out else None
    lines = [line for line in overall(event) if not _left_early(event, line) and line.player.pk not in out]
    return lines[0].player if lines and not lines[0].row.shared else None


def _left_early(event: Event, line: Line) -> bool:
    """Whether the player dropped before the last round: then he is not crowned (ours)."""
    return line.is_dropped and (line.player.dropped_after or 0) < (event.swiss_rounds or 0)
