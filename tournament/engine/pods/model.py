"""Input, output and cost of seating tables of more than two sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import lcm

from rules.reason import Reason, reason
from tournament.engine.pairing.model import Entrant, PairingError
from tournament.engine.pods.sizes import TableSizes
from tournament.engine.problems import problem, refer_to_players
from tournament.engine.records import PlayerId, Score

# Meetings beyond the fourth cost as much as the fourth.
MOST_MEETINGS = 4

Pair = tuple[PlayerId, PlayerId]


class PodHistory:
    """How often two players sat at one table, and in which round last."""

    def __init__(self, rounds: Iterable[Iterable[Sequence[PlayerId]]] = ()) -> None:
        self.meetings: Counter[Pair] = Counter()
        self.last_pairs: set[Pair] = set()
        for tables in rounds:
            self.add_round(tables)

    def add_round(self, tables: Iterable[Sequence[PlayerId]]) -> None:
        """Add the next round by its tables."""
        self.last_pairs = {pair for table in tables for pair in map(order_pair, combinations(table, 2))}
        self.meetings.update(self.last_pairs)


def order_pair(pair: Sequence[PlayerId]) -> Pair:
    """Return two players, the lower id first."""
    one, two = pair
    return (one, two) if one < two else (two, one)


@dataclass(frozen=True, slots=True, order=True)
class PodCost:
    """The cost of a seating; a field counts before all after it.

    `forbidden_count`: blocked pairings. `meetings`: pairs that meet at least for the fifth, fourth, third
    and second time, in that order; a further bye counts likewise. `immediate_count`: pairs that sat together
    in the round before. `bye_scores`: points of those who rest. `gaps`: squared differences of all pairs at a
    table. `unwished_count`: pairs of one group. `small_again`: those who sit at a smaller table again.
    """

    forbidden_count: int
    meetings: tuple[int, ...]
    immediate_count: int
    bye_scores: Score
    gaps: Score
    unwished_count: int
    small_again: int

    @property
    def repeats(self) -> int:
        """How many pairs meet again, and how many rest again."""
        return sum(self.meetings)

    @property
    def third_meetings(self) -> int:
        """How many of them for the third time or more often."""
        return sum(self.meetings[:-1])


@dataclass(frozen=True, slots=True)
class PodCertificate:
    """The proof of how good a seating is.

    `lower_bound` is what every seating costs at least, `gap` how much of it is open. `method` is "exhaustive"
    (all seatings were compared) or "search" (exchanges, from several starts).
    """

    lower_bound: PodCost
    is_proved: bool
    method: str


@dataclass(frozen=True, slots=True)
class Pod:
    """One table: its players in their random seat order, with their scores."""

    number: int
    players: tuple[PlayerId, ...]
    scores: tuple[Score, ...]
    meeting_count: int = 0

    @property
    def why(self) -> tuple[Reason, ...]:
        """Why these players meet."""
        return tuple(_explain_pod(self))


def _explain_pod(pod: Pod) -> Iterator[Reason]:
    higher, lower = max(pod.scores), min(pod.scores)
    code = "pod_same_points" if higher == lower else "pod_points"
    yield reason(code, higher=higher, lower=lower)
    if pod.meeting_count:
        yield reason("pod_met", count=pod.meeting_count)


@dataclass(frozen=True, slots=True)
class PodRound:
    """A whole round of tables by number, with its seed and its cost.

    It also holds the players who rest and what is proved of the cost.
    """

    pods: tuple[Pod, ...]
    resting_players: tuple[PlayerId, ...]
    seed: int
    cost: PodCost
    certificate: PodCertificate


@dataclass(frozen=True, slots=True)
class PodField:
    """The entrants before a round as a table of weights.

    The weight of a seating is a sum over pairs and byes. Each kind of cost weighs more than everything that
    counts after it together.
    """

    entrants: tuple[Entrant, ...]
    history: PodHistory
    table_sizes: TableSizes
    forbidden_pairs: frozenset[Pair] = frozenset()
    groups_apart: bool = False
    small_seats: Mapping[PlayerId, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ids = [entrant.id for entrant in self.entrants]
        if not ids:
            raise PairingError([problem("field-empty")])
        if len(set(ids)) < len(ids):
            twice = next(each for each, count in Counter(ids).items() if count > 1)
            raise PairingError([problem("listed-twice", players=refer_to_players([twice]))])

    def cost(self, tables: Iterable[Sequence[int]], resting: Iterable[int]) -> PodCost:
        """Return what a seating costs; players by their places among the entrants."""
        tables = list(tables)
        pairs = [pair for table in tables for pair in combinations(table, 2)]
        pairs_by_meetings = Counter(min(self.count_meetings(i, j), MOST_MEETINGS) for i, j in pairs)
        resting = list(resting)
        pairs_by_meetings.update(min(self.entrants[i].byes, MOST_MEETINGS) for i in resting)
        ids = [order_pair((self.entrants[i].id, self.entrants[j].id)) for i, j in pairs]
        return PodCost(
            forbidden_count=sum(pair in self.forbidden_pairs for pair in ids),
            meetings=tuple(pairs_by_meetings[times] for times in range(MOST_MEETINGS, 0, -1)),
            immediate_count=sum(pair in self.history.last_pairs for pair in ids),
            bye_scores=sum((self.entrants[i].score for i in resting), Fraction(0)),
            gaps=sum((self._gap(i, j) ** 2 for i, j in pairs), Fraction(0)),
            unwished_count=sum(self._is_unwished(i, j) for i, j in pairs),
            small_again=sum(
                self.small_seats.get(self.entrants[i].id, 0)
                for table in tables
                if self.is_small(len(table))
                for i in table
            ),
        )

    def count_meetings(self, i: int, j: int) -> int:
        """Return how often two entrants have met."""
        return self.history.meetings[order_pair((self.entrants[i].id, self.entrants[j].id))]

    def is_small(self, size: int) -> bool:
        """Return whether a table has fewer seats than others of the round."""
        return bool(self.table_sizes.sizes) and size < self.table_sizes.sizes[0]

    def _gap(self, i: int, j: int) -> Score:
        return self.entrants[i].score - self.entrants[j].score

    def _is_unwished(self, i: int, j: int) -> bool:
        group = self.entrants[i].group
        return self.groups_apart and bool(group) and group == self.entrants[j].group


class PodWeights:
    """The costs of a field as integers.

    There are costs of a pair, of a bye and of a seat at a small table.
    """

    def __init__(self, field: PodField) -> None:
        self.field = field
        scores = [Fraction(entrant.score) for entrant in field.entrants]
        unit = lcm(*(score.denominator for score in scores))
        self.scores = [int(score * unit) for score in scores]
        pairs = sum(size * (size - 1) // 2 for size in field.table_sizes.sizes) + len(scores) + 1
        widest = max(self.scores) - min(self.scores)
        self.lowest = min(self.scores)
        most_small = sum(field.small_seats.values()) + 1
        self.unwished_weight = most_small
        self.gap = self.unwished_weight * pairs
        self.bye = self.gap * (pairs * widest * widest + 1)
        self.immediate_weight = self.bye * (widest * len(scores) + 1)
        self.meeting_weights = [0, self.immediate_weight * pairs]
        for _ in range(MOST_MEETINGS):
            self.meeting_weights.append(self.meeting_weights[-1] * pairs)
        self.forbidden_weight = self.meeting_weights[-1]
        self.too_much = 4 * self.forbidden_weight * pairs
        self._pairs: dict[tuple[int, int], int] = {}

    def pair(self, i: int, j: int) -> int:
        """Return what it costs that two sit at one table."""
        pair_weight = self._pairs.get((i, j))
        if pair_weight is None:
            pair_weight = self._pairs[i, j] = self._pairs[j, i] = self._weigh(i, j)
        return pair_weight

    def _weigh(self, i: int, j: int) -> int:
        field, gap = self.field, self.scores[i] - self.scores[j]
        pair = order_pair((field.entrants[i].id, field.entrants[j].id))
        return (
            gap * gap * self.gap
            + self.meeting_weights[min(field.history.meetings[pair], MOST_MEETINGS)]
            + self.immediate_weight * (pair in field.history.last_pairs)
            + self.forbidden_weight * (pair in field.forbidden_pairs)
            + self.unwished_weight * field._is_unwished(i, j)
        )

    def rest(self, i: int) -> int:
        """Return what it costs that one rests."""
        byes = min(self.field.entrants[i].byes, MOST_MEETINGS)
        return self.meeting_weights[byes] + self.bye * (self.scores[i] - self.lowest)

    def small(self, i: int) -> int:
        """Return what it costs that one sits at a smaller table."""
        return self.field.small_seats.get(self.field.entrants[i].id, 0)

    def table(self, members: Sequence[int]) -> int:
        """Return what a whole table costs."""
        weight = sum(self.pair(i, j) for i, j in combinations(members, 2))
        if self.field.is_small(len(members)):
            weight += sum(map(self.small, members))
        return weight
