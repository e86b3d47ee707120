"""Weights of the parts of a pairing's cost, the worst first.

One number holds a whole cost: one of a kind outweighs as many of all later kinds as a round can have.
"""

from __future__ import annotations

from typing import NamedTuple

from tournament.engine.pairing.model import Cost
from tournament.engine.records import Score

_LONGEST_MEMORY = 12


def count_nearness(rounds_since: int) -> int:
    """Return the weight of two having met so many rounds ago.

    The nearer the round, the higher the weight. 0 rounds ago means that it is not known.

    >>> [count_nearness(rounds) for rounds in (0, 1, 2, 3, 12, 13)]
    [0, 12, 6, 4, 1, 0]
    """
    return _LONGEST_MEMORY // rounds_since if rounds_since else 0


class CostWeights(NamedTuple):
    """The weight of one of each kind.

    `floats` is the weight of the smallest part of a float's cost. `repeat_base` is by how much a further
    meeting outweighs the one before, `most_times` how often a pair (or a player and the bye) has met at most.
    """

    wish: int
    floats: int
    bye: int
    immediate: int
    rematch: int
    repeat_base: int
    most_times: int
    forbidden: int

    @classmethod
    def of(
        cls,
        tables: int,
        levels: int,
        largest_floats: int,
        *,
        most_wishes: int,
        knows_when: bool,
        most_times: int,
    ) -> CostWeights:
        """Return the weights of a round of a given number of tables.

        `largest_floats` is the most that all floats can cost, `most_wishes` the most that can be against
        preferences, `knows_when` whether it is known of any pair in which round it met.
        """
        wish = _LONGEST_MEMORY * tables + 1 if knows_when else 1
        floats = wish * (most_wishes + 1)
        bye = floats * (largest_floats + 1)
        immediate = bye * (levels + 1)
        rematch = immediate * (tables + 1) if knows_when else immediate
        base = tables + 1
        return cls(wish, floats, bye, immediate, rematch, base, most_times, rematch * base**most_times)

    def repeat(self, times: int, rounds_since: int) -> int:
        """Return the weight of a pair that met the given number of times.

        It last met the given number of rounds ago (0: unknown).
        """
        cost: int = self.rematch * self.repeat_base ** (times - 1) + count_nearness(rounds_since)
        return cost + self.immediate if rounds_since == 1 else cost

    def beyond(self, times: int) -> int:
        """Return what outweighs all pairs that have met at most so many times."""
        weight: int = self.rematch * self.repeat_base**times
        return weight

    def most_repeated(self, total: Score) -> int:
        """Return how often the most repeated pair of a round has met.

        This is read from the total of the round.
        """
        rest, times = total % self.forbidden // self.rematch, 0
        while rest:
            rest, times = rest // self.repeat_base, times + 1
        return times

    def split(self, total: Score) -> tuple[Cost, int]:
        """Return a total as a cost, and its nearness.

        The floats of the cost are in smallest parts, and its bye has no score.
        """
        forbidden_count, rest = divmod(total, self.forbidden)
        meetings, rest = divmod(rest, self.rematch)
        immediate, rest = divmod(rest, self.immediate)
        bye_rank, rest = divmod(rest, self.bye)
        floats, rest = divmod(rest, self.floats)
        unwished_count, nearness = divmod(rest, self.wish)
        repeat_digits = self._digits(int(meetings))
        cost = Cost(
            forbidden_count=int(forbidden_count),
            rematches=sum(repeat_digits),
            bye_rank=int(bye_rank),
            floats=floats,
            unwished_count=int(unwished_count),
            repeat_counts=repeat_digits,
            immediate_count=int(immediate),
        )
        return cost, int(nearness)

    def _digits(self, meetings: int) -> tuple[int, ...]:
        digits = []
        while meetings:
            meetings, digit = divmod(meetings, self.repeat_base)
            digits.append(digit)
        return tuple(digits)
