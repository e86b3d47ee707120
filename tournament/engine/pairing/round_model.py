"""Optimization model of a round: vertices, score levels and pair costs.

Vertices are the entrants in the order of their ids; in an odd field the bye is one more vertex, on a level
of its own below all. A pair costs one whole number (a fraction where scores are), in which forbidden pairs
outweigh all rematches (a third meeting all second ones), rematches all that repeat the round before, these
all byes, the bye's score all floats, floats all preferences, and preferences how long ago rematches last
met. Thus the least sum is the best pairing in that order of importance.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, combinations, compress
from math import ceil, lcm
from operator import itemgetter
from typing import Any, NamedTuple, cast

from tournament.engine.pairing.floats import (
    FloatCost,
    check_float_cost,
    common_denominator,
    square_difference,
)
from tournament.engine.pairing.history import MeetingHistory
from tournament.engine.pairing.model import (
    NO_PREFERENCES,
    Cost,
    Entrant,
    PairingError,
    PairingPreferences,
)
from tournament.engine.pairing.pair_costs import RepeatCosts, SpanCosts, whole_if_it_is
from tournament.engine.pairing.weights import CostWeights
from tournament.engine.problems import problem, refer_to_players
from tournament.engine.records import PlayerId, Score

MaybeBye = tuple[PlayerId | None, PlayerId | None]


class PairingConstraints(NamedTuple):
    """Objections to a pair besides having met."""

    forbidden: MeetingHistory | None = None
    own_group_forbidden: bool = False
    preferences: PairingPreferences = NO_PREFERENCES


NO_CONSTRAINTS = PairingConstraints()
# By place, the quickest way to a value of a named tuple.
_get_id, _get_score = map(itemgetter, map(Entrant._fields.index, ("id", "score")))
# A tiny field, in which all rounds are planned: vertices, of which the bye is one.
MOST_PLANNED = 6


class RoundModel:
    """An even number of vertices on levels 0 (top) downwards.

    Also holds what it costs to pair any two of them.
    """

    def __init__(
        self,
        entrants: Sequence[Entrant],
        history: MeetingHistory,
        rules: PairingConstraints = NO_CONSTRAINTS,
        float_cost: FloatCost = square_difference,
    ) -> None:
        entrants, ids = _by_id(entrants)
        self.entrants = entrants
        self.ids: list[PlayerId | None] = ids
        self.history, self.rules, self._float_cost = history, rules, float_cost
        self._points = points = list(map(_get_score, entrants))
        by_score = _by_score(points)
        _refuse_bad_entrants(entrants, ids, points, by_score)
        self.scores = sorted(by_score, reverse=True)
        self.float_cost_tested = check_float_cost(float_cost, self.scores)
        self.members = [by_score[score] for score in self.scores]
        self.bye = len(entrants) if len(entrants) % 2 else -1
        if self.bye >= 0:
            self.ids.append(None)
            self.members.append([self.bye])
        self.sizes = list(map(len, self.members))
        self.starts = [0, *accumulate(self.sizes)]
        self._second_byes = self._count_byes()
        self.float_unit = common_denominator(float_cost, self.scores)
        most_wishes = len(self) * self._has_wishes + self._most_unplayed
        # Whether a pair can have any objection except earlier meetings.
        self.has_rules = bool(rules.forbidden) or rules.own_group_forbidden or most_wishes > 0
        self.weights = self._weights(most_wishes)
        self.spans = SpanCosts(self.scores, float_cost, self.float_unit, self.weights)
        self._repeats = RepeatCosts(self.weights)

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def _rank(self) -> dict[Score, int]:
        return {score: level for level, score in enumerate(self.scores)}

    @cached_property
    def level(self) -> list[int]:
        """The level of every vertex."""
        levels = list(map(self._rank.__getitem__, self._points))
        return levels if self.bye < 0 else [*levels, len(self.scores)]

    def level_of(self, v: int) -> int:
        """Return the level of one vertex, where few are requested."""
        return self._rank[self._points[v]] if v != self.bye else len(self.scores)

    def _count_byes(self) -> dict[MaybeBye, tuple[int, int]]:
        """Return how many byes entrants had, and how many rounds ago the last.

        The keys are their pairs with the bye (None), both ways round. A round without a bye has none.
        """
        had_byes = [e for e in self.entrants if e.byes] if self.bye >= 0 else []
        return {pair: (e.byes, e.rounds_since_bye) for e in had_byes for pair in ((e.id, None), (None, e.id))}

    def _weights(self, most_wishes: int) -> CostWeights:
        tables = len(self) // 2
        widest = self._float_cost(self.scores[0], self.scores[-1]) if len(self.scores) > 1 else 0
        byes = self._second_byes.values()
        return CostWeights.of(
            tables,
            len(self.scores),
            tables * ceil(widest * self.float_unit),
            most_wishes=most_wishes,
            knows_when=self.history.has_rounds or any(rounds_since for _, rounds_since in byes),
            most_times=max([self.history.most_times, *(times for times, _ in byes)]),
        )

    @property
    def _most_unplayed(self) -> int:
        """The most rounds that an entrant has not played, where this round has a bye."""
        return max(e.unplayed_rounds for e in self.entrants) if self.bye >= 0 else 0

    @property
    def _has_wishes(self) -> bool:
        return self.rules.preferences.groups_apart or bool(self.rules.preferences.separate_pairs)

    def count_rounds_ahead(self, rounds_left: int | None) -> int:
        """Return how many rounds after this one count for it.

        If it is not known how many are left, a tiny field looks one round robin ahead once a pair has met:
        otherwise a cheap round could lead to a rematch that need not be.
        """
        if rounds_left is not None:
            return rounds_left
        return len(self) - 2 if self.history.pairs and len(self) <= MOST_PLANNED else 0

    # -- what a pair costs

    @cached_property
    def penalty(self) -> Callable[[int, int], int]:
        """The objections to two vertices besides scores: a meeting, a rule or a wish."""
        ids: list[Any] = self.ids  # Any: ids, then the bye
        met_pairs, second_byes = self.history.pairs, self._second_byes
        repeats, history = self._repeats, self.history

        def penalize_meeting(u: int, v: int) -> int:
            pair = (ids[u], ids[v])
            return repeats[history.meetings[pair]] if pair in met_pairs else 0

        def penalize_repeat(u: int, v: int) -> int:
            pair = (ids[u], ids[v])
            return repeats[second_byes[pair]] if pair in second_byes else penalize_meeting(u, v)

        repeat_penalty = penalize_repeat if second_byes else penalize_meeting
        if not self.has_rules:
            return repeat_penalty
        further = self._further_penalty()
        return lambda u, v: repeat_penalty(u, v) + further(u, v)

    def count_meetings(self, u: int, v: int) -> tuple[int, int]:
        """Return how often two vertices met and how many rounds ago (0: not known)."""
        return self._count_meetings((self.ids[u], self.ids[v]))

    def _count_meetings(self, pair: Any) -> tuple[int, int]:  # Any: two ids, or one and the bye
        return self.history.meetings.get(pair) or self._second_byes.get(pair, (0, 0))

    def is_forbidden(self, u: int, v: int) -> bool:
        """Return whether a rule forbids two vertices to meet."""
        return self.has_rules and self.penalty(u, v) >= self.weights.forbidden

    def rematches(self, ones: Sequence[int], others: Sequence[int]) -> list[int]:
        """Return those of `ones` that have met who is at the same place of `others`.

        The bye, if there is one, is among `others`; who would have a further bye is the last.
        """
        player = self.ids.__getitem__
        pairs = zip(map(player, ones), map(player, others), strict=True)
        vertices = list(compress(ones, map(self.history.pairs.__contains__, pairs)))
        if self._second_byes:
            bye_partner = ones[others.index(self.bye)]
            vertices += [bye_partner] * ((self.ids[bye_partner], None) in self._second_byes)
        return vertices

    def has_met(self, ones: Sequence[int], others: Sequence[int]) -> bool:
        """Return whether any two at one place of the lists met (or had a bye) before."""
        player = self.ids.__getitem__
        for repeats in (self.history.pairs, self._second_byes.keys()):
            if repeats and not repeats.isdisjoint(zip(map(player, ones), map(player, others), strict=True)):
                return True
        return False

    @property
    def only_meetings_count(self) -> bool:
        """Whether two vertices can have no objection except a meeting of two players."""
        return not self.has_rules and not self._second_byes

    @property
    def _same_group_penalty(self) -> int:
        if self.rules.own_group_forbidden:
            return self.weights.forbidden
        return self.weights.wish * self.rules.preferences.groups_apart

    @cached_property
    def penalty_floor(self) -> int:
        """The objections that every pairing has at least, by the size of groups.

        Where more than half of the field is of one group, those beyond the others' number meet each other.
        """
        if not self._same_group_penalty:
            return 0
        sizes = Counter(e.group for e in self.entrants if e.group)
        return self._same_group_penalty * max(0, 2 * max(sizes.values(), default=0) - len(self)) // 2

    def _further_penalty(self) -> Callable[[int, int], int]:
        groups = [e.group for e in self.entrants] + [""]
        forbidden_pairs, same_group = self.rules.forbidden, self._same_group_penalty
        barred_weight, wish = self.weights.forbidden, self.weights.wish
        unwished_pairs = MeetingHistory(self.rules.preferences.separate_pairs)

        def further(u: int, v: int) -> int:
            a, b = self.ids[u], self.ids[v]
            if a is None or b is None:
                return wish * self.entrants[min(u, v)].unplayed_rounds
            cost = same_group if groups[u] and groups[u] == groups[v] else 0
            if forbidden_pairs is not None and cost < barred_weight and forbidden_pairs.have_met(a, b):
                cost += barred_weight
            return cost + wish * unwished_pairs.have_met(a, b)

        return further

    def pair_cost(self, u: int, v: int) -> Score:
        """Return the whole cost of a table with these two vertices."""
        return self.penalty(u, v) + self.spans[self.level_of(u), self.level_of(v)]

    def cost_table(
        self, vertices: Sequence[int], stand_ins: Sequence[int] = ()
    ) -> tuple[list[list[int]], int]:
        """Return the costs of all pairs as whole numbers, and what multiplied them.

        After the vertices come stand-ins, given by their levels, whom no one has met.
        """
        levels, spans = [*map(self.level_of, vertices), *stand_ins], self.spans
        rows = {a: [spans[a, b] for b in levels] for a in set(levels)}
        table = [rows[level].copy() for level in levels]
        for a, b, penalty in self._penalties(vertices):
            table[a][b] += penalty
            table[b][a] += penalty
        return _whole_numbers(table)

    def _penalties(self, vertices: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """Yield the objections to pairs of `vertices`, each pair once.

        The vertices of a pair are given by their places in that list.
        """
        if self.has_rules:
            for (a, u), (b, v) in combinations(enumerate(vertices), 2):
                yield a, b, self.penalty(u, v)
            return
        ids = [self.ids[v] for v in vertices]
        again: set[MaybeBye] = {*self.history.among(combinations(ids, 2))}
        if self._second_byes:
            again |= self._second_byes.keys() & combinations(ids, 2)
        for one, two in again:
            yield ids.index(one), ids.index(two), self._repeats[self._count_meetings((one, two))]

    def gap_bound(self, first: int, last: int) -> Score:
        """Return the sum of gaps below levels first … last-1 with odd numbers above them.

        An odd number above a gap forces someone across it, and by superadditivity a pair pays at least the
        gaps it spans.
        """
        return sum(self.spans[g, g + 1] for g in range(first, last) if self.starts[g + 1] % 2)

    # -- from the search's cost to words

    def cost_of(self, total: Score) -> Cost:
        """Take a total apart into its parts."""
        cost, _ = self.weights.split(total)
        if self.bye < 0 and self.float_unit == 1:
            return cost
        bye_score = self.scores[len(self.scores) - 1 - cost.bye_rank] if self.bye >= 0 else None
        return cost._replace(floats=exact_quotient(cost.floats, self.float_unit), bye_score=bye_score)

    def split_penalty(self, penalty: int) -> tuple[bool, bool, bool]:
        """Return what is in a pair's penalty, as three flags.

        They say whether it has a forbidden meeting, a rematch, and a broken preference.
        """
        cost, _ = self.weights.split(penalty)
        return cost.forbidden_count > 0, cost.rematches > 0, cost.unwished_count > 0


def _whole_numbers(table: list[list[Score]]) -> tuple[list[list[int]], int]:
    """Return a table of exact numbers as ints, and what they were multiplied by.

    The whole numbers in the given table are ints.
    """
    scale = lcm(*(cost.denominator for cost in set[Score]().union(*table)))
    if scale == 1:
        return cast("list[list[int]]", table), 1
    return [[int(cost * scale) for cost in row] for row in table], scale


def exact_quotient(number: Score, divisor: int) -> Score:
    """Divide `number` by `divisor`, into a whole number where it is one."""
    return whole_if_it_is(number if divisor == 1 else Fraction(number) / divisor)


def _by_score(points: Sequence[Score]) -> dict[Score, list[int]]:
    members: defaultdict[Score, list[int]] = defaultdict(list)
    for v, score in enumerate(points):
        members[score].append(v)
    return members


def _by_id(entrants: Sequence[Entrant]) -> tuple[Sequence[Entrant], list[Any]]:  # Any: ids, then the bye
    """Return the entrants in the order of their ids, and these ids.

    This costs least if they are already in that order.
    """
    ids = list(map(_get_id, entrants))
    in_order = sorted(ids)
    if ids == in_order:
        return tuple(entrants), ids
    return sorted(entrants, key=_get_id), in_order


EXACT = frozenset({int, bool, Fraction})


def _are_exact(points: Sequence[Score], scores: Iterable[Score]) -> bool:
    """Return whether all points are exact numbers; `scores` are the different ones."""
    if set(map(type, scores)) == {int}:
        # A float among them, even one that equals a whole number, would make a float of their sum.
        return type(sum(points)) is int
    return set(map(type, points)) <= EXACT


def _refuse_bad_entrants(
    entrants: Sequence[Entrant], ids: Sequence[PlayerId], points: Sequence[Score], scores: Iterable[Score]
) -> None:
    problems = []
    if not entrants:
        problems.append(problem("field-empty"))
    if len(set(ids)) < len(ids):
        twice = sorted(key for key, times in Counter(ids).items() if times > 1)
        problems.append(problem("listed-twice", players=refer_to_players(twice)))
    if not _are_exact(points, scores):
        inexact = [e.id for e in entrants if type(e.score) not in EXACT]
        problems.append(problem("score-inexact", players=refer_to_players(inexact)))
    if problems:
        raise PairingError(problems)
