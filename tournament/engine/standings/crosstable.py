"""Cross table: who met whom, as integer columns per round.

Every round is one column per fact, every column one entry per player (in ascending order of id). Points are
kept as integers over one common scale, so that sums are exact and do not depend on their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import lcm
from operator import itemgetter

from tournament.engine.event_validation import validate_event
from tournament.engine.problems import make_error
from tournament.engine.records import Event, Match, PlayerId, Score
from tournament.engine.standings.arrays import ColumnArrays, OnListsOnly, RowFinder, is_worthwhile
from tournament.engine.standings.scoring import COUNTED, Points, RoundStatus
from tournament.engine.standings.seats import FinerScale, RoundColumns, Scorer, Seats, SeatsByRow

WRITTEN = tuple(map(Match._fields.index, ("p1_score", "p2_score", "bye_points")))
LARGEST_BYTE = 255


@dataclass(frozen=True)
class CrossTable:
    """The rounds of an event as columns. Points are integers, in units of 1/`scale`."""

    ids: tuple[PlayerId, ...]
    columns: tuple[RoundColumns, ...] | ColumnArrays
    scale: int
    points: Points
    dropped_after: Mapping[PlayerId, int]
    order: tuple[int | None, ...]

    @property
    def arrays(self) -> ColumnArrays | None:
        """The columns as arrays, where the event is large and numpy installed."""
        return self.columns if isinstance(self.columns, ColumnArrays) else None

    @cached_property
    def rounds(self) -> tuple[RoundColumns, ...]:
        """The columns as lists, round by round."""
        if isinstance(self.columns, tuple):
            return self.columns
        return tuple(map(self.columns.lists, range(len(self.columns))))

    @cached_property
    def index(self) -> dict[PlayerId, int]:
        """Row number by player id."""
        return {player: row for row, player in enumerate(self.ids)}

    def scale_score(self, score: Score) -> int:
        """Return a number of points in the units of this table."""
        return int(score * self.scale)

    def total(self, columns: Iterable[Sequence[int]]) -> list[int]:
        """Return the sum of some columns, row by row."""
        summands = list(columns)
        small_total = _add_as_bytes(summands)
        if small_total is not None:
            return list(small_total)
        return list(map(sum, zip(*summands, strict=True))) or [0] * len(self.ids)

    def total_without(self, fact: str, sides: frozenset[RoundStatus]) -> list[int]:
        """Return the sum of one column of every round.

        Rounds spent in one of the given ways are left out.
        """
        total = (
            list(self.scores) if fact == "points" else self.total(getattr(turn, fact) for turn in self.rounds)
        )
        for turn in self.rounds:
            column = getattr(turn, fact)
            for row in turn.rows(sides):
                total[row] -= column[row]
        return total

    def count(self, sides: frozenset[RoundStatus]) -> list[int]:
        """Return how many rounds each player spent in one of the given ways."""
        flags = _flag(sides)
        return self.total(turn.side.translate(flags) for turn in self.rounds)

    def gather(self, values: Sequence[int]) -> list[int]:
        """Return for each player the sum of `values` over their opponents.

        Rounds without an opponent are left out.
        """
        if not self.ids or not self.rounds:
            return [0] * len(self.ids)
        with_nobody = [*values, 0]
        return self.total(look_up(with_nobody) for look_up in self._look_ups)[:-1]

    @cached_property
    def _look_ups(self) -> list[Callable[[Sequence[int]], tuple[int, ...]]]:
        """For each round what gathers the entries of all opponents, and that of no one."""
        return [itemgetter(*turn.opponent, len(self.ids)) for turn in self.rounds]

    def list_played(self, row: int) -> list[tuple[int, RoundColumns]]:
        """List, with their numbers, the rounds that count for a player.

        In these the player was there and something was decided.
        """
        return [(number, turn) for number, turn in enumerate(self.rounds, 1) if turn.side[row] in COUNTED]

    def opponent_id(self, turn: RoundColumns, row: int) -> PlayerId | None:
        """Return whom a player met in a round; None when no one."""
        other = turn.opponent[row]
        return self.ids[other] if other < len(self.ids) else None

    @cached_property
    def points_by_row(self) -> list[tuple[int, ...]]:
        """The points of each player, round by round."""
        return list(zip(*(turn.points for turn in self.rounds), strict=True)) or [()] * len(self.ids)

    @cached_property
    def scores(self) -> list[int]:
        """Points of each player, byes and forfeits included."""
        if self.arrays is not None:
            scores: list[int] = self.arrays.scores[:-1].tolist()
            return scores
        return self.total(turn.points for turn in self.rounds)


@cache
def _flag(sides: frozenset[RoundStatus]) -> bytes:
    """Return what reads a column of sides: 1 for each of these, 0 for all others."""
    return bytes(side in sides for side in range(256))


def _add_as_bytes(columns: Sequence[Sequence[int]]) -> bytes | None:
    """Return the sum of columns as bytes, if each sum fits in one byte.

    None for columns with larger numbers. Columns of bytes are added as one long number each: no sum runs over
    into the next.
    """
    most = LARGEST_BYTE // len(columns) if columns else 0
    small, total = bytes(range(most + 1)), 0
    try:
        for column in columns:
            numbers = bytes(column)
            if numbers.translate(None, small):
                return None
            total += int.from_bytes(numbers, "little")
    except ValueError:
        return None
    return total.to_bytes(len(columns[0]), "little") if columns else None


def build_cross_table(event: Event, points: Points, *, after_round: int | None = None) -> CrossTable:
    """Return the cross table of an event after the given round.

    Without one, it is the table after all rounds of the event. Raises EngineError with every problem of the
    event: unknown players, a player twice in a round, a result that does not fit the match.
    """
    if after_round is not None and after_round < 0:
        raise make_error("round-negative", round=after_round)
    rounds = _cut_unplayed_end(event.rounds[:after_round])
    players = sorted(event.players, key=itemgetter(0))
    ids = tuple([player.id for player in players])
    if len(set(ids)) < len(ids):
        validate_event(event)
    try:
        scale, columns = _scaled_columns(rounds, ids, points)
    except (KeyError, ValueError):
        validate_event(event)
        raise
    now = len(event.rounds) if after_round is None else after_round
    drops = {player: last for player, last in event.drops.items() if last <= now}
    return CrossTable(ids, columns, scale, points, drops, tuple([player.order for player in players]))


def _cut_unplayed_end(rounds: Sequence[Sequence[Match]]) -> Sequence[Sequence[Match]]:
    """Return the rounds without unpaired ones at the end.

    No one was paired for these yet, so no one missed them.
    """
    last = max((number for number, matches in enumerate(rounds, 1) if matches), default=0)
    return rounds[:last]


def _scale(points: Points, written_scores: Iterable[Iterable[Score | None]]) -> int:
    """Return the common denominator of all points that are given or written down."""
    scores = set[Score | None](points.all())
    for column in written_scores:
        scores.update(column)
    return lcm(*(Fraction(score).denominator for score in scores if score is not None))


def _scale_of_all(points: Points, rounds: Iterable[Iterable[Match]]) -> int:
    return _scale(points, (map(itemgetter(at), matches) for matches in rounds for at in WRITTEN))


def _scaled_columns(
    rounds: Sequence[Sequence[Match]], ids: Sequence[PlayerId], points: Points
) -> tuple[int, tuple[RoundColumns, ...] | ColumnArrays]:
    """Return the scale of the points, and the columns.

    The scale is the system's own, unless a match has finer points.
    """
    scale = _scale(points, ())
    try:
        return scale, _columns(rounds, ids, points, scale)
    except FinerScale:
        scale = _scale_of_all(points, rounds)
        return scale, _columns(rounds, ids, points, scale)


def _columns(
    rounds: Sequence[Sequence[Match]], ids: Sequence[PlayerId], points: Points, scale: int
) -> tuple[RoundColumns, ...] | ColumnArrays:
    """Return the columns of all rounds: arrays where that pays and every number fits."""
    nobody = min(ids, default=0) - 1
    seats = Seats(rounds, Scorer(points, scale), nobody)
    if is_worthwhile(len(ids), len(rounds)):
        try:
            return ColumnArrays(seats, RowFinder(ids, nobody))
        except (OnListsOnly, OverflowError):
            pass
    return SeatsByRow(seats, {player: row for row, player in enumerate((*ids, nobody))}).rounds()
