"""Count or iterate pairings of a small field by cost.

The cheapest is found by matching; the rest falls into parts by the first table in which a pairing differs
from it, and each part gives its own cheapest in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count

from tournament.engine.seeded_random import SeededRandom

MOST_VERTICES = 12

Pairs = list[tuple[int, int]]

PartnerChoice = tuple[int, int]  # a partner, and in how many ways the rest can be cheapest

_BITS_BY_PARTNERS = (0, 0, 250, 431, 573, 691, 791, 878, 956, 1026, 1089, 1147, 1201)


def is_countable(partners: Sequence[int], most_bits: int) -> bool:
    """Return whether the pairings within these pairs can surely be counted soon.

    The pairs are given as a bit mask for each row. By Bregman's theorem there are at most the product of
    (d!)**(1/2d), where d is the number of partners of a row; `_BITS_BY_PARTNERS` holds the binary logarithm
    of each factor in thousandths.
    """
    degrees = [mask.bit_count() for mask in partners]
    return max(degrees) < len(_BITS_BY_PARTNERS) and sum(_BITS_BY_PARTNERS[d] for d in degrees) <= most_bits


class PairingCounter:
    """The least cost of pairing every set of vertices that can be left over.

    Also holds in how many ways that cost is reached. `costs` is a symmetric square table with an even number
    of rows, at most a dozen or so: the work doubles with each row. With `partners` (a bit mask for each row)
    only those pairs are tried, which must admit a pairing; where they are few, more rows can be afforded.
    """

    def __init__(self, costs: Sequence[Sequence[int]], partners: Sequence[int] | None = None) -> None:
        self._costs = costs
        self._costs_by_mask: dict[int, tuple[int, int]] = {0: (0, 1)}
        self._all = (1 << len(costs)) - 1
        self._may_meet = partners if partners is not None else [self._all] * len(costs)
        self.least, self.ways = self._weigh(self._all)

    def draw(self, chance: SeededRandom) -> Pairs:
        """Return one of the cheapest pairings, each as likely as the others."""
        pairs, open_mask = [], self._all
        while open_mask:
            first, partners = self._partners(open_mask)
            v = _pick_share(partners, chance.below(sum(ways for _, ways in partners)))
            pairs.append((first, v))
            open_mask &= ~(1 << first | 1 << v)
        return pairs

    def cost(self, pairs: Iterable[tuple[int, int]]) -> int:
        """Return what some pairs cost together."""
        return sum(self._costs[u][v] for u, v in pairs)

    def _weigh(self, open_mask: int) -> tuple[int, int]:
        """Return the least cost of pairing those left, and in how many ways.

        There are no ways where they cannot be paired.
        """
        weights = self._costs_by_mask
        low = open_mask & -open_mask
        first, rest = low.bit_length() - 1, open_mask ^ low
        row, others = self._costs[first], rest & self._may_meet[first]
        least = total = 0
        while others:
            bit = others & -others
            others ^= bit
            cost, ways = weights.get(rest ^ bit) or self._weigh(rest ^ bit)
            if not ways:
                continue
            cost += row[bit.bit_length() - 1]
            if not total or cost < least:
                least, total = cost, ways
            elif cost == least:
                total += ways
        weights[open_mask] = least, total
        return least, total

    def _partners(self, open_mask: int) -> tuple[int, list[PartnerChoice]]:
        """Return the first vertex left, and its best partners.

        With each of these partners the rest is cheapest, and each comes with the number of ways.
        """
        first = (open_mask & -open_mask).bit_length() - 1
        row, rest, least = self._costs[first], open_mask & (open_mask - 1), self._costs_by_mask[open_mask][0]
        choices = []
        for v in iterate_bits(rest & self._may_meet[first]):
            cost, ways = self._costs_by_mask[rest ^ 1 << v]
            if ways and cost + row[v] == least:
                choices.append((v, ways))
        return first, choices


def iterate_bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, low to high."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _pick_share(choices: Sequence[PartnerChoice], number: int) -> int:
    """Return the partner whose share of all the ways holds the number that was drawn."""
    for v, ways in choices:
        if number < ways:
            return v
        number -= ways
    raise AssertionError("The lot lies beyond the ways that were counted.")


def iterate_by_cost(costs: Sequence[Sequence[int]], wall: int) -> Iterator[tuple[int, Pairs]]:
    """Yield (cost, pairs) of every perfect matching that stays below `wall`.

    None of its pairs costs `wall` or more. `costs` is a symmetric square table of whole numbers with an even
    number of rows. `wall` is more than any matching without such a pair costs.
    """
    pending_choices: list[tuple[int, int, Pairs, Pairs, Pairs]] = []
    numbers = count()
    _offer(pending_choices, numbers, costs, wall, [], [])
    while pending_choices:
        cost, _, pairs, fixed_pairs, barred_pairs = heappop(pending_choices)
        yield cost, pairs
        free = [pair for pair in pairs if pair not in fixed_pairs]
        for index_of, pair in enumerate(free[:-1]):
            _offer(
                pending_choices, numbers, costs, wall, fixed_pairs + free[:index_of], [*barred_pairs, pair]
            )


def _offer(
    pending_choices: list[tuple[int, int, Pairs, Pairs, Pairs]],
    numbers: Iterator[int],
    costs: Sequence[Sequence[int]],
    wall: int,
    fixed_pairs: Pairs,
    barred_pairs: Pairs,
) -> None:
    """Add the cheapest matching with all `fixed_pairs` and no `barred_pairs`.

    Nothing is added if there is none.
    """
    fixed_vertices = {v for pair in fixed_pairs for v in pair}
    open_vertices = [v for v in range(len(costs)) if v not in fixed_vertices]
    table = [[min(costs[u][v], wall) for v in open_vertices] for u in open_vertices]
    index_of = {v: i for i, v in enumerate(open_vertices)}
    for u, v in barred_pairs:
        if u in fixed_vertices or v in fixed_vertices:
            continue
        table[index_of[u]][index_of[v]] = table[index_of[v]][index_of[u]] = wall
    from tournament.engine.pairing.matching import cheapest_perfect_matching

    matching = cheapest_perfect_matching(table)
    if matching.cost < wall:
        pairs = fixed_pairs + [
            (open_vertices[u], open_vertices[v]) for u, v in enumerate(matching.mate) if u < v
        ]
        cost = sum(costs[u][v] for u, v in pairs)
        heappush(pending_choices, (cost, next(numbers), pairs, fixed_pairs, barred_pairs))
