"""State of the bracket: next matches, players still in, champion, final ranking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from decks.shared.json_shapes import Published
from tournament.engine.brackets import layout as bracket_layout
from tournament.engine.brackets import playing as bracket_play
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.name_order import sort_players
from tournament.events.selectors import STANDINGS_KINDS, get_bracket_stage, get_current_stage
from tournament.penalties.selectors import get_disqualified_ids
from tournament.standings.selectors.groups import overall_standings
from tournament.standings.selectors.standings import StandingsLine

MIN_PLAYERS_FOR_THIRD_PLACE = 4

WINNING_OUTCOMES = (Match.Outcome.P1, Match.Outcome.P2)


def load_bracket_state(stage: Stage) -> bracket_play.BracketState:
    """Return the bracket with the results so far. Two queries."""
    seeds = dict(stage.entrants.values_list("player_id", "seed"))
    matches = Match.objects.filter(round__stage=stage, outcome__in=WINNING_OUTCOMES)
    seed_by_match = {
        number: seeds[p1 if outcome == Match.Outcome.P1 else p2]
        for number, p1, p2, outcome in matches.values_list("bracket_match", "p1_id", "p2_id", "outcome")
        if number is not None
    }
    return bracket_play.play_bracket(_lay_out_bracket(stage, len(seeds)), seed_by_match)


def _lay_out_bracket(stage: Stage, entrants: int) -> bracket_layout.Bracket:
    """Return the empty bracket of a stage.

    Additional matches beside it are there only if enough players came in.
    """
    return bracket_layout.build_bracket(
        stage.kind,
        entrants,
        stage.third_place and entrants >= MIN_PLAYERS_FOR_THIRD_PLACE,
        consolation=stage.consolation and bracket_layout.can_have_consolation(entrants),
        reset=stage.reset,
    )


def list_seated_matches(stage: Stage) -> tuple[bracket_play.SeatedMatch, ...]:
    """Return every match of the bracket whose two players are known."""
    return bracket_play.get_seated_matches(load_bracket_state(stage))


def champion_of_stage(stage: Stage) -> Player | None:
    """Return the winner of the bracket, once there is one."""
    seed = load_bracket_state(stage).champion
    return None if seed is None else stage.entrants.select_related("player").get(seed=seed).player


def champion_of_event(event: Event) -> Player | None:
    """Return the champion of a finished event: of the bracket, or alone in 1st place.

    A disqualified player is never champion: a bracket that they won has none (Ringside default).
    """
    if event.phase != Event.Phase.FINISHED:
        return None
    stage, disqualified_ids = get_bracket_stage(event), get_disqualified_ids(event)
    if stage is not None:
        winner = champion_of_stage(stage)
        return winner if winner is None or winner.pk not in disqualified_ids else None
    lines = [
        line
        for line in overall_standings(event)
        if not _dropped_early(event, line) and line.player.pk not in disqualified_ids
    ]
    return lines[0].player if lines and not lines[0].row.is_shared else None


def _dropped_early(event: Event, line: StandingsLine) -> bool:
    """Return whether the player dropped before the last round, so is not champion."""
    return line.is_dropped and (line.player.dropped_after or 0) < (event.swiss_rounds or 0)


@dataclass(frozen=True, slots=True)
class StagePlayers:
    """The ids of a stage's entrants, and of those not eliminated; drops are ignored."""

    entered_ids: frozenset[int]
    unbeaten_ids: frozenset[int]

    def has_entered(self, player: Player) -> bool:
        """Return whether the stage is the player's."""
        return player.pk in self.entered_ids

    def is_still_playing(self, player: Player) -> bool:
        """Return whether the player is in and has a match left in the stage."""
        return player.is_in and player.pk in self.unbeaten_ids


def load_stage_players(event: Event) -> StagePlayers | None:
    """Return players of the current stage; None if all registered players are in it.

    Four queries at most.
    """
    stage = get_current_stage(event) if event.is_playing else None
    seeds = dict(stage.entrants.values_list("seed", "player_id")) if stage is not None else {}
    if stage is None or not seeds:
        return None
    entrant_ids = frozenset(seeds.values())
    return StagePlayers(entrant_ids, entrant_ids - _beaten_players(stage, seeds))


def _beaten_players(stage: Stage, seeds: dict[int, int]) -> frozenset[int]:
    if not stage.is_elimination:
        return frozenset()
    return frozenset(seeds[final.seed] for final in load_bracket_state(stage).places)


@dataclass(frozen=True, slots=True)
class RankedPlayer(Published):
    """One player's final place.

    Holds the stage it comes from, and whether others have the same place.
    """

    PUBLISHED = {
        "place": "place",
        "is_shared": "is_shared",
        "player": "player.number",
        "name": "player.name",
        "stage": "stage_name",
        "stage_kind": "stage.kind",
    }
    place: int
    player: Player
    stage: Stage
    is_shared: bool

    @property
    def stage_name(self) -> str:
        """The kind of the stage, named for people."""
        return str(Stage.Kind(self.stage.kind).label)


def final_ranking(event: Event) -> list[RankedPlayer]:
    """Rank all players by their last stage: later stages before earlier ones.

    Players beaten in the same round of a bracket share a place, unless a match for third place decided. A
    disqualified player has no place, whatever they reached; the others move up (Ringside default).
    """
    places: list[RankedPlayer] = []
    placed_ids = set(get_disqualified_ids(event))
    for stage, players in _stages_with_levels(event):
        players_left = [(player, level) for player, level in players if player.pk not in placed_ids]
        placed_ids.update(player.pk for player, _ in players_left)
        for _, level in groupby(players_left, key=lambda pair: pair[1]):
            players_of_level = sort_players(event, (player for player, _ in level))
            place = len(places) + 1
            places += [
                RankedPlayer(place, player, stage, len(players_of_level) > 1) for player in players_of_level
            ]
    return places


def players_without_place(event: Event) -> list[Player]:
    """Return players disqualified after playing: no place, no prize. Two queries."""
    disqualified_players = event.players.filter(
        pk__in=get_disqualified_ids(event), status=Player.Status.REGISTERED
    )
    return list(disqualified_players.order_by("number"))


def _stages_with_levels(event: Event) -> Iterator[tuple[Stage, list[tuple[Player, int]]]]:
    """Yield each stage, last to first, with its players in order and their levels."""
    bracket = get_bracket_stage(event)
    if bracket is not None:
        yield bracket, _bracket_levels(bracket)
    for stage in event.stages.filter(kind__in=STANDINGS_KINDS).order_by("-position"):
        yield stage, [(line.player, line.rank) for line in overall_standings(event, stage)]


def _bracket_levels(stage: Stage) -> list[tuple[Player, int]]:
    players = {entrant.seed: entrant.player for entrant in stage.entrants.select_related("player")}
    return [(players[final.seed], final.level) for final in load_bracket_state(stage).places]
