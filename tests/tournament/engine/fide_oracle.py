"""A slow second calculation of FIDE C.07, article 16.

It takes one player, one round and one Fraction at a time.
"""

from __future__ import annotations

from fractions import Fraction as Q

from tournament.engine.records import Event, Match, PlayerId, Result
from tournament.engine.standings.scoring import parse_bye_kind

HALF = Q(1, 2)


class FideOracle:
    """Wins are worth 1 and draws 1/2.

    Rounds are counted from 0 up to the last one that has a match. A player without a match was absent.
    """

    def __init__(self, event: Event, year: int) -> None:
        self.year = year
        self.rounds = range(max((n for n, matches in enumerate(event.rounds, 1) if matches), default=0))
        self.seats: dict[tuple[PlayerId, int], Match] = {}
        for number, matches in enumerate(event.rounds):
            for match in matches:
                for player in (match.p1, match.p2):
                    if player is not None:
                        self.seats[player, number] = match

    def is_played(self, player: PlayerId, number: int) -> bool:
        match = self.seats.get((player, number))
        return match is not None and match.p2 is not None and not match.forfeit

    def points(self, player: PlayerId, number: int) -> Q:
        match = self.seats.get((player, number))
        if match is None or match.result in (Result.LOSS_NO_OPPONENT, Result.DOUBLE_LOSS):
            return Q(0)
        if match.result is Result.BYE:
            return Q(1 if match.bye_points is None else match.bye_points)
        win = Result.P1 if player == match.p1 else Result.P2
        return HALF if match.result is Result.DRAW else Q(match.result is win)

    def score(self, player: PlayerId) -> Q:
        return sum((self.points(player, number) for number in self.rounds), Q(0))

    def is_voluntary(self, player: PlayerId, number: int) -> bool:
        match = self.seats.get((player, number))
        if match is None or match.result is Result.LOSS_NO_OPPONENT:
            return True
        if match.p2 is None:
            return parse_bye_kind(match.bye_type) in ("half", "zero")
        return match.forfeit and self.points(player, number) != 1

    def adjusted_score(self, player: PlayerId) -> Q:
        """Return the score that opponents of a player use.

        Requested byes without a later match count as draws.
        """
        total = Q(0)
        for number in self.rounds:
            rest = range(number, len(self.rounds))
            paired = self.seats[player, number].p2 if (player, number) in self.seats else None
            has_left = paired is None and all(self.is_voluntary(player, later) for later in rest)
            total += HALF if has_left else self.points(player, number)
        return total

    def against(self, player: PlayerId, number: int) -> Q:
        match = self.seats.get((player, number))
        other = None if match is None else match.p2 if player == match.p1 else match.p1
        if self.is_played(player, number):
            return self.adjusted_score(other)
        if self.year == 2024:
            return self.score(player)
        most = HALF * len(self.rounds) if other is None else self.adjusted_score(other)
        return min(self.score(player), most)

    def buchholz(self, player: PlayerId, low: int = 0, high: int = 0) -> Q:
        parts = [(self.against(player, n), self.is_voluntary(player, n)) for n in self.rounds]
        for _ in range(min(low, len(parts))):
            parts.remove(min(parts, key=lambda part: (not part[1], part[0])))
        for _ in range(min(high, len(parts))):
            parts.remove(max(parts))
        return sum((score for score, _ in parts), Q(0))

    def sonneborn_berger(self, player: PlayerId) -> Q:
        return sum((self.against(player, n) * self.points(player, n) for n in self.rounds), Q(0))
