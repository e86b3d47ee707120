"""Seats of all rounds, as columns of what each player takes from a round.

The columns are made field by field, in C.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from itertools import accumulate, chain
from operator import iconcat, itemgetter

from tournament.engine.event_validation import WITHOUT_OPPONENT
from tournament.engine.records import Match, PlayerId, Score
from tournament.engine.standings.match_columns import MatchColumns
from tournament.engine.standings.scoring import Points, RoundStatus, score_match

# Bytes where every number is so small: they are counted, added up and joined in C, and weigh an eighth.
Numbers = bytes | list[int]
# Player, opponent, status, points, and games won, lost and drawn.
Seat = tuple[PlayerId, PlayerId, int, int, int, int, int]

PLAYED = bytes((RoundStatus.PLAYED,))
BYTES = range(256)
# All bits for a byte of 0, none for others.
ONLY_ZERO = b"\xff" + bytes(255)


class FinerScale(Exception):
    """The points written on a match are not an integer in units of the table."""


class Scorer:
    """Points of matches, in units of 1/`scale`."""

    def __init__(self, points: Points, scale: int) -> None:
        self._points, self._scale = points, scale
        win, draw, loss, none = map(
            self.scale_score, (points.win, points.draw, points.loss, points.double_loss)
        )
        # By the places of plain results: what first players take, and what second ones do.
        self._worth = _as_table((win, loss, draw, none)), _as_table((loss, win, draw, none))
        self._game_win, self._game_draw = (
            self.scale_score(points.game_win),
            self.scale_score(points.game_draw),
        )

    @cached_property
    def _worth_of_games(self) -> Numbers:
        """The worth of few games, by the byte that they are packed in."""
        win, draw = self._game_win, self._game_draw
        return _join([win * (byte & 3) + draw * (byte >> 4 & 3) for byte in BYTES])

    def scale_score(self, score: Score) -> int:
        """Return a score in the units of the table.

        Raises FinerScale where it is no whole number of them.
        """
        units = score * self._scale
        if units.denominator != 1:
            raise FinerScale
        return units.numerator

    def score(self, plain: MatchColumns, games: Sequence[Numbers]) -> Sequence[int]:
        """Return the points of plain matches with these games.

        The first players come first, then their opponents.
        """
        first_worth, second_worth = self._worth
        places = plain.result_places
        points = _join(_look_up(first_worth, places), _look_up(second_worth, places))
        if self._game_win or self._game_draw:
            points = self._score_games(points, games)
        if not plain.have_written_scores:
            return points
        return [
            point if score is None else self.scale_score(score)
            for point, score in zip(points, (*plain.firsts, *plain.seconds), strict=True)
        ]

    def _score_games(self, points: Numbers, games: Sequence[Numbers]) -> Numbers:
        """Return the worth of the games of each, or else the points of the result."""
        win, draw = self._game_win, self._game_draw
        packed_facts, worth = _pack(games, 2), self._worth_of_games
        if packed_facts is None or not isinstance(points, bytes) or not isinstance(worth, bytes):
            return _join(
                [
                    win * wins + draw * draws if wins or losses or draws else point
                    for wins, losses, draws, point in zip(*games, points, strict=True)
                ]
            )
        by_games, by_result, has_none = (
            int.from_bytes(column, "big")
            for column in (packed_facts.translate(worth), points, packed_facts.translate(ONLY_ZERO))
        )
        return (by_games | by_result & has_none).to_bytes(len(points), "big")

    def seat(self, match: Match, nobody: PlayerId) -> list[Seat]:
        """Return the seats of any match.

        This includes the rarer kinds: byes, absences, forfeits, running matches.
        """
        has_ended = match.result is not None
        if has_ended and (match.p2 is None) != (match.result in WITHOUT_OPPONENT):
            raise ValueError("a result that needs another number of players")
        first, second = score_match(match, self._points)
        # Games written on a match that still runs count once it has a result.
        mine, theirs, even = (match.p1_games, match.p2_games, match.draws) if has_ended else (0, 0, 0)
        one, two = match.p1, nobody if match.p2 is None else match.p2
        opponents = (two, one) if has_ended else (nobody, nobody)
        seats: list[Seat] = [
            (one, opponents[0], first.side, self.scale_score(first.points), mine, theirs, even)
        ]
        if match.p2 is not None:
            seats.append(
                (two, opponents[1], second.side, self.scale_score(second.points), theirs, mine, even)
            )
        return seats


class Seats:
    """The seats of all rounds.

    First come the first players of plain matches, next their opponents, then the seats of rarer matches. Each
    part is in the order of the rounds. In the place of a match that is not plain sits `nobody`.
    """

    def __init__(self, rounds: Sequence[Sequence[Match]], scorer: Scorer, nobody: PlayerId) -> None:
        matches: list[Match] = reduce(iconcat, rounds, [])
        self.round_count = len(rounds)
        self._starts = list(accumulate(map(len, rounds), initial=0))
        plain = MatchColumns(matches)
        rare = plain.find_rare()
        for at in rare:
            plain.ones[at] = plain.twos[at] = nobody
        mine, theirs, even = map(_join, plain.games)
        self.firsts, self.seconds = plain.ones, plain.twos
        self.others: Sequence[PlayerId] = ()
        self.opponents_of_others: Sequence[PlayerId] = ()
        self.sides: Numbers = PLAYED * (2 * len(matches))
        self.games_won, self.games_lost, self.games_drawn = (
            _join(mine, theirs),
            _join(theirs, mine),
            _join(even, even),
        )
        self.points: Sequence[int] = scorer.score(plain, (self.games_won, self.games_lost, self.games_drawn))
        self.taken_count = 2 * (len(matches) - len(rare))
        self._round_ends_of_others = [0] * len(self._starts)
        if rare:
            self._seat_others(rare, [scorer.seat(matches[at], nobody) for at in rare])

    def _seat_others(self, rare: Sequence[int], seats_of_matches: Sequence[list[Seat]]) -> None:
        """Add the seats of rarer matches, which are at these places among all matches."""
        seats = list(chain.from_iterable(seats_of_matches))
        seat_ends = list(accumulate(map(len, seats_of_matches), initial=0))
        self._round_ends_of_others = [seat_ends[bisect_left(rare, start)] for start in self._starts]
        self.others, self.opponents_of_others, sides, points, wins, losses, draws = zip(*seats, strict=True)
        self.sides, self.points = _join(self.sides, sides), _join(self.points, points)
        self.games_won, self.games_lost = _join(self.games_won, wins), _join(self.games_lost, losses)
        self.games_drawn = _join(self.games_drawn, draws)
        self.taken_count += len(seats)

    def of_round(self, number: int) -> tuple[range, range, range]:
        """Return the seats of a round, counted from 0, in each of the three parts."""
        half, (start, end) = len(self.firsts), self._starts[number : number + 2]
        first, last = self._round_ends_of_others[number : number + 2]
        return range(start, end), range(half + start, half + end), range(2 * half + first, 2 * half + last)


def _as_table(worth: Sequence[int]) -> Numbers:
    """Return the worth of results by the place of each.

    Matches at other places are not plain.
    """
    return _join(worth, bytes(len(BYTES) - len(worth)))


def _look_up(worth: Numbers, places: bytes) -> Numbers:
    return places.translate(worth) if isinstance(worth, bytes) else [worth[place] for place in places]


def _join(*parts: Sequence[int]) -> Numbers:
    """Return the columns one after another, as bytes if these can hold them."""
    # A byte array reads a list twice as quickly as bytes do.
    try:
        return b"".join(map(bytearray, parts))
    except ValueError:
        return list(chain(*parts))


@dataclass(slots=True)
class RoundColumns:
    """One round as columns.

    `opponent` holds row numbers; the number after the last row means no one.
    """

    opponent: Sequence[int]
    side: bytes
    points: Sequence[int]
    games_won: Sequence[int]
    games_lost: Sequence[int]
    games_drawn: Sequence[int]

    def rows(self, sides: frozenset[RoundStatus]) -> list[int]:
        """Return the rows that spent this round in one of the given ways."""
        rows = []
        for side in sides:
            row = self.side.find(side)
            while row >= 0:
                rows.append(row)
                row = self.side.find(side, row + 1)
        return rows


class SeatsByRow:
    """A reader of the seats of all rounds in the order of rows.

    A player without a seat has an empty one.
    """

    def __init__(self, seats: Seats, row_of: dict[PlayerId, int]) -> None:
        """Find the rows of all players: `row_of` has that of no one too, after the last.

        Raises KeyError for an unknown player.
        """
        find, self._seats, self._players = row_of.__getitem__, seats, len(row_of) - 1
        firsts, seconds = list(map(find, seats.firsts)), list(map(find, seats.seconds))
        self._rows = [*firsts, *seconds, *map(find, seats.others)]
        opponents = map(find, seats.opponents_of_others)
        self._opponents = [*seconds, *firsts, *opponents, self._players]
        self._read_statuses = _spread((seats.sides, seats.points))
        self._read_games = _spread((seats.games_won, seats.games_lost, seats.games_drawn))

    def rounds(self) -> tuple[RoundColumns, ...]:
        """Return the columns of all rounds.

        Raises ValueError for a player with two seats in one.
        """
        columns = tuple([self._columns(number) for number in range(self._seats.round_count)])
        empty = sum(turn.side.count(RoundStatus.ABSENT) for turn in columns)
        if self._players * len(columns) - empty != self._seats.taken_count:
            raise ValueError("a player sits at two tables of one round")
        return columns

    def _columns(self, number: int) -> RoundColumns:
        empty = len(self._rows)
        seat_of = [empty] * (self._players + 1)
        for part in self._seats.of_round(number):
            for seat, row in zip(part, self._rows[part.start : part.stop], strict=True):
                seat_of[row] = seat
        # Read twice more, the empty seat makes all a tuple.
        gather = itemgetter(*seat_of[: self._players], empty, empty)
        side, points = self._read_statuses(gather)
        return RoundColumns(gather(self._opponents)[:-2], bytes(side), points, *self._read_games(gather))


Gather = Callable[[Sequence[int]], tuple[int, ...]]


def _spread(facts: Sequence[Sequence[int]]) -> Callable[[Gather], list[Numbers]]:
    """Return a function that reads facts of seats as facts of rows.

    They are read together from one byte if they fit.
    """
    bits = 8 // len(facts)
    packed_facts = _pack(facts, bits)
    if packed_facts is None:
        with_empty = [[*fact, 0] for fact in facts]
        return lambda gather: [_join(gather(fact)[:-2]) for fact in with_empty]
    with_empty_byte = packed_facts + b"\0"
    tables = [_reading_table(bits, place) for place in range(len(facts))]

    def read(gather: Gather) -> list[Numbers]:
        by_row = bytes(bytearray(gather(with_empty_byte)[:-2]))
        return [by_row.translate(table) for table in tables]

    return read


def _pack(facts: Sequence[Sequence[int]], bits: int) -> bytes | None:
    """Return the facts in one byte a seat, with the given bits for each.

    None if a number is larger.
    """
    small_numbers, packed_facts = bytes(range(1 << bits)), 0
    for fact in reversed(facts):
        if not isinstance(fact, bytes) or fact.translate(None, small_numbers):
            return None
        packed_facts = packed_facts << bits | int.from_bytes(fact, "big")
    return packed_facts.to_bytes(len(facts[0]), "big")


@cache
def _reading_table(bits: int, place: int) -> bytes:
    """Return what reads one of the facts that are packed in a byte."""
    return bytes(byte >> bits * place & ((1 << bits) - 1) for byte in BYTES)
