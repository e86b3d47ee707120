"""Cross table: who met whom, as integer columns per round.

Every round is one column per fact, every column one entry per player (in ascending order of id). Points are
kept as integers over one common scale, so that sums are exact and do not depend on their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from operator import itemgetter

from tournament.engine.event_validation import WITHOUT_OPPONENT, validate_event
from tournament.engine.problems import make_error
from tournament.engine.records import Event, Match, PlayerId, Result, Score
from tournament.engine.standings.arrays import (
    ColumnArrays,
    OnListsOnly,
    RoundColumns,
    RowFinder,
    is_worthwhile,
)
from tournament.engine.standings.match_columns import MatchColumns
from tournament.engine.standings.scoring import COUNTED, Points, RoundStatus, score_match

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

    def scaled(self, score: Score) -> int:
        """A number of points in the units of this table."""
        return int(score * self.scale)

    def total(self, columns: Iterable[Sequence[int]]) -> list[int]:
        """The sum of some columns, row by row."""
        summands = list(columns)
        small_total = _add_as_bytes(summands)
        if small_total is not None:
            return list(small_total)
        return list(map(sum, zip(*summands, strict=True))) or [0] * len(self.ids)

    def total_without(self, fact: str, sides: frozenset[RoundStatus]) -> list[int]:
        """The sum of one column of every round, leaving out the rounds spent in one of the given ways."""
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
        flags = bytes(1 if side in sides else 0 for side in range(256))
        return self.total(turn.side.translate(flags) for turn in self.rounds)

    def gather(self, values: Sequence[int]) -> list[int]:
        """For each player the sum of `values` over their opponents; a round without opponent adds nothing."""
        with_nobody = [*values, 0]
        return self.total(look_up(with_nobody)[:-1] for look_up in self._look_ups)

    @cached_property
    def _look_ups(self) -> list[Callable[[Sequence[int]], tuple[int, ...]]]:
        """For each round what gathers the entries of all opponents, and that of no one."""
        return [itemgetter(*turn.opponent, len(self.ids)) for turn in self.rounds if self.ids]

    def played(self, row: int) -> list[tuple[int, RoundColumns]]:
        """The rounds in which a player was there and something was decided, with their numbers."""
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


def _add_as_bytes(columns: Sequence[Sequence[int]]) -> bytes | None:
    """The sum of columns whose numbers are so small that each sum is a byte; None for others.

    Columns of bytes are added as one long number each: no sum runs over into the next.
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
    """The cross table of an event after the given round, or after all that are in it.

    Raises EngineError with every problem of the event: unknown players, a player twice in a round, a result
    that does not fit the match.
    """
    if after_round is not None and after_round < 0:
        raise make_error("round-negative", round=after_round)
    rounds = _held(event.rounds[:after_round])
    players = sorted(event.players, key=lambda player: player.id)
    ids = tuple(player.id for player in players)
    index = {player: row for row, player in enumerate(ids)}
    try:
        scale, columns = _columns(rounds, index, points)
    except (KeyError, ValueError):
        validate_event(event)
        raise
    if len(index) != len(ids):
        validate_event(event)
    now = len(event.rounds) if after_round is None else after_round
    drops = {player: last for player, last in event.drops.items() if last <= now}
    return CrossTable(ids, columns, scale, points, drops, tuple(player.order for player in players))


def _held(rounds: Sequence[Sequence[Match]]) -> Sequence[Sequence[Match]]:
    """The rounds without those at the end that no one was paired for yet: no one missed them."""
    last = max((number for number, matches in enumerate(rounds, 1) if matches), default=0)
    return rounds[:last]


def _scale(points: Points, written_scores: Iterable[Iterable[Score | None]]) -> int:
    """The common denominator of all points that are given or written down."""
    scores = set[Score | None](points.all())
    for column in written_scores:
        scores.update(column)
    return lcm(*(Fraction(score).denominator for score in scores if score is not None))


def _scale_of_all(points: Points, rounds: Iterable[Iterable[Match]]) -> int:
    return _scale(points, (map(itemgetter(at), matches) for matches in rounds for at in WRITTEN))


def _columns(
    rounds: Sequence[Sequence[Match]], index: Mapping[PlayerId, int], points: Points
) -> tuple[int, tuple[RoundColumns, ...] | ColumnArrays]:
    """The scale of the points and the columns of all rounds: arrays where that pays and every number fits."""
    if is_worthwhile(len(index), len(rounds)):
        try:
            scale, arrays = _as_arrays(rounds, index, points)
        except (OnListsOnly, OverflowError):
            pass
        else:
            if arrays.fit():
                return scale, arrays
    scale = _scale_of_all(points, rounds)
    return scale, tuple(_fill(matches, index, points, scale) for matches in rounds)


