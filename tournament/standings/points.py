"""Points that matches bring, added up one by one, as the standings count them."""

from __future__ import annotations

from collections import defaultdict

from tournament.engine.records import Match, Result, Score
from tournament.engine.standings.scoring import Points, award

Scores = defaultdict[int, Score]
Outcome = tuple[str, int, int, int]
WORTH = ("outcome", "p1_games", "p2_games", "draws")


class Ledger:
    """The points of players by a system's own points; where games are worth points, by games."""

    def __init__(self, points: Points) -> None:
        self.scores: Scores = defaultdict(int)
        self._points = points
        self._known: dict[Outcome, tuple[Score, Score]] = {}

    def credit(self, p1: int, p2: int | None, outcome: Outcome) -> None:
        """Add what one match is worth to both sides; `outcome` holds its fields named in `WORTH`."""
        known = self._known.get(outcome)
        if known is None:
            known = self._known[outcome] = self._reckoned(p2, outcome)
        self.scores[p1] += known[0]
        if p2 is not None:
            self.scores[p2] += known[1]

    def _reckoned(self, p2: int | None, outcome: Outcome) -> tuple[Score, Score]:
        result, *games = outcome
        first, second = award(Match(0, p2, Result(result) if result else None, *games), self._points)
        return first.points, second.points
