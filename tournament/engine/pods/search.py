"""A good seating of a large field.

The players are sorted by points, then the seating is improved by exchanges of two players.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournament.engine.pods.exhaustive import Seating
from tournament.engine.pods.model import PodWeights
from tournament.engine.seeded_random import SeededRandom

# Number of tables to either side that are tried for an exchange, and number of passes.
REACH, PASSES = 8, 30
# Small fields are started again from other random numbers; the best of all starts is kept.
MANY_STARTS, STARTS = 48, 6


def search_seating(weights: PodWeights, count: int, chance: SeededRandom) -> Seating:
    """Return a seating that no exchange of two players of near tables makes lighter."""
    starts = STARTS if count <= MANY_STARTS else 1
    seatings = [_Seating(weights, count, chance).improve() for _ in range(starts)]
    best = min(seatings, key=lambda seating: seating.weight)
    return tuple(map(tuple, best.tables)), tuple(best.resting_indexes)


class _Seating:
    """Tables in the order of their points, and who rests."""

    def __init__(self, weights: PodWeights, count: int, chance: SeededRandom) -> None:
        self.weights = weights
        lots = chance.random_keys(count)
        order = sorted(
            range(count), key=lambda table_index: (-weights.scores[table_index], lots[table_index])
        )
        sizes = weights.field.table_sizes
        by_rest = sorted(order, key=lambda table_index: (weights.rest(table_index), lots[table_index]))
        self.resting_indexes = by_rest[: sizes.resting_count]
        resting_players = set(self.resting_indexes)
        playing_order = iter([table_index for table_index in order if table_index not in resting_players])
        self.tables = [[next(playing_order) for _ in range(size)] for size in sizes.sizes]

    @property
    def weight(self) -> int:
        """The cost of the seating."""
        return sum(map(self.weights.table, self.tables)) + sum(map(self.weights.rest, self.resting_indexes))

    def improve(self) -> _Seating:
        """Exchange players as long as that helps."""
        changed_tables = set(range(len(self.tables)))
        for _ in range(PASSES):
            heavy = [
                table_index
                for table_index in sorted(changed_tables)
                if self.weights.table(self.tables[table_index])
            ]
            changed_tables = {other for table_index in heavy for other in self._improve_table(table_index)}
            if not changed_tables and not self._exchange_resting():
                break
        return self

    def _improve_table(self, table_index: int) -> set[int]:
        """Exchange players of one table with those of near ones; the tables that changed."""
        changed_tables: set[int] = set()
        first, last = max(0, table_index - REACH), min(len(self.tables), table_index + REACH + 1)
        for other in range(first, last):
            while other != table_index and self._exchange(self.tables[table_index], self.tables[other]):
                changed_tables |= {table_index, other}
        return changed_tables

    def _exchange(self, one: list[int], two: list[int]) -> bool:
        """Make the best exchange between two tables; whether there was one that helps."""
        before = self.weights.table(one) + self.weights.table(two)
        best, places = before, None
        for i in range(len(one)):
            for j in range(len(two)):
                one[i], two[j] = two[j], one[i]
                weight = self.weights.table(one) + self.weights.table(two)
                one[i], two[j] = two[j], one[i]
                if weight < best:
                    best, places = weight, (i, j)
        if places is not None:
            i, j = places
            one[i], two[j] = two[j], one[i]
        return places is not None

    def _exchange_resting(self) -> bool:
        """Let another player rest where that helps."""
        for table_index, resting in enumerate(self.resting_indexes):
            for table in self.tables:
                if self._exchange_with_resting(table, table_index, resting):
                    return True
        return False

    def _exchange_with_resting(self, table: list[int], table_index: int, resting: int) -> bool:
        before = self.weights.table(table) + self.weights.rest(resting)
        for place, member in enumerate(table):
            if self.weights.rest(member) >= before:
                continue
            table[place] = resting
            if self.weights.table(table) + self.weights.rest(member) < before:
                self.resting_indexes[table_index] = member
                return True
            table[place] = member
        return False


def count_unbreakable_gaps(scores: Sequence[int], sizes: Sequence[int], resting: int) -> int:
    """Return what the gaps of every seating cost at least, in squared steps of score.

    Between two scores runs a line. If the players above it fill no set of whole tables (whichever player
    rests), one table has players on both sides: at least one less than it has seats, as pairs. Squares of a
    sum are no less than the sum of squares, so the lines add up.
    """
    full = _full_numbers(sizes)
    ordered_scores = sorted(scores, reverse=True)
    least_pairs = min(sizes, default=1) - 1
    total = 0
    for above in range(1, len(ordered_scores)):
        step = ordered_scores[above - 1] - ordered_scores[above]
        if step and not any(above - rest in full for rest in range(resting + 1)):
            total += least_pairs * step * step
    return total


def _full_numbers(sizes: Sequence[int]) -> set[int]:
    """Return how many players some of the tables can seat together."""
    numbers = {0}
    for size in set(sizes):
        numbers = {number + size * times for number in numbers for times in range(sizes.count(size) + 1)}
    return numbers