def _as_arrays(
    rounds: Sequence[Sequence[Match]], index: Mapping[PlayerId, int], points: Points, scale: int = 0
) -> tuple[int, ColumnArrays]:
    """The scale and the columns; without a `scale`, that of the points is tried until a match has its own."""
    used_scale = scale or _scale(points, ())
    arrays, worth = ColumnArrays(len(rounds), len(index)), _plain_points(points, used_scale)
    finder = RowFinder(index)
    for number, matches in enumerate(rounds):
        columns = MatchColumns(matches)
        if not scale and columns.have_written_scores:
            return _as_arrays(rounds, index, points, _scale_of_all(points, rounds))
        rare = columns.find_rare()
        plain = columns.without(rare)
        arrays.seat(
            number, plain, (finder.find(plain.ones), finder.find(plain.twos)), worth, points, used_scale
        )
        turn = arrays.views(number)
        filled_places = 2 * (len(matches) - len(rare)) + sum(
            _place(turn, matches[at], index, points, used_scale) for at in rare
        )
        if filled_places != arrays.seats(number):
            raise ValueError("a player sits at two tables of one round")
    return used_scale, arrays


def _fill(
    matches: Sequence[Match], index: Mapping[PlayerId, int], points: Points, scale: int
) -> RoundColumns:
    turn = RoundColumns.empty(len(index))
    opponent, scores, side = turn.opponent, turn.points, turn.side
    won, lost, draws = turn.won, turn.lost, turn.drawn
    pairs, status, rare = _plain_points(points, scale), int(RoundStatus.PLAYED), []
    won_game, drawn_game = int(points.game_win * scale), int(points.game_draw * scale)
    by_games = won_game or drawn_game
    # Nearly every match is plain: two players who played, and points for both or for neither.
    for match in matches:
        p1, p2, result, mine, theirs, even, first, second, _, _, _, forfeit = match
        if p2 is None or forfeit or result not in pairs or (first is None) is not (second is None):
            rare.append(match)
            continue
        one, two = index[p1], index[p2]
        opponent[one], opponent[two] = two, one
        if first is not None and second is not None:
            scores[one], scores[two] = int(first * scale), int(second * scale)
        elif by_games and (mine or theirs or even):
            both = even * drawn_game
            scores[one], scores[two] = mine * won_game + both, theirs * won_game + both
        else:
            scores[one], scores[two] = pairs[result]
        side[one] = side[two] = status
        won[one] = lost[two] = mine
        lost[one] = won[two] = theirs
        if even:
            draws[one] = draws[two] = even
    filled_places = 2 * (len(matches) - len(rare)) + sum(_place(turn, m, index, points, scale) for m in rare)
    if filled_places != len(side) - side.count(0):
        raise ValueError("a player sits at two tables of one round")
    return turn


def _plain_points(points: Points, scale: int) -> dict[Result, tuple[int, int]]:
    win, draw, loss, none = (
        int(p * scale) for p in (points.win, points.draw, points.loss, points.double_loss)
    )
    return {
        Result.P1: (win, loss),
        Result.P2: (loss, win),
        Result.DRAW: (draw, draw),
        Result.DOUBLE_LOSS: (none, none),
    }


def _place(
    turn: RoundColumns, match: Match, index: Mapping[PlayerId, int], points: Points, scale: int
) -> int:
    """Seat the rarer kinds of match: byes, absences, forfeits, running matches and given scores."""
    if match.result is not None and (match.p2 is None) != (match.result in WITHOUT_OPPONENT):
        raise ValueError("a result that needs another number of players")
    first, second = score_match(match, points)
    # Games written on a match that still runs count once it has a result.
    mine, theirs, even = (0, 0, 0) if match.result is None else (match.p1_games, match.p2_games, match.draws)
    one = index[match.p1]
    turn.side[one], turn.points[one] = first.side, int(first.points * scale)
    turn.won[one], turn.lost[one], turn.drawn[one] = mine, theirs, even
    if match.p2 is None:
        return 1
    two = index[match.p2]
    turn.side[two], turn.points[two] = second.side, int(second.points * scale)
    turn.won[two], turn.lost[two], turn.drawn[two] = theirs, mine, even
    if match.result is not None:
        turn.opponent[one], turn.opponent[two] = two, one
    return 2
