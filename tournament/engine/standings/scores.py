"""Scores alone, without a standing: all that pairing needs."""

from __future__ import annotations

from tournament.engine.records import Event, PlayerId, Score
from tournament.engine.standings.scoring import score_match
from tournament.engine.standings.systems.system import System


def compute_scores(event: Event, system: System) -> dict[PlayerId, Score]:
    """Return the exact points of each player after all rounds.

    They are as the standings have them.
    """
    scores: dict[PlayerId, Score] = {player.id: 0 for player in event.players}
    known_points: dict[object, tuple[Score, Score]] = {}
    for match in (match for matches in system.read(event).rounds for match in matches):
        # Equal results are worth the same, no matter who plays them or at which table.
        key = (match.p2 is None, match[2:-2])
        points = known_points.get(key)
        if points is None:
            first, second = score_match(match, system.points)
            points = known_points[key] = (first.points, second.points)
        scores[match.p1] += points[0]
        if match.p2 is not None:
            scores[match.p2] += points[1]
    return {player: score.numerator if score.denominator == 1 else score for player, score in scores.items()}
