"""The cross table: who met whom, round by round, as columns of integers that tiebreakers gather from.

Every round is one column per fact, every column one entry per player (in ascending order of id). Points are
kept as integers over one common scale, so that sums are exact and do not depend on their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from operator import add

from tournament.engine.checks import check_event
from tournament.engine.problems import refusal
from tournament.engine.records import Event, Match, PlayerId, Result, Score
from tournament.engine.scoring import COUNTED, Points, Side, award

PLAIN = frozenset((Result.P1, Result.P2, Result.DRAW, Result.DOUBLE_LOSS))


@dataclass(slots=True)
class Round:
    """One round as columns. `opponent` holds row numbers; the number after the last row means nobody."""

    opponent: list[int]
    points: list[int]
    side: bytearray
    won: list[int]
    lost: list[int]
    drawn: list[int]

    @classmethod
    def empty(cls, rows: int) -> Round:
        """A round in which nobody has played."""
        zeros = [0] * rows
        return cls([rows] * rows, zeros, bytearray(rows), zeros.copy(), zeros.copy(), zeros.copy())

    def rows(self, sides: frozenset[Side]) -> list[int]:
        """The rows that spent this round in one of the given ways."""
        found = []
        for side in sides:
            row = self.side.find(side)
            while row >= 0:
                found.append(row)
                row = self.side.find(side, row + 1)
        return found


@dataclass(frozen=True)
class CrossTable:
    """The rounds of an event as columns. Points are integers, in units of 1/`scale`."""

    ids: tuple[PlayerId, ...]
    rounds: tuple[Round, ...]
    scale: int
    points: Points
    dropped_after: Mapping[PlayerId, int]
    order: tuple[int | None, ...]

    @cached_property
    def index(self) -> dict[PlayerId, int]:
        """Row number by player id."""
        return {player: row for row, player in enumerate(self.ids)}

    def scaled(self, score: Score) -> int:
        """A number of points in the units of this table."""
        return int(score * self.scale)

    def total(self, columns: Iterable[Sequence[int]]) -> list[int]:
        """The sum of some columns, row by row."""
        total = [0] * len(self.ids)
        for column in columns:
            total = list(map(add, total, column))
        return total

    def total_without(self, fact: str, sides: frozenset[Side]) -> list[int]:
        """The sum of one column of every round, leaving out the rounds spent in one of the given ways."""
        total = self.total(getattr(turn, fact) for turn in self.rounds)
        for turn in self.rounds:
            column = getattr(turn, fact)
            for row in turn.rows(sides):
                total[row] -= column[row]
        return total

    def count(self, sides: frozenset[Side]) -> list[int]:
        """How many rounds each player spent in one of the given ways."""
        flags = bytes(1 if side in sides else 0 for side in range(256))
        return self.total(turn.side.translate(flags) for turn in self.rounds)

    def gather(self, values: Sequence[int]) -> list[int]:
        """For each player the sum of `values` over his opponents; a round without opponent adds nothing."""
        padded = [*values, 0]
        return self.total(list(map(padded.__getitem__, turn.opponent)) for turn in self.rounds)

    def played(self, row: int) -> list[tuple[int, Round]]:
        """The rounds in which a player was there and something was decided, with their numbers."""
        return [(number, turn) for number, turn in enumerate(self.rounds, 1) if turn.side[row] in COUNTED]

    def opponent_id(self, turn: Round, row: int) -> PlayerId | None:
        """Whom a player met in a round; None when nobody."""
        other = turn.opponent[row]
        return self.ids[other] if other < len(self.ids) else None

    @cached_property
    def scores(self) -> list[int]:
        """Points of each player, byes and forfeits included."""
        return self.total(turn.points for turn in self.rounds)


def build(event: Event, points: Points, *, after_round: int | None = None) -> CrossTable:
    """The cross table of an event after the given round, or after all that stand in it.

    Raises EngineError with every problem of the event: unknown players, a player twice in a round, a result
    that does not fit the match.
    """
    if after_round is not None and after_round < 0:
        raise refusal("round-negative", f"There is no round {after_round}; rounds are counted from 1.")
    played = event.rounds[:after_round]
    players = sorted(event.players, key=lambda player: player.id)
    ids = tuple(player.id for player in players)
    scale = _scale(points, played)
    index = {player: row for row, player in enumerate(ids)}
    try:
        rounds = tuple(_fill(matches, index, points, scale) for matches in played)
    except (KeyError, ValueError):
        check_event(event)
        raise
    if len(index) != len(ids):
        check_event(event)
    drops = {p: last for p, last in event.drops.items() if after_round is None or last <= after_round}
    return CrossTable(ids, rounds, scale, points, drops, tuple(player.order for player in players))


def _scale(points: Points, rounds: Sequence[Sequence[Match]]) -> int:
    scale = lcm(*(Fraction(value).denominator for value in points.all()))
    for matches in rounds:
        for match in matches:
            for score in (match.p1_score, match.p2_score, match.bye_points):
                if isinstance(score, Fraction):
                    scale = lcm(scale, score.denominator)
    return scale


def _fill(matches: Sequence[Match], index: Mapping[PlayerId, int], points: Points, scale: int) -> Round:
    turn = Round.empty(len(index))
    win, draw, loss, none = (
        int(p * scale) for p in (points.win, points.draw, points.loss, points.double_loss)
    )
    pairs = {
        Result.P1: (win, loss),
        Result.P2: (loss, win),
        Result.DRAW: (draw, draw),
        Result.DOUBLE_LOSS: (none, none),
    }
    opponent, scores, side, won, lost, drawn = (
        turn.opponent,
        turn.points,
        turn.side,
        turn.won,
        turn.lost,
        turn.drawn,
    )
    seats = 0
    played = int(Side.PLAYED)
    for match in matches:
        result = match.result
        if result not in PLAIN or match.p2 is None or match.forfeit or match.p1_score is not None:
            seats += _place(turn, match, index, points, scale)
            continue
        seats += 2
        one, two = index[match.p1], index[match.p2]
        opponent[one], opponent[two] = two, one
        scores[one], scores[two] = pairs[result]
        side[one] = side[two] = played
        won[one] = lost[two] = match.p1_games
        lost[one] = won[two] = match.p2_games
        drawn[one] = drawn[two] = match.draws
    if seats != len(side) - side.count(0):
        raise ValueError("a player sits at two tables of one round")
    return turn


def _place(turn: Round, match: Match, index: Mapping[PlayerId, int], points: Points, scale: int) -> int:
    """Seat the rarer kinds of match: byes, absences, forfeits, running matches and given scores."""
    first, second = award(match, points)
    one = index[match.p1]
    turn.side[one], turn.points[one] = first.side, int(first.points * scale)
    turn.won[one], turn.lost[one], turn.drawn[one] = match.p1_games, match.p2_games, match.draws
    if match.p2 is None:
        return 1
    two = index[match.p2]
    turn.side[two], turn.points[two] = second.side, int(second.points * scale)
    turn.won[two], turn.lost[two], turn.drawn[two] = match.p2_games, match.p1_games, match.draws
    if match.result is not None:
        turn.opponent[one], turn.opponent[two] = two, one
    return 2
