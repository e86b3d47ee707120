"""Seats of a round: what each player takes from it, as columns that are made field by field, in C."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from operator import itemgetter

from tournament.engine.event_validation import WITHOUT_OPPONENT
from tournament.engine.records import Match, PlayerId, Score
from tournament.engine.standings.match_columns import MatchColumns
from tournament.engine.standings.scoring import Points, RoundStatus, score_match

# Bytes where every number is so small: they are counted, added up and joined in C, and weigh an eighth.
Numbers = bytes | list[int]
# Player, opponent, status, points, and games won, lost and drawn.
Seat = tuple[PlayerId, PlayerId, int, int, int, int, int]

FEWEST_PACKED = 100
PLAYED = bytes((RoundStatus.PLAYED,))
BYTES = range(256)
# All bits for a byte of 0, none for others.
ONLY_ZERO = b"\xff" + bytes(255)


class FinerScale(Exception):
    """Points are written on a match that are no whole number of the units of the table."""


class Scorer:
    """Points of matches, in units of 1/`scale`."""

    def __init__(self, points: Points, scale: int) -> None:
        self._points, self._scale = points, scale
        win, draw, loss, none = map(self.scaled, (points.win, points.draw, points.loss, points.double_loss))
        # By the places of plain results: what first players take, and what second ones do.
        self._worth = _as_table((win, loss, draw, none)), _as_table((loss, win, draw, none))
        self._game_win, self._game_draw = self.scaled(points.game_win), self.scaled(points.game_draw)

    @cached_property
    def _worth_of_games(self) -> Numbers:
        """The worth of few games, by the byte that they are packed in."""
        win, draw = self._game_win, self._game_draw
        return _join([win * (byte & 3) + draw * (byte >> 4 & 3) for byte in BYTES])

    def scaled(self, score: Score) -> int:
        """Return a score in the units of the table. Raises FinerScale where it is no whole number of them."""
        units = score * self._scale
        if units.denominator != 1:
            raise FinerScale
        return units.numerator

    def score(self, plain: MatchColumns, games: Sequence[Numbers]) -> Sequence[int]:
        """Return the points of first players of plain matches, then of their opponents,
        who have these games.
        """
        first_worth, second_worth = self._worth
        places = plain.result_places
        points = _join(_look_up(first_worth, places), _look_up(second_worth, places))
        if self._game_win or self._game_draw:
            points = self._score_games(points, games)
        if not plain.have_written_scores:
            return points
        return [
            point if score is None else self.scaled(score)
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
        """Return the seats of any match, the rarer kinds too: byes, absences, forfeits, running matches."""
        has_ended = match.result is not None
        if has_ended and (match.p2 is None) != (match.result in WITHOUT_OPPONENT):
            raise ValueError("a result that needs another number of players")
        first, second = score_match(match, self._points)
        # Games written on a match that still runs count once it has a result.
        mine, theirs, even = (match.p1_games, match.p2_games, match.draws) if has_ended else (0, 0, 0)
        one, two = match.p1, nobody if match.p2 is None else match.p2
        opponents = (two, one) if has_ended else (nobody, nobody)
        seats: list[Seat] = [(one, opponents[0], first.side, self.scaled(first.points), mine, theirs, even)]
        if match.p2 is not None:
            seats.append((two, opponents[1], second.side, self.scaled(second.points), theirs, mine, even))
        return seats


class RoundSeats:
    """The seats of one round: first players of plain matches, their opponents, then those of rarer matches.

    In the place of a match that is not plain sits `nobody`.
    """

    def __init__(self, matches: Sequence[Match], scorer: Scorer, nobody: PlayerId) -> None:
        plain = MatchColumns(matches)
        rare = plain.find_rare()
        for at in rare:
            plain.ones[at] = plain.twos[at] = nobody
        mine, theirs, even = map(_join, plain.games)
        self.firsts, self.seconds = plain.ones, plain.twos
        self.others: Sequence[PlayerId] = ()
        self.opponents_of_others: Sequence[PlayerId] = ()
        self.sides: Numbers = PLAYED * (2 * len(matches))
        self.won, self.lost, self.drawn = _join(mine, theirs), _join(theirs, mine), _join(even, even)
        self.points: Sequence[int] = scorer.score(plain, (self.won, self.lost, self.drawn))
        self.taken_count = 2 * (len(matches) - len(rare))
        if rare:
            self._seat_others([seat for at in rare for seat in scorer.seat(matches[at], nobody)])

    def _seat_others(self, seats: list[Seat]) -> None:
        """Add the seats of rarer matches."""
        self.others, self.opponents_of_others, sides, points, wins, losses, draws = zip(*seats, strict=True)
        self.sides, self.points = _join(self.sides, sides), _join(self.points, points)
        self.won, self.lost = _join(self.won, wins), _join(self.lost, losses)
        self.drawn = _join(self.drawn, draws)
        self.taken_count += len(seats)


def _as_table(worth: Sequence[int]) -> Numbers:
    """Return the worth of results by the place of each; matches at other places are not plain."""
    return _join(worth, bytes(len(BYTES) - len(worth)))


def _look_up(worth: Numbers, places: bytes) -> Numbers:
    return places.translate(worth) if isinstance(worth, bytes) else [worth[place] for place in places]


def _join(*parts: Sequence[int]) -> Numbers:
    """Return the columns one after another, as bytes if these can hold them."""
    try:
        return b"".join(map(bytes, parts))
    except ValueError:
        return list(chain(*parts))


@dataclass(slots=True)
class RoundColumns:
    """One round as columns. `opponent` holds row numbers; the number after the last row means no one."""

    opponent: Sequence[int]
    side: bytes
    points: Sequence[int]
    won: Sequence[int]
    lost: Sequence[int]
    drawn: Sequence[int]

    @classmethod
    def of(cls, seats: RoundSeats, row_of: dict[PlayerId, int], players: int) -> RoundColumns:
        """Return the columns of a round by row; `row_of` has the rows of all players, and `players` for no
        one.

        Raises KeyError for an unknown player, ValueError for one with two seats.
        """
        find = row_of.__getitem__
        firsts, seconds = list(map(find, seats.firsts)), list(map(find, seats.seconds))
        rows = [*firsts, *seconds, *map(find, seats.others)]
        opponents = [*seconds, *firsts, *map(find, seats.opponents_of_others), players]
        # Behind the last seat is that of all who were not there. Read twice more, it makes all a tuple.
        empty = len(rows)
        seat_of = [empty] * (players + 1)
        for seat, row in enumerate(rows):
            seat_of[row] = seat
        gather = itemgetter(*seat_of[:players], empty, empty)
        side, points = _spread((seats.sides, seats.points), gather)
        if len(side) - side.count(0) != seats.taken_count:
            raise ValueError("a player sits at two tables of one round")
        return cls(
            gather(opponents)[:-2],
            bytes(side),
            points,
            *_spread((seats.won, seats.lost, seats.drawn), gather),
        )

    def rows(self, sides: frozenset[RoundStatus]) -> list[int]:
        """Return the rows that spent this round in one of the given ways."""
        rows = []
        for side in sides:
            row = self.side.find(side)
            while row >= 0:
                rows.append(row)
                row = self.side.find(side, row + 1)
        return rows


def _spread(
    facts: Sequence[Sequence[int]], gather: Callable[[Sequence[int]], tuple[int, ...]]
) -> list[Numbers]:
    """Return facts of seats as facts of rows: read together from one byte if they fit and it pays."""
    bits = 8 // len(facts)
    packed_facts = _pack(facts, bits) if len(facts[0]) >= FEWEST_PACKED else None
    if packed_facts is None:
        return [_join(gather([*fact, 0])[:-2]) for fact in facts]
    by_row = bytes(gather(packed_facts + b"\0")[:-2])
    return [by_row.translate(_reading_table(bits, place)) for place in range(len(facts))]


def _pack(facts: Sequence[Sequence[int]], bits: int) -> bytes | None:
    """Return the facts in one byte a seat, with so many bits for each; None if a number is larger."""
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
