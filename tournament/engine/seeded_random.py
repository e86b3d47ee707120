"""Reproducible random numbers and tiebreak numbers from a seed.

The words are read from SHAKE-256 of the seed, a published standard, and turned into whole numbers by
rejection. Anyone can repeat a draw in any language, and no library's choice of algorithm enters into it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, MutableSequence, Sequence
from hashlib import sha256, shake_256
from typing import TypeVar

from tournament.engine.records import PlayerId

T = TypeVar("T")

WORD_BITS = 64

_WORD_BYTES = 8

_LOT_BYTES = 4

_BLOCK_WORDS = 64

_LOW_SIX_BITS = bytes(byte & 63 for byte in range(256))

_WORDS_IN_ALL = 1 << WORD_BITS

_WORD_MASK = _WORDS_IN_ALL - 1


class SeededRandom:
    """An endless sequence of unbiased draws.

    It depends on `seed` (any integer) and `purpose` alone.

    >>> SeededRandom(7, "example").below(10) == SeededRandom(7, "example").below(10)
    True
    """

    __slots__ = ("_block", "_name", "_words_left")

    def __init__(self, seed: int, purpose: str) -> None:
        self._name = f"ringside/{purpose}/{seed}".encode()
        self._block = 0
        self._words_left: list[int] = []

    def below(self, limit: int) -> int:
        """Return a whole number from 0 up to, not including, `limit`.

        `limit` is 1 or more. Each number is as likely as the others.
        """
        if not 0 < limit <= _WORDS_IN_ALL:
            return self._below_large(limit)
        while True:
            product = self._word() * limit
            remainder = product & _WORD_MASK
            if remainder >= limit or remainder >= _WORDS_IN_ALL % limit:
                return product >> WORD_BITS

    def _below_large(self, limit: int) -> int:
        if limit <= 0:
            raise ValueError(f"Nothing can be drawn from {limit} possibilities; at least one is needed.")
        length = -(-limit.bit_length() // WORD_BITS)
        span = _WORDS_IN_ALL**length
        while True:
            word = 0
            for _ in range(length):
                word = word << WORD_BITS | self._word()
            if word < span - span % limit:
                return word % limit

    def many_below(self, limit: int, count: int) -> list[int]:
        """Draw `count` numbers below `limit` (at most 2**32) at once.

        No number is favored by more than one part in 2**32.
        """
        return [word * limit >> WORD_BITS for word in self.words(count)]

    def words(self, count: int) -> tuple[int, ...]:
        """Draw `count` numbers of `WORD_BITS` bits."""
        return struct.unpack(f"<{count}Q", self._next_bytes(_WORD_BYTES * count))

    def pick(self, items: Sequence[T]) -> T:
        """Return one of `items`, each as likely as the others."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put `items` into a random order, in place, every order as likely as the others."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def random_keys(self, count: int) -> list[int]:
        """Draw `count` keys of 30 bits (which Python sorts fastest).

        Two of them may be equal.
        """
        stream = bytearray(self._next_bytes(_LOT_BYTES * count))
        stream[_LOT_BYTES - 1 :: _LOT_BYTES] = stream[_LOT_BYTES - 1 :: _LOT_BYTES].translate(_LOW_SIX_BITS)
        return list(struct.unpack(f"<{count}I", stream))

    def _word(self) -> int:
        if not self._words_left:
            self._words_left = list(self.words(_BLOCK_WORDS))
        return self._words_left.pop()

    def _next_bytes(self, size: int) -> bytes:
        stream = shake_256(self._name + b"/%d" % self._block).digest(size)
        self._block += 1
        return stream


def draw_random_numbers(players: Iterable[PlayerId], seed: int) -> dict[PlayerId, int]:
    """Draw random numbers from 1 on for all players, the lower the better.

    The same seed draws the same on every machine.
    A later player changes some numbers but never the order of the others.
    """
    ordered_players = sorted(
        set(players), key=lambda player: (sha256(f"{seed}:{player}".encode()).digest(), player)
    )
    return {player: number for number, player in enumerate(ordered_players, 1)}


def derive_round_seed(seed: int, number: int) -> int:
    """Return a separate seed for every round.

    Thus one seed for a whole event does not favor anyone throughout.
    """
    return SeededRandom(seed, f"seed of round {number}").below(1 << 62)
