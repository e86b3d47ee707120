"""Rounds of a round robin: the next line of the Berger table, with walkovers for who has left."""

from __future__ import annotations

from typing import Any

from tournament.engine.pairing.round_robin import round_robin
from tournament.events.game_terms import games_to_win
from tournament.events.models.event import Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.log.step import Recorder
from tournament.pairing.selectors.round_input import table_numbers
from tournament.shared.chance import derive


def schedule(recorder: Recorder, stage: Stage) -> tuple[Any, ...]:
    """All rounds of the stage; the same whenever it is asked for."""
    groups: dict[int, list[int]] = {}
    for player, group in stage.entrants.order_by("seed").values_list("player_id", "group"):
        groups.setdefault(group, []).append(player)
    seed = derive(recorder.event.seed, stage.position, "schedule")
    return round_robin([groups[key] for key in sorted(groups)], seed=seed, double=stage.twice)


def tables(recorder: Recorder, stage: Stage, local: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The matches of round `local` of the stage (from 1), and what is kept with the round."""
    event = recorder.event
    listed = schedule(recorder, stage)[local - 1]
    gone = set(event.players.filter(dropped_after__isnull=False).values_list("pk", flat=True))
    numbers = iter(table_numbers(event))
    matches = [
        _match(recorder, table.p1, table.p2, gone, numbers)
        for table in listed.tables
        if not {table.p1, table.p2} <= gone
    ]
    resting = Player.objects.filter(pk__in=set(listed.resting) - gone).order_by("number")
    return matches, {"method": "table", "resting": list(resting.values_list("number", flat=True))}


def _match(recorder: Recorder, p1: int, p2: int, gone: set[int], numbers: Any) -> dict[str, Any]:
    match = {"p1_id": p1, "p2_id": p2, "why": "The schedule puts them together."}
    if p1 not in gone and p2 not in gone:
        return {**match, "table": next(numbers)}
    return {**match, **walkover(recorder, first_wins=p2 in gone)}


def walkover(recorder: Recorder, *, first_wins: bool) -> dict[str, Any]:
    """The result of a match whose other player has left: won without play by the games that a match needs.

    That a round robin goes on so, and what was played stands, is ours: the documents are silent.
    """
    games = games_to_win(recorder.event)
    return {
        "outcome": (Match.Outcome.P1 if first_wins else Match.Outcome.P2).value,
        "p1_games": games if first_wins else 0,
        "p2_games": 0 if first_wins else games,
        "forfeit": True,
        "ending": Match.Ending.LEFT.value,
        "why": "The other player has left the event.",
        "result_at": recorder.now,
        "result_by": "Ringside",
    }
