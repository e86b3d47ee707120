"""The tables of one event in its hall: from a first number on, without those that are reserved."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import count

LAST_TABLE = 9999


OUTSIDE = 1_000_000


class TableNumbers:
    """Turns the engine's places (1, 2, 3 …) into the numbers that stand on the tables, and back.

    A number that is not the event's own (below its first table, or reserved) can still be somebody's fixed
    seat: its place lies beyond all others.

    >>> numbers = TableNumbers(first=21, reserved=[22])
    >>> [numbers.table(place) for place in (1, 2, 3)], numbers.place(24), numbers.table(numbers.place(5))
    ([21, 23, 24], 3, 5)
    """

    __slots__ = ("first", "reserved")

    def __init__(self, first: int = 1, reserved: Iterable[int] = ()) -> None:
        self.first = first
        self.reserved = sorted({number for number in reserved if number >= first})

    def __iter__(self) -> Iterator[int]:
        """The event's tables, from the first on, without end."""
        reserved = set(self.reserved)
        return (number for number in count(self.first) if number not in reserved)

    def table(self, place: int) -> int:
        """The number on the table of a place."""
        if place > OUTSIDE:
            return place - OUTSIDE
        number = self.first + place - 1
        for taken in self.reserved:
            number += taken <= number
        return number

    def place(self, table: int) -> int:
        """The place of a table."""
        below = bisect_left(self.reserved, table)
        if table < self.first or table in self.reserved[below : below + 1]:
            return OUTSIDE + table
        return table - self.first + 1 - below
