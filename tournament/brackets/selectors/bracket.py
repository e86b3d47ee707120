"""State of the bracket: next matches, players still in, champion, final ranking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from tournament.engine.brackets import layout as bracket_layout
from tournament.engine.brackets import playing as bracket_play
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.selectors import STANDINGS_KINDS, get_bracket_stage, get_current_stage
from tournament.penalties.selectors import get_disqualified_ids
from tournament.standings.selectors.groups import overall_standings
from tournament.standings.selectors.standings import StandingsLine

MIN_PLAYERS_FOR_THIRD_PLACE = 4

WINNING_OUTCOMES = (Match.Outcome.P1, Match.Outcome.P2)


def load_bracket_state(stage: Stage) -> bracket_play.BracketState:
    """The bracket with the results so far. Two queries."""
    seeds = dict(stage.entrants.values_list("player_id", "seed"))
    matches = Match.objects.filter(round__stage=stage, outcome__in=WINNING_OUTCOMES)
    winners = {
        number: seeds[p1 if outcome == Match.Outcome.P1 else p2]
        for number, p1, p2, outcome in matches.values_list("bracket_match", "p1_id", "p2_id", "outcome")
    }
    third_place = stage.third_place and len(seeds) >= MIN_PLAYERS_FOR_THIRD_PLACE
    return bracket_play.play_bracket(
        bracket_layout.build_bracket(stage.kind, len(seeds), third_place), winners
    )


def list_seated_matches(stage: Stage) -> tuple[bracket_play.SeatedMatch, ...]:
    """Every match of the bracket whose two players are known."""
    return bracket_play.get_seated_matches(load_bracket_state(stage))


def champion_of_stage(stage: Stage) -> Player | None:
    """The winner of the bracket, once there is one."""
    seed = load_bracket_state(stage).champion
    return None if seed is None else stage.entrants.select_related("player").get(seed=seed).player


def champion_of_event(event: Event) -> Player | None:
    """The champion of a finished event: of the bracket, or whoever stands first alone.

    Nobody who is disqualified, whenever that was: a bracket that he won has no champion (ours).
    """
    if event.phase != Event.Phase.FINISHED:
        return None
    stage, out = get_bracket_stage(event), get_disqualified_ids(event)
    if stage is not None:
        winner = champion_of_stage(stage)
        return winner if winner is None or winner.pk not in out else None
    lines = [
        line
        for line in overall_standings(event)
        if not _dropped_early(event, line) and line.player.pk not in out
    ]
    return lines[0].player if lines and not lines[0].row.shared else None


def _dropped_early(event: Event, line: StandingsLine) -> bool:
    """Whether the player dropped before the last round: then he is not crowned (ours)."""
    return line.is_dropped and (line.player.dropped_after or 0) < (event.swiss_rounds or 0)


@dataclass(frozen=True, slots=True)
class StagePlayers:
    """The ids of who came into a stage, and of who of them is not beaten for good; drops are not asked."""

    came_in: frozenset[int]
    unbeaten: frozenset[int]

    def came(self, player: Player) -> bool:
        """Whether the stage is the player's."""
        return player.pk in self.came_in

    def plays(self, player: Player) -> bool:
        """Whether he has not left and has something left to play there."""
        return player.is_in and player.pk in self.unbeaten


def load_stage_players(event: Event) -> StagePlayers | None:
    """Of the stage being played; None where all who are registered play. Four queries at most."""
    stage = get_current_stage(event) if event.is_playing else None
    seeds = dict(stage.entrants.values_list("seed", "player_id")) if stage is not None else {}
    if stage is None or not seeds:
        return None
    everybody = frozenset(seeds.values())
    return StagePlayers(everybody, everybody - _beaten_players(stage, seeds))


def _beaten_players(stage: Stage, seeds: dict[int, int]) -> frozenset[int]:
    if not stage.is_elimination:
        return frozenset()
    return frozenset(seeds[final.seed] for final in load_bracket_state(stage).places)


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """One player's final place, the stage it comes from, and whether others have the same place."""

    place: int
    player: Player
    stage: str
    is_shared: bool


def final_ranking(event: Event) -> list[FinalPlace]:
    """Everybody by his last stage: the bracket before the rounds, a later stage before an earlier one.

    Players beaten in the same round of a bracket share a place, unless a match for third place decided.
    Who is disqualified has no place, whatever he had reached; the others move up (ours).
    """
    ranked: list[FinalPlace] = []
    seen = set(get_disqualified_ids(event))
    for name, players in _stages_with_levels(event):
        left = [(player, level) for player, level in players if player.pk not in seen]
        seen.update(player.pk for player, _ in left)
        for _, level in groupby(left, key=lambda pair: pair[1]):
            same = [player for player, _ in level]
            place = len(ranked) + 1
            ranked += [FinalPlace(place, player, name, len(same) > 1) for player in same]
    return ranked


def players_without_place(event: Event) -> list[Player]:
    """Who is disqualified after he has played: in no ranking, and nothing falls to him. Two queries."""
    out = event.players.filter(pk__in=get_disqualified_ids(event), status=Player.Status.REGISTERED)
    return list(out.order_by("number"))


def _stages_with_levels(event: Event) -> Iterator[tuple[str, list[tuple[Player, int]]]]:
    """From the last stage to the first: its name, and its players in order with their level in it."""
    bracket = get_bracket_stage(event)
    if bracket is not None:
        yield bracket.get_kind_display(), _bracket_levels(bracket)
    for stage in event.stages.filter(kind__in=STANDINGS_KINDS).order_by("-position"):
        yield stage.get_kind_display(), [(line.player, line.rank) for line in overall_standings(event, stage)]


def _bracket_levels(stage: Stage) -> list[tuple[Player, int]]:
    players = {entrant.seed: entrant.player for entrant in stage.entrants.select_related("player")}
    return [(players[final.seed], final.level) for final in load_bracket_state(stage).places]
