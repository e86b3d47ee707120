"""Habits of a field in writing results down, brought to the one form that the cross table reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tournament.engine.records import Event, Match
from tournament.engine.scoring import Points, award


def board_points(event: Event, points: Points) -> Event:
    """Where scores are board points (25 to 7) instead of match points, they are read as games.

    The points written on a bye may be board points too: those that a bye is credited with.
    """
    if all(_fits(match, points) for matches in event.rounds for match in matches):
        return event

    def move(match: Match) -> Match:
        credited = match.bye_points if match.p2 is None else None
        first, second = int(match.p1_score or credited or 0), int(match.p2_score or 0)
        change: dict[str, Any] = {"p1_score": None, "p2_score": None, "bye_points": None}
        if first or second:
            change |= {"p1_games": first, "p2_games": second}
        return replace(match, **change)

    return _each(event, move)


def _fits(match: Match, points: Points) -> bool:
    if match.p2 is None and (match.bye_points or 0) > points.win:
        return False
    if match.p1_score is None or match.result is None:
        return True
    plain = award(replace(match, p1_score=None, p2_score=None), points)
    given = (match.p1_score, match.p2_score or 0)
    return given == tuple(side.points for side in plain)


def _each(event: Event, change: Callable[[Match], Match]) -> Event:
    return replace(event, rounds=tuple(tuple(change(match) for match in matches) for matches in event.rounds))


CONVENTIONS: dict[str, Callable[[Event, Points], Event]] = {
    "board_points": board_points,
}
