"""The final ranking of an event over all its stages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from tournament.brackets.selectors.bracket import bracket_state
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.selectors.stages import TABLES, bracket_of
from tournament.penalties.selectors import disqualified
from tournament.standings.selectors.groups import overall


@dataclass(frozen=True, slots=True)
class Ranked:
    """One player's final place, the stage it comes from, and whether others have the same place."""

    place: int
    player: Player
    stage: str
    is_shared: bool


def final_ranking(event: Event) -> list[Ranked]:
    """Everybody by his last stage: the bracket before the rounds, a later stage before an earlier one.

    Players beaten in the same round of a bracket share a place, unless a match for third place decided.
    Who is disqualified has no place, whatever he had reached; the others move up (ours).
    """
    ranked: list[Ranked] = []
    seen = set(disqualified(event))
    for name, players in _stages(event):
        left = [(player, level) for player, level in players if player.pk not in seen]
        seen.update(player.pk for player, _ in left)
        for _, level in groupby(left, key=lambda pair: pair[1]):
            same = [player for player, _ in level]
            place = len(ranked) + 1
            ranked += [Ranked(place, player, name, len(same) > 1) for player in same]
    return ranked


def without_place(event: Event) -> list[Player]:
    """Who is disqualified after he has played: in no ranking, and nothing falls to him. Two queries."""
    out = event.players.filter(pk__in=disqualified(event), status=Player.Status.REGISTERED)
    return list(out.order_by("number"))


def _stages(event: Event) -> Iterator[tuple[str, list[tuple[Player, int]]]]:
    """From the last stage to the first: its name, and its players in order with their level in it."""
    bracket = bracket_of(event)
    if bracket is not None:
        yield bracket.get_kind_display(), _of_bracket(bracket)
    for stage in event.stages.filter(kind__in=TABLES).order_by("-position"):
        yield stage.get_kind_display(), [(line.player, line.rank) for line in overall(event, stage)]


def _of_bracket(stage: Stage) -> list[tuple[Player, int]]:
    players = {entrant.seed: entrant.player for entrant in stage.entrants.select_related("player")}
    return [(players[final.seed], final.level) for final in bracket_state(stage).places]
