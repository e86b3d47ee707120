"""Columns of a cross table as numpy arrays, exact and faster.

Nothing is rounded. Whole numbers that outgrow a machine word are held as limbs of `BITS` bits, the lowest
first; only the highest may be larger. An event whose numbers could overflow all the same is left to lists.
"""

from __future__ import annotations

import importlib
import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from itertools import chain
from typing import Any

from tournament.engine.records import PlayerId
from tournament.engine.standings.scoring import MET, RoundStatus
from tournament.engine.standings.seats import RoundColumns, Seats

BITS = 28
MASK = (1 << BITS) - 1
ROOM = 1 << 62
LARGEST = 1 << 16
MOST_ROUNDS = 1 << 7
FEWEST_SEATS = 4000
# Ids are looked up in a table where it has at most so many places for each player.
SPREAD = 32
Limb = Any  # an array of int64, one number a player and 0 for no one


COUNTS = ("points", "games_won", "games_lost", "games_drawn")


class OnListsOnly(Exception):
    """Something that arrays of machine words cannot hold, or do not know; lists can."""


class _Numpy:
    """numpy, which takes its memory only in processes that calculate large standings."""

    def __getattr__(self, name: str) -> Any:
        value = self.__dict__[name] = getattr(importlib.import_module("numpy"), name)
        return value


np: Any = _Numpy()
is_installed = find_spec("numpy") is not None


def is_worthwhile(players: int, rounds: int) -> bool:
    """Return whether arrays are available and the event is worth making them.

    It is if it is so large that making them pays.
    """
    return is_installed and players * rounds >= max(1, FEWEST_SEATS) and rounds <= MOST_ROUNDS


def safe(number: int) -> int:
    """Return the same number, if it is no larger than those of a round.

    Raises OnListsOnly otherwise.
    """
    if number > LARGEST:
        raise OnListsOnly
    return number


class ColumnArrays:
    """Arrays with one row per round and one column per player.

    The last column is for no one, and its every number is 0.
    """

    def __init__(self, seats: Seats, finder: RowFinder) -> None:
        """Write down the seats of all rounds.

        Raises KeyError for an unknown player, ValueError for one with two seats in a round, OnListsOnly for
        numbers so large that sums and products of a few could overflow.
        """
        self.players, self._spent_by_sides = finder.players, dict[frozenset[RoundStatus], Any]()
        self._shape = (seats.round_count, self.players + 1)
        found_rows = finder.find(seats.firsts, seats.seconds, seats.others, seats.opponents_of_others)
        half, size = len(seats.firsts), len(seats.sides)
        rows, rows_of_opponents = found_rows[:size], found_rows[size:]
        places = rows + self._shape[1] * _round_numbers(seats)
        opponents = np.concatenate((rows[half : 2 * half], rows[:half], rows_of_opponents))
        self.opponent = self._by_place(places, opponents, self.players)
        self.side = self._by_place(places, _column(seats.sides))
        self._counts = {fact: self._by_place(places, _column(getattr(seats, fact))) for fact in COUNTS}
        if np.count_nonzero(self.side) != seats.taken_count:
            raise ValueError("a player sits at two tables of one round")
        if any(column.min() < 0 or column.max() > LARGEST for column in self._counts.values()):
            raise OnListsOnly

    def _by_place(self, places: Limb, numbers: Limb, empty: int = 0) -> Any:
        """Return the numbers as one row a round and one column a player.

        All other places have `empty`.
        """
        column = np.full(self._shape, empty, numbers.dtype)
        column.put(places, numbers)
        column[:, -1] = empty
        return column

    def __len__(self) -> int:
        return len(self.side)

    def lists(self, number: int) -> RoundColumns:
        """Return the columns of one round as lists."""
        columns = {"opponent": self.opponent, "side": self.side, **self._counts}
        lists = {fact: column[number, : self.players].tolist() for fact, column in columns.items()}
        return RoundColumns(**{**lists, "side": bytes(lists["side"])})

    # -- what tiebreakers are made of

    def was_spent(self, sides: frozenset[RoundStatus]) -> Any:
        """Return where a round was spent in one of these ways."""
        if sides not in self._spent_by_sides:
            spent_rounds = np.zeros(self.side.shape, bool)
            for side in sides:
                spent_rounds |= self.side == int(side)  # a member of an enum is compared far more slowly
            self._spent_by_sides[sides] = spent_rounds
        return self._spent_by_sides[sides]

    def seats_spent(self, sides: frozenset[RoundStatus]) -> Any:
        """Return the places of the rounds spent in one of these ways.

        The places count through all rounds, one after another.
        """
        return np.flatnonzero(self.was_spent(sides))

    def total(self, fact: str, without: frozenset[RoundStatus] = frozenset()) -> Limb:
        """Return the sum of one column of every round.

        Rounds spent in one of the given ways are left out.
        """
        column = self._counts[fact]
        total = column.sum(0, dtype=np.int64)
        if without:
            spent_places = self.seats_spent(without)
            np.subtract.at(total, spent_places % column.shape[1], column.take(spent_places))
        return total

    def count(self, sides: frozenset[RoundStatus]) -> Limb:
        """Return how many rounds each player spent in one of the given ways."""
        return count(self.was_spent(sides))

    def of_opponents(self, values: Limb) -> Limb:
        """Return the entry of `values` of each player's opponent, round by round."""
        return values.take(self.opponent, mode="clip")

    def gather(self, values: Limb) -> Limb:
        """Return for each player the sum of `values` over their opponents."""
        return self.of_opponents(values).sum(0)

    @cached_property
    def points(self) -> Limb:
        """Points of each player, round by round."""
        return self._counts["points"].astype(np.int64)

    @cached_property
    def scores(self) -> Limb:
        """Points of each player."""
        return self.total("points")

    @cached_property
    def meetings(self) -> Limb:
        """How many matches against an opponent each player has behind them."""
        return self.count(MET)


