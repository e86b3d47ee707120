"""Add up the points of players, match by match."""

from __future__ import annotations

from collections import defaultdict

from tournament.engine.records import Match, Result, Score
from tournament.engine.standings.scoring import Points, score_match

Scores = defaultdict[int, Score]
ResultValues = tuple[str, int, int, int]
RESULT_FIELDS = ("outcome", "p1_games", "p2_games", "draws")


class PointsTally:
    """The points of players by a system's own points.

    Where games are worth points, they are counted by games.
    """

    def __init__(self, points: Points) -> None:
        self.scores: Scores = defaultdict(int)
        self._points = points
        self._points_by_result: dict[ResultValues, tuple[Score, Score]] = {}

    def add_match(self, p1: int, p2: int | None, outcome: ResultValues) -> None:
        """Add the points of one match to both sides.

        `outcome` holds its values of `RESULT_FIELDS`, in that order.
        """
        points = self._points_by_result.get(outcome)
        if points is None:
            points = self._points_by_result[outcome] = self._compute_points(p2, outcome)
        self.scores[p1] += points[0]
        if p2 is not None:
            self.scores[p2] += points[1]

    def _compute_points(self, p2: int | None, outcome: ResultValues) -> tuple[Score, Score]:
        code, *games = outcome
        result = Result(code) if code else None
        first, second = score_match(Match(0, p2, result, games[0], games[1], games[2]), self._points)
        return first.points, second.points
