"""Choose a round that leaves the later rounds playable without rematches.

Only small fields need it, those in which more than half of all possible rounds are planned. A tiny field
plans all its rounds (see `whole_plan`). In others a round is good when the pairs that may still meet hold as
many disjoint rounds as are left. Random best pairings are tried first, then all pairings in the order of
their cost; so the round chosen is the cheapest that leaves the event playable. Once everyone has met
everyone, the pairs that may still meet are those that have met once, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tournament.engine.pairing.enumeration import iterate_by_cost
from tournament.engine.pairing.factors import Graph, Playability, find_rounds, is_playable, perfect_matchings
from tournament.engine.pairing.round_model import MOST_PLANNED, RoundModel, exact_quotient
from tournament.engine.pairing.search import SearchResult, find_best_pairing
from tournament.engine.pairing.whole_plan import WholePlan
from tournament.engine.pairing.working_pairing import WorkingPairing
from tournament.engine.records import Score
from tournament.engine.seeded_random import SeededRandom

_REDRAWS = 12
_RANKED = 400
_WITNESS_STEPS = 600
MOST_VERTICES = 128


class FutureRounds:
    """The rounds that can follow this one when some tables are already settled.

    `whole` is the model of all who play on, `settled_pairs` those of its vertices that this round has in any
    case, and `place[v]` the vertex of `whole` that represents vertex `v` of the field to be paired.
    """

    def __init__(
        self,
        whole: RoundModel,
        rounds: int,
        place: Sequence[int] | None = None,
        settled_pairs: Sequence[tuple[int, int]] = (),
    ) -> None:
        self.whole, self.rounds, self.settled_pairs = whole, rounds, settled_pairs
        self.place = range(len(whole)) if place is None else place
        self.plan = WholePlan(whole, rounds) if rounds > 0 and len(whole) <= MOST_PLANNED else None
        self.level = 0
        self.graph: Graph = []

    def look_from(self, level: int) -> None:
        """Look for rounds of pairs that have met at most `level` times."""
        self.level, self.graph = level, build_meeting_graph(self.whole, level)
        self.rounds = min(self.rounds, len(self.graph) - 1)

    def allows(self, partner: Sequence[int], rounds: int, chance: SeededRandom) -> Playability:
        """Return whether `rounds` more rounds can follow this pairing of the field."""
        return is_playable(self._after(partner), rounds, chance)

    def rounds_after(self, partner: Sequence[int], most: int, chance: SeededRandom) -> int:
        """Return how many rounds can follow, up to so many, as far as is known."""
        return _most_rounds(self._after(partner), min(most, len(self.graph) - 1), chance)

    def cost_of_plan(self, partner: Sequence[int], below: int | None = None) -> int | None:
        """Return what the best plan of a tiny field costs when it is paired like this.

        None if not below.
        """
        pairs = [(self.place[v], self.place[u]) for v, u in enumerate(partner) if v < u]
        return self.plan.cost([*pairs, *self.settled_pairs], below) if self.plan else None

    def acceptance(
        self, result: SearchResult, chance: SeededRandom
    ) -> Callable[[Sequence[int]], bool] | None:
        """Return whether as much can follow a pairing as can follow the one found.

        None if that is all one.
        """
        if self.plan:
            cost = self.cost_of_plan(result.draft.partner) or 0
            return lambda partner: self.cost_of_plan(partner, cost + 1) is not None
        self.look_from(self.whole.weights.most_repeated(result.total))
        follow = self.rounds_after(result.draft.partner, self.rounds, chance)
        return (lambda partner: self.allows(partner, follow, chance) is Playability.YES) if follow else None

    def _after(self, partner: Sequence[int]) -> Graph:
        graph = self.graph.copy()
        pairs = [(self.place[v], self.place[u]) for v, u in enumerate(partner)]
        for v, u in (*pairs, *self.settled_pairs, *((b, a) for a, b in self.settled_pairs)):
            graph[v] &= ~(1 << u)
        return graph


def build_meeting_graph(field: RoundModel, level: int = 0) -> Graph:
    """Return the allowed pairs of a field that met at most `level` times.

    Allowed pairs are those that are not forbidden.
    """
    barred_weight, size = field.weights.beyond(level), range(len(field))
    return [
        sum(
            1 << u
            for u in size
            if u != v and field.penalty(u, v) < barred_weight and not field.is_forbidden(u, v)
        )
        for v in size
    ]


def pair_with_lookahead(
    field: RoundModel, seed: int, rounds_left: int, outlook: FutureRounds | None = None
) -> SearchResult:
    """Return the cheapest pairing that leaves `rounds_left` more rounds playable.

    These rounds can be played without a rematch. If nothing allows that many, as many as there can be; in a
    tiny field the first round of a best plan. Proved where every cheaper pairing was shown to lead into a
    dead end. `outlook` is given where others than those in `field` play on.
    """
    first = find_best_pairing(field, SeededRandom(seed, "round"))
    if rounds_left <= 0 or len(field) > MOST_VERTICES:
        return first
    chance = SeededRandom(seed, "look-ahead")
    ahead = outlook or FutureRounds(field, rounds_left)
    if ahead.plan:
        return _begin_plan(field, ahead, ahead.plan, first, chance)
    ahead.look_from(field.weights.most_repeated(first.total))
    rounds_left = ahead.rounds
    if ahead.allows(first.draft.partner, rounds_left, chance) is Playability.YES:
        return first
    if outlook is not None:
        return _first_good_beside(field, ahead, rounds_left, seed, first, chance)
    wanted_rounds = min(rounds_left, _most_rounds(ahead.graph, rounds_left + 1, chance) - 1)
    if wanted_rounds <= 0:
        return first
    good = _first_good(field, ahead, wanted_rounds, seed, first, chance)
    return good or _from_schedule(field, ahead.graph, wanted_rounds + 1, first, chance)


def _begin_plan(
    field: RoundModel, ahead: FutureRounds, plan: WholePlan, first: SearchResult, chance: SeededRandom
) -> SearchResult:
    """Return the cheapest first round of the best plans.

    It is drawn among equals. The best pairing is returned if it is such a round.
    """
    size = range(len(field))
    everyone = [sum(1 << u for u in size if u != v) for v in size]
    drafts = [
        WorkingPairing(field, chance, first.draft.order, partner)
        for partner in perfect_matchings(everyone, (1 << len(field)) - 1, [-1] * len(field))
    ]
    chance.shuffle(drafts)
    least = ahead.cost_of_plan(first.draft.partner)
    for draft in drafts:
        cost = ahead.cost_of_plan(draft.partner, least)
        least = least if cost is None else cost
    if least is None or ahead.cost_of_plan(first.draft.partner, least + 1) is not None:
        return first
    good = [draft for draft in drafts if ahead.cost_of_plan(draft.partner, least + 1) is not None]
    best = min(good, key=lambda draft: draft.total())
    total = best.total()
    return SearchResult(best, total, total if plan.is_exact else first.lower_bound, "look-ahead")


def _first_good_beside(
    field: RoundModel,
    ahead: FutureRounds,
    rounds_left: int,
    seed: int,
    first: SearchResult,
    chance: SeededRandom,
) -> SearchResult:
    """Return the first good pairing beside tables that are settled.

    It is the same choice, but no schedule of all rounds knows of these tables.
    """
    surely = ahead.rounds_after(first.draft.partner, rounds_left, chance)
    for wanted_rounds in range(rounds_left, surely, -1):
        good = _first_good(field, ahead, wanted_rounds, seed, first, chance)
        if good is not None:
            return good
    return first


def _most_rounds(graph: Graph, rounds: int, chance: SeededRandom) -> int:
    while rounds > 0 and is_playable(graph, rounds, chance) is not Playability.YES:
        rounds -= 1
    return rounds


def _first_good(
    field: RoundModel,
    ahead: FutureRounds,
    rounds_left: int,
    seed: int,
    first: SearchResult,
    chance: SeededRandom,
) -> SearchResult | None:
    """Return the first candidate that keeps the event playable.

    None if none of those tried does.
    """
    certain, tried_pairings = first.total == first.lower_bound, set()
    for draft, total in _candidates(field, ahead.level, seed, first, chance):
        key = tuple(draft.partner)
        if key in tried_pairings:
            continue
        tried_pairings.add(key)
        answer = ahead.allows(draft.partner, rounds_left, chance)
        if answer is Playability.YES:
            bound = total if certain else first.lower_bound
            return SearchResult(
                draft, total, bound, "look-ahead" if len(tried_pairings) > 1 else first.method, first.windows
            )
        certain = certain and answer is Playability.NO
    return None


def _candidates(
    field: RoundModel, level: int, seed: int, first: SearchResult, chance: SeededRandom
) -> Iterator[tuple[WorkingPairing, Score]]:
    yield first.draft, first.total
    for redraw in range(1, _REDRAWS + 1):
        result = find_best_pairing(field, SeededRandom(seed, f"round, drawn again {redraw}"))
        yield result.draft, result.total
    yield from _rank_pairings(field, first.draft, level, chance)


def _rank_pairings(
    field: RoundModel, draft: WorkingPairing, level: int, chance: SeededRandom
) -> Iterator[tuple[WorkingPairing, Score]]:
    """Yield pairings of pairs that have met at most `level` times, cheapest first.

    The numbering is random, and so is the order of equals.
    """
    order = list(range(len(field)))
    chance.shuffle(order)
    whole, scale = field.cost_table(order)
    pairings_by_cost = iterate_by_cost(whole, field.weights.beyond(level) * scale)
    for _, (cost, pairs) in zip(range(_RANKED), pairings_by_cost, strict=False):
        candidate = draft.copy()
        for a, b in pairs:
            candidate.join(order[a], order[b])
        yield candidate, exact_quotient(cost, scale)


def _from_schedule(
    field: RoundModel, graph: Graph, rounds: int, first: SearchResult, chance: SeededRandom
) -> SearchResult:
    """Return the cheapest round of a schedule for all rounds that are left."""
    schedule = find_rounds(graph, rounds, chance, _WITNESS_STEPS)
    if not schedule:
        return first
    drafts = [WorkingPairing(field, chance, first.draft.order, partner) for partner in schedule]
    best = min(drafts, key=lambda draft: draft.total())
    return SearchResult(best, best.total(), first.lower_bound, "look-ahead")