def count(where: Any) -> Limb:
    """Count, player by player, in how many rounds something holds.

    There are at most `MOST_ROUNDS`.
    """
    return where.sum(0, dtype=np.uint8).astype(np.int64)


class RowFinder:
    """A finder of rows of players.

    It uses a table of all ids between the first and the last where these are close. `nobody` is an id before
    all others, and has the number after the last row.
    """

    def __init__(self, ids: Sequence[PlayerId], nobody: PlayerId) -> None:
        self._ids, self._first = (*ids, nobody), nobody
        self.players = len(ids)
        span = max(self._ids) - nobody + 1
        self._table = None
        if span <= SPREAD * len(self._ids):
            self._table = np.full(span, -1, np.intp)
            self._table[_column(self._ids) - nobody] = np.arange(len(self._ids))

    @cached_property
    def _row_of(self) -> dict[PlayerId, int]:
        return {player: row for row, player in enumerate(self._ids)}

    def find(self, *columns: Sequence[PlayerId]) -> Limb:
        """Return the row of each player of some columns.

        Raises KeyError for an unknown one.
        """
        if self._table is None or not any(columns):
            return _column(list(map(self._row_of.__getitem__, chain(*columns))))
        try:
            places = np.concatenate([_column(ids) for ids in columns]) - self._first
        except TypeError:
            raise KeyError("no id") from None
        if places.min() < 0 or places.max() >= len(self._table):
            raise KeyError("an id before the first or after the last")
        rows = self._table.take(places)
        if rows.min() < 0:
            raise KeyError("an id between those of players")
        return rows


def _column(numbers: Sequence[int]) -> Limb:
    """Return the numbers as an array. Raises OnListsOnly if one is too large."""
    if isinstance(numbers, bytes):
        return np.frombuffer(numbers, np.uint8)
    # Packed first, numbers are read in half the time that a list takes.
    try:
        return np.frombuffer(struct.pack(f"{len(numbers)}q", *numbers), np.int64)
    except struct.error:
        return _column_of_any(numbers)


def _column_of_any(numbers: Sequence[int]) -> Limb:
    """Return an array, or raise the reason why there is none.

    Raises OnListsOnly for a number that is too large, TypeError for what is not a number.
    """
    try:
        return np.fromiter(numbers, np.int64, len(numbers))
    except OverflowError:
        raise OnListsOnly from None


def _round_numbers(seats: Seats) -> Limb:
    """Return for each seat the number of its round, counted from 0."""
    parts = zip(*map(seats.of_round, range(seats.round_count)), strict=True)
    sizes = [len(places) for part in parts for places in part]
    return np.repeat(np.tile(np.arange(seats.round_count), 3), sizes)


# -- whole numbers of any size


