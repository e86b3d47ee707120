"""A slow oracle for pairing: every pairing of a small field, one by one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from tournament.engine.pairing.floats import FloatCost, square_difference
from tournament.engine.pairing.model import NO_PREFERENCES, Entrant, Pairing, PairingPreferences
from tournament.engine.pairing.swiss import pair_round
from tournament.engine.records import Score


def linear(higher: Score, lower: Score) -> Score:
    """Return a custom cost that counts only the sum of the steps.

    Their distribution does not matter.
    """
    return higher - lower


def cubed(higher: Score, lower: Score) -> Score:
    """Return a custom cost that weighs wide floats even more."""
    return (higher - lower) ** 3


def dearer_at_the_top(higher: Score, lower: Score) -> Score:
    """Return a custom cost that depends on the scores themselves.

    The scores are 0 or more.
    """
    return higher * (higher - lower)


FLOAT_COSTS: tuple[FloatCost, ...] = (square_difference, linear, cubed, dearer_at_the_top)
Pair = frozenset[int | None]
Vector = tuple[int, int, int, Fraction, int]
_DIGIT = 64


@dataclass
class Case:
    """One call of `pair_round`, and the cost of its best pairing by trying all."""

    entrants: list[Entrant]
    met_pairs: list[tuple[int, int]] = field(default_factory=list)
    forbidden: list[tuple[int, int]] = field(default_factory=list)
    float_cost: FloatCost = square_difference
    preferences: PairingPreferences = NO_PREFERENCES

    def paired(self, seed: int = 1) -> Pairing:
        return pair_round(
            self.entrants,
            self.met_pairs,
            seed=seed,
            rounds_left=0,
            float_cost=self.float_cost,
            forbidden=self.forbidden,
            preferences=self.preferences,
        )

    def all_costs(self) -> dict[frozenset[Pair], Vector]:
        """Return every pairing of the field with its cost.

        Forbidden, rematches, rank of the bye, floats, unwished.
        """
        self._look_up()
        return {pairs: self._total(pairs) for pairs in all_pairings(self._players)}

    def least(self) -> Vector:
        """Return the least of all these costs.

        It is calculated for each set of remaining players.
        """
        self._look_up()
        size = range(len(self._players))
        pairs = [(u, v) for u in size for v in range(u)]
        vectors = [self._cost(frozenset((self._players[u], self._players[v]))) for u, v in pairs]
        unit = lcm(*(vector[3].denominator for vector in vectors))
        costs = [[0] * len(size) for _ in size]
        for (u, v), vector in zip(pairs, vectors, strict=True):
            costs[u][v] = costs[v][u] = _as_number(vector, unit)
        return _as_vector(least_sum(costs), unit)

    def cost_of(self, pairs: frozenset[Pair]) -> Vector:
        """Return what one pairing costs."""
        self._look_up()
        return self._total(pairs)

    def _look_up(self) -> None:
        self._met_pairs = {frozenset(pair) for pair in self.met_pairs}
        self._forbidden = {frozenset(pair) for pair in self.forbidden}
        self._apart = {frozenset(pair) for pair in self.preferences.separate_pairs}
        self._by_id = {entrant.id: entrant for entrant in self.entrants}
        self._ranks = sorted({entrant.score for entrant in self.entrants})
        self._players: list[int | None] = list(self._by_id)
        if len(self._players) % 2:
            self._players.append(None)

    def cheapest(self) -> list[frozenset[Pair]]:
        costs = self.all_costs()
        least = min(costs.values())
        return [pairs for pairs, cost in costs.items() if cost == least]

    def _total(self, pairs: frozenset[Pair]) -> Vector:
        forbidden, rematches, ranks, floats, unwanted_pairs = zip(*map(self._cost, pairs), strict=True)
        return (sum(forbidden), sum(rematches), sum(ranks), sum(floats, Fraction(0)), sum(unwanted_pairs))

    def _cost(self, pair: Pair) -> Vector:
        players = [self._by_id[player] for player in pair if player is not None]
        if len(players) == 1:
            return (0, int(players[0].byes > 0), self._ranks.index(players[0].score), Fraction(0), 0)
        low, high = sorted(players, key=lambda entrant: entrant.score)
        gap = self.float_cost(high.score, low.score) if high.score > low.score else 0
        same_group = low.group != "" and low.group == high.group
        unwanted_pairs = int(same_group and self.preferences.groups_apart)
        unwanted_pairs += pair in self._apart
        return (int(pair in self._forbidden), int(pair in self._met_pairs), 0, Fraction(gap), unwanted_pairs)


def all_pairings(players: Sequence[int | None]) -> Iterator[frozenset[Pair]]:
    """Yield every way to pair off an even number of players."""
    if not players:
        yield frozenset()
        return
    first, *others = players
    for at, other in enumerate(others):
        for rest in all_pairings(others[:at] + others[at + 1 :]):
            yield rest | {frozenset((first, other))}


def least_sum(costs: Sequence[Sequence[int]]) -> int:
    """Return the least sum of a perfect matching.

    It is calculated from the least cost of every set of vertices left over.
    """
    times_by_number = {0: 0}

    def least(rounds_left: int) -> int:
        if rounds_left not in times_by_number:
            first = (rounds_left & -rounds_left).bit_length() - 1
            rest, row = rounds_left & (rounds_left - 1), costs[first]
            times_by_number[rounds_left] = min(
                row[v] + least(rest ^ 1 << v) for v in range(first + 1, len(row)) if rest >> v & 1
            )
        return times_by_number[rounds_left]

    return least((1 << len(costs)) - 1)


def _as_number(vector: Vector, unit: int) -> int:
    """Return a cost as one number whose sums compare as the sums of its parts.

    Each part has its own digits.
    """
    forbidden, rematches, rank, floats, unwanted_pairs = vector
    number = 0
    for part in (forbidden, rematches, rank, int(floats * unit), unwanted_pairs):
        assert 0 <= part < 1 << _DIGIT - 8
        number = number << _DIGIT | part
    return number


def _as_vector(number: int, unit: int) -> Vector:
    mask = (1 << _DIGIT) - 1
    forbidden, rematches, rank, floats, unwanted_pairs = (
        number >> at * _DIGIT & mask for at in (4, 3, 2, 1, 0)
    )
    return (forbidden, rematches, rank, Fraction(floats, unit), unwanted_pairs)


def pairs_of(pairing: Pairing) -> frozenset[Pair]:
    pairs: set[Pair] = {frozenset(table.players) for table in pairing.tables}
    if pairing.bye is not None:
        pairs.add(frozenset((pairing.bye, None)))
    return frozenset(pairs)


def vector(pairing: Pairing) -> Vector:
    cost = pairing.cost
    return (cost.forbidden_count, cost.rematches, cost.bye_rank, Fraction(cost.floats), cost.unwished_count)


def random_case(rng: random.Random, most: int = 9) -> Case:
    """Return a small random field of any kind.

    Fields have tight histories, few and many scores, fractions, byes, rules and preferences.
    """
    size = rng.randrange(1, most + 1)
    scores, step = rng.choice([1, 2, 3, 5, 8]), rng.choice([1, 3, Fraction(1, 2), Fraction(2, 3)])
    entrants = [
        Entrant(
            id=at * 7 % 101,
            score=rng.randrange(scores) * step,
            byes=int(rng.random() < 0.3),
            group=rng.choice(["", "red", "blue"]),
        )
        for at in range(1, size + 1)
    ]
    pairs = [(a.id, b.id) for at, a in enumerate(entrants) for b in entrants[:at]]
    density, rule_density = rng.choice([0, 0.2, 0.5, 0.8, 0.95]), rng.choice([0, 0, 0.2, 0.5])
    return Case(
        entrants=entrants,
        met_pairs=[pair for pair in pairs if rng.random() < density],
        forbidden=[pair for pair in pairs if rng.random() < rule_density],
        preferences=PairingPreferences(
            groups_apart=rng.random() < 0.4,
            separate_pairs=frozenset(pair for pair in pairs if rng.random() < rng.choice([0, 0, 0.2])),
        ),
    )


def tight_case(size: int, scores: int, met_share: float, seed: int) -> Case:
    """Return a field in which many have met, so that its best pairings are few."""
    rng = random.Random(seed)
    entrants = [Entrant(at, at % scores * 3) for at in range(size)]
    return Case(entrants, [(a, b) for a in range(size) for b in range(a) if rng.random() < met_share])


def chi_square_deviation(counts: Counter[object], outcomes: int) -> float:
    """Return how many standard deviations chi-square is above its mean.

    The method is that of Wilson and Hilferty.
    """
    expected_count = counts.total() / outcomes
    statistic = sum((count - expected_count) ** 2 for count in counts.values()) / expected_count
    statistic += expected_count * (outcomes - len(counts))
    freedom = outcomes - 1
    spread = 2 / (9 * freedom)
    return float(((statistic / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


class Evening:
    """A whole event played with made-up results.

    It is for tests that need a state late in an event.
    """

    def __init__(self, size: int, seed: int) -> None:
        self.entrants = {at: Entrant(at) for at in range(1, size + 1)}
        self.met_pairs: list[tuple[int, int]] = []
        self._rng = random.Random(seed)

    def pair(self, seed: int, rounds_left: int | None = None) -> Pairing:
        return pair_round(list(self.entrants.values()), self.met_pairs, seed=seed, rounds_left=rounds_left)

    def play(self, pairing: Pairing) -> None:
        """Give every table a result, a draw in one of ten."""
        for table in pairing.tables:
            self.met_pairs.append(table.players)
            lot = self._rng.random()
            for player, share in zip(table.players, (0.1, 0.55), strict=True):
                is_win = lot >= 0.55 if share == 0.1 else 0.1 <= lot < 0.55
                self._add(player, 1 if lot < 0.1 else 3 * is_win)
        if pairing.bye is not None:
            self._add(pairing.bye, 3)
            entrant = self.entrants[pairing.bye]
            self.entrants[pairing.bye] = entrant._replace(byes=entrant.byes + 1)

    def _add(self, player: int, points: int) -> None:
        entrant = self.entrants[player]
        self.entrants[player] = entrant._replace(score=entrant.score + points)
