"""Matches of a round whose groups say who meets: round robins, groups of four."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.reason import Reason, reason, reasons_to_json
from tournament.engine.brackets.groups_of_four import GroupMatch
from tournament.engine.pairing.round_robin import round_robin
from tournament.events import selectors
from tournament.events.models.event import Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.scores import get_forfeit_games
from tournament.log.step import Recorder
from tournament.pairing.selectors.pairing_context import table_numbers
from tournament.shared.hashes import derive_seed
from tournament.standings.selectors.elimination_groups import load_elimination_groups
from tournament.standings.selectors.groups import name_letters

MatchValues = Mapping[str, object]

SCHEDULED = reason("scheduled")


def build_schedule(recorder: Recorder, stage: Stage) -> tuple[Any, ...]:
    """Return all rounds of the stage; the same whenever it is requested."""
    groups: dict[int, list[int]] = {}
    for player, group in stage.entrants.order_by("seed").values_list("player_id", "group"):
        groups.setdefault(group, []).append(player)
    seed = derive_seed(recorder.event.seed, stage.position, "schedule")
    return round_robin([groups[key] for key in sorted(groups)], seed=seed, double=stage.twice)


def list_robin_matches(
    recorder: Recorder, stage: Stage, local: int
) -> tuple[list[MatchValues], dict[str, object]]:
    """Return the matches of round `local` of the stage, counted from 1.

    Also return what is kept with the round.
    """
    event = recorder.event
    scheduled_round = build_schedule(recorder, stage)[local - 1]
    dropped_ids = set(event.players.filter(dropped_after__isnull=False).values_list("pk", flat=True))
    numbers = iter(table_numbers(event))
    matches = [
        _scheduled_match(recorder, table.p1, table.p2, dropped_ids, numbers)
        for table in scheduled_round.tables
        if not {table.p1, table.p2} <= dropped_ids
    ]
    resting_players = Player.objects.filter(
        pk__in=set(scheduled_round.resting_players) - dropped_ids
    ).order_by("number")
    return matches, {"method": "table", "resting": list(resting_players.values_list("number", flat=True))}


def list_group_matches(
    recorder: Recorder, stage: Stage, number: int
) -> tuple[list[MatchValues], dict[str, object]]:
    """Return the matches of round `number` of groups of four.

    Also return what is kept with the round. Two players who have both dropped do not meet: the better seed
    goes on in name.
    """
    event, local = recorder.event, number - selectors.count_rounds_before(stage)
    groups = load_elimination_groups(stage, before_round=number)
    dropped_ids = set(event.players.filter(dropped_after__isnull=False).values_list("pk", flat=True))
    numbers = iter(table_numbers(event))
    matches = [
        _scheduled_match(recorder, *match.players, dropped_ids, numbers, _explain_group_match(number, match))
        for number, group in groups.items()
        for match in group.list_matches(local)
        if not set(match.players) <= dropped_ids
    ]
    waiting_ids = {player for group in groups.values() for player in group.list_waiting(local)}
    waiting_players = Player.objects.filter(pk__in=waiting_ids - dropped_ids).order_by("number")
    return matches, {"method": "table", "resting": list(waiting_players.values_list("number", flat=True))}


def _explain_group_match(number: int, match: GroupMatch) -> Reason:
    return reason("group_match", group=name_letters(number), round=match.why)


def _scheduled_match(
    recorder: Recorder,
    p1: int,
    p2: int,
    dropped_ids: set[int],
    numbers: Iterator[int],
    why: Reason = SCHEDULED,
) -> MatchValues:
    match = {"p1_id": p1, "p2_id": p2, "why": reasons_to_json([why])}
    if p1 not in dropped_ids and p2 not in dropped_ids:
        return {**match, "table": next(numbers)}
    return {**match, **forfeit_win(recorder, first_wins=p2 in dropped_ids)}


def forfeit_win(recorder: Recorder, *, first_wins: bool) -> dict[str, object]:
    """Return the result of a match whose other player has left.

    It is won without play by the games that a match needs. That a round robin continues in this way, and
    played matches count, is a Ringside default: no document says it.
    """
    games = get_forfeit_games(recorder.event)
    return {
        "outcome": (Match.Outcome.P1 if first_wins else Match.Outcome.P2).value,
        "p1_games": games if first_wins else 0,
        "p2_games": 0 if first_wins else games,
        "forfeit": True,
        "ending": Match.Ending.LEFT.value,
        "why": reasons_to_json([reason("opponent_left")]),
        "result_at": recorder.now,
        "result_by": "Ringside",
    }