class Limbs(Sequence[int]):
    """One integer per player as limbs, which reads like a list of Python's integers.

    Only what is never added up again may be below 0.
    """

    def __init__(self, parts: Sequence[Limb]) -> None:
        self.parts = parts

    def __len__(self) -> int:
        return len(self.parts[0]) - 1

    def __getitem__(self, row: Any) -> Any:
        return self._numbers[row]

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    @cached_property
    def _numbers(self) -> list[int]:
        """Return the numbers as Python's own integers.

        Reading all of them one by one from arrays would take three times as long.
        """
        numbers: list[int] = self.parts[-1][:-1].tolist()
        for part in self.parts[-2::-1]:
            numbers = [(high << BITS) + low for high, low in zip(numbers, part[:-1].tolist(), strict=True)]
        return numbers

    def below(self, factor: int) -> bool:
        """Return whether `factor` times the highest limb fits into a machine word."""
        return max(1, int(self.parts[-1].max())) * factor < ROOM

    def carry(self) -> Limbs:
        """Return the same numbers with every limb below 2**BITS, the highest too."""
        parts, carry = [], 0
        for part in self.parts:
            total = part + carry
            parts.append(total & MASK)
            carry = total >> BITS
        while np.any(carry):
            parts.append(carry & MASK)
            carry = carry >> BITS
        return Limbs(parts)

    def sum_opponents(self, arrays: ColumnArrays) -> Limbs:
        """Return for each player the sum over their opponents."""
        safe = self if self.below(len(arrays)) else self.carry()
        return Limbs([arrays.gather(part) for part in safe.parts])

    def times(self, factors: Sequence[int], which: Limb) -> Limbs:
        """Return each player's number times one of `factors`.

        `which` is the place of that factor.
        """
        if len(self.parts) == 1 and self.below(max(factors)):
            return Limbs([self.parts[0] * np.array(factors, np.int64)[which]])
        parts = self.carry().parts
        length = -(-max(factors).bit_length() // BITS) or 1
        split = [np.array([f >> at * BITS & MASK for f in factors], np.int64)[which] for at in range(length)]
        products: list[Limb] = [0] * (len(parts) + length - 1)
        for high, part in enumerate(parts):
            for low, factor in enumerate(split):
                products[high + low] = products[high + low] + part * factor
        return Limbs(products).carry()

    def replace_at(self, where: Any, number: int) -> Limbs:
        """Return the same numbers, but `number` for the players at `where`."""
        parts, last = list(self.parts), len(self.parts) - 1
        if number >> last * BITS >= ROOM:
            parts = list(self.carry().parts)
            last = max(len(parts), -(-number.bit_length() // BITS)) - 1
            parts += [np.zeros_like(parts[0])] * (last + 1 - len(parts))
        split = [number >> at * BITS & MASK for at in range(last)] + [number >> last * BITS]
        return Limbs([np.where(where, each, part) for each, part in zip(split, parts, strict=True)])


# -- the order of players


def machine_words(numbers: Sequence[int]) -> list[Limb]:
    """Return the numbers as arrays that order them, the weightiest first.

    Raises OnListsOnly.
    """
    if isinstance(numbers, Limbs):
        return [part[:-1] for part in reversed(numbers.parts)]
    return [_column(numbers)]


def _combine_keys(group: Limb, key: Limb) -> Limb:
    """Return what sorts by group and, within, the greatest first.

    By one number for both where it holds them.
    """
    behind = key.max() - key
    span = int(behind.max()) + 1
    if int(group[-1] + 1) * span < ROOM:
        return np.argsort(group * span + behind, kind="stable")
    return np.lexsort((behind, group))


def in_order(keys: Iterable[Limb], random_numbers: Sequence[int]) -> tuple[list[int], list[int], list[bool]]:
    """Return rows from best to worst, the rank of each, and whether it is shared.

    Each key is the greater for the better player and counts only among those level on all keys before; who
    is tied on all is in the order of `random_numbers`.
    """
    order, places = np.array(random_numbers, np.intp), np.arange(len(random_numbers))
    first = places == 0  # whether no one before is level
    for key in keys:
        level = np.flatnonzero(~first | ~np.append(first[1:], True))
        if not len(level):
            break
        rows, group = order[level], np.cumsum(first)[level]
        rows = rows[_combine_keys(group, key[rows])]
        order[level], sorted_keys = rows, key[rows]
        first[level[1:]] = (group[1:] != group[:-1]) | (sorted_keys[1:] != sorted_keys[:-1])
    ranks = np.maximum.accumulate(np.where(first, places, 0)) + 1
    are_tied = ~(first & np.append(first[1:], True))
    return order.tolist(), ranks.tolist(), are_tied.tolist()
