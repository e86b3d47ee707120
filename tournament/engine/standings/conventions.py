"""Habits of a field in writing results down, brought to the one form that the cross table reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tournament.engine.records import Event, Match, Score
from tournament.engine.standings.scoring import Points


def board_points(event: Event, points: Points) -> Event:
    """Where scores are board points (25 to 7) instead of match points, they are read as games.

    Scores are board points all through as soon as one is more than a win is worth. The points written on a
    bye may be board points by themselves: those that the bye is credited with.
    """
    every = [match for matches in event.rounds for match in matches]
    scores = {score for m in every for score in (m.p1_score, m.p2_score) if score is not None}
    if max(scores, default=0) > points.win:
        return _each(event, lambda m: _scores_as_games(m, points))
    if max((_credited(match) for match in every), default=0) > points.win:
        return _each(event, lambda m: _credit_as_games(m, points))
    return event


def _credited(match: Match) -> Score:
    return (match.bye_points or 0) if match.p2 is None else 0


def _scores_as_games(match: Match, points: Points) -> Match:
    match = _credit_as_games(match, points)
    first, second = int(match.p1_score or 0), int(match.p2_score or 0)
    match = replace(match, p1_score=None, p2_score=None)
    return replace(match, p1_games=first, p2_games=second) if first or second else match


def _credit_as_games(match: Match, points: Points) -> Match:
    if _credited(match) <= points.win:
        return match
    return replace(match, bye_points=None, p1_games=int(_credited(match)), p2_games=0)


def _each(event: Event, change: Callable[[Match], Match]) -> Event:
    return replace(event, rounds=tuple(tuple(map(change, matches)) for matches in event.rounds))


CONVENTIONS: dict[str, Callable[[Event, Points], Event]] = {
    "board_points": board_points,
}
