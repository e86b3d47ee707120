"""Draws that come out the same on every machine and in every Python.

The words are read from SHAKE-256 of the seed, a published standard, and turned into whole numbers by
rejection. Anyone can repeat a draw in any language, and no library's choice of algorithm enters into it.
"""

from __future__ import annotations

import struct
from collections.abc import MutableSequence, Sequence
from hashlib import shake_256
from typing import TypeVar

T = TypeVar("T")
WORD_BITS = 64
_WORD_BYTES = 8
_BLOCK_WORDS = 256
_WORDS_IN_ALL = 1 << WORD_BITS


class Chance:
    """An endless row of unbiased draws that depends on `seed` (any whole number) and `purpose` alone.

    >>> Chance(7, "example").below(10) == Chance(7, "example").below(10)
    True
    """

    __slots__ = ("_block", "_left", "_name")

    def __init__(self, seed: int, purpose: str) -> None:
        self._name = f"ringside/{purpose}/{seed}".encode()
        self._block = 0
        self._left: list[int] = []

    def words(self, count: int) -> tuple[int, ...]:
        """`count` fresh 64-bit words, from a stretch of their own: they do not move the other draws."""
        stream = shake_256(self._name + b"/words").digest(_WORD_BYTES * count)
        return struct.unpack(f"<{count}Q", stream)

    def below(self, limit: int) -> int:
        """A whole number from 0 up to, not including, `limit` (1 or more), each as likely as the others."""
        if limit <= 0:
            raise ValueError(f"Nothing can be drawn from {limit} possibilities; at least one is needed.")
        digits = 1
        while limit > _WORDS_IN_ALL**digits:
            digits += 1
        span = _WORDS_IN_ALL**digits
        while True:
            word = self._word()
            for _ in range(digits - 1):
                word = word << WORD_BITS | self._word()
            if word < span - span % limit:
                return word % limit

    def pick(self, items: Sequence[T]) -> T:
        """One of `items`, each as likely as the others."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put `items` into a random order, in place, every order as likely as the others."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def _word(self) -> int:
        if not self._left:
            self._refill()
        return self._left.pop()

    def _refill(self) -> None:
        stream = shake_256(self._name + b"/%d" % self._block).digest(_WORD_BYTES * _BLOCK_WORDS)
        self._left = list(struct.unpack(f"<{_BLOCK_WORDS}Q", stream))
        self._block += 1
