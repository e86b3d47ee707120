"""Choose a round that leaves the later rounds playable without rematches.

Only small fields need it, those in which more than half of all possible rounds are planned. A round is good
when the pairs that may still meet hold as many disjoint rounds as are left. Random best pairings are tried
first, then all pairings in the order of their cost; so the round chosen is the cheapest that leaves the
event playable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tournament.engine.pairing.enumeration import iterate_by_cost
from tournament.engine.pairing.factors import Graph, Playability, find_rounds, is_playable
from tournament.engine.pairing.round_model import RoundModel, exact_quotient
from tournament.engine.pairing.search import SearchResult, find_best_pairing
from tournament.engine.pairing.working_pairing import WorkingPairing
from tournament.engine.records import Score
from tournament.engine.seeded_random import SeededRandom

_REDRAWS = 12
_RANKED = 400
_WITNESS_STEPS = 600
MOST_VERTICES = 128


@dataclass(frozen=True, slots=True)
class FutureRounds:
    """Who may still meet whom after this round, when some of its tables are settled already.

    `graph` is of all who play on, `settled` the pairs of its vertices that this round has in any case, and
    `place[v]` the vertex of `graph` that represents vertex `v` of the field to be paired.
    """

    graph: Graph
    place: Sequence[int]
    settled: Sequence[tuple[int, int]] = ()

    @classmethod
    def of(cls, field: RoundModel) -> FutureRounds:
        """The outlook of a field that is paired as a whole."""
        return cls(build_meeting_graph(field), range(len(field)))

    def allows(self, partner: Sequence[int], rounds: int, chance: SeededRandom) -> Playability:
        """Whether `rounds` more rounds can follow when the field is paired like this."""
        return is_playable(self._after(partner), rounds, chance)

    def rounds_after(self, partner: Sequence[int], most: int, chance: SeededRandom) -> int:
        """How many rounds can follow, up to so many, as far as is known."""
        return _most_rounds(self._after(partner), min(most, len(self.graph) - 1), chance)

    def _after(self, partner: Sequence[int]) -> Graph:
        graph = self.graph.copy()
        pairs = [(self.place[v], self.place[u]) for v, u in enumerate(partner)]
        for v, u in (*pairs, *self.settled, *((b, a) for a, b in self.settled)):
            graph[v] &= ~(1 << u)
        return graph


def build_meeting_graph(field: RoundModel) -> Graph:
    """The pairs of a field that are neither rematches nor forbidden."""
    barred, size = field.rematch_weight, range(len(field))
    return [sum(1 << u for u in size if u != v and field.penalty(u, v) < barred) for v in size]


def pair_with_lookahead(
    field: RoundModel, seed: int, rounds_left: int, outlook: FutureRounds | None = None
) -> SearchResult:
    """The cheapest pairing after which `rounds_left` more rounds can be played without a rematch.

    Where nothing allows that many, as many as there can be. Proved where every cheaper pairing was shown to
    lead into a dead end. `outlook` is given where others than those in `field` play on.
    """
    first = find_best_pairing(field, SeededRandom(seed, "round"))
    if rounds_left <= 0 or len(field) > MOST_VERTICES:
        return first
    chance = SeededRandom(seed, "look-ahead")
    ahead = outlook or FutureRounds.of(field)
    rounds_left = min(rounds_left, len(ahead.graph) - 1)
    if ahead.allows(first.draft.partner, rounds_left, chance) is Playability.YES:
        return first
    if outlook is not None:
        return _first_good_beside(field, ahead, rounds_left, seed, first, chance)
    wanted = min(rounds_left, _most_rounds(ahead.graph, rounds_left + 1, chance) - 1)
    if wanted <= 0:
        return first
    good = _first_good(field, ahead, wanted, seed, first, chance)
    return good or _from_schedule(field, ahead.graph, wanted + 1, first, chance)


def _first_good_beside(
    field: RoundModel,
    ahead: FutureRounds,
    rounds_left: int,
    seed: int,
    first: SearchResult,
    chance: SeededRandom,
) -> SearchResult:
    """The same beside tables that are settled, which no schedule of all rounds knows."""
    surely = ahead.rounds_after(first.draft.partner, rounds_left, chance)
    for wanted in range(rounds_left, surely, -1):
        good = _first_good(field, ahead, wanted, seed, first, chance)
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
    """The first candidate that keeps the event playable, None where none of those tried does."""
    certain, tried = first.total == first.bound, set()
    for draft, total in _candidates(field, seed, first, chance):
        key = tuple(draft.partner)
        if key in tried:
            continue
        tried.add(key)
        answer = ahead.allows(draft.partner, rounds_left, chance)
        if answer is Playability.YES:
            bound = total if certain else first.bound
            return SearchResult(
                draft, total, bound, "look-ahead" if len(tried) > 1 else first.method, first.windows
            )
        certain = certain and answer is Playability.NO
    return None


def _candidates(
    field: RoundModel, seed: int, first: SearchResult, chance: SeededRandom
) -> Iterator[tuple[WorkingPairing, Score]]:
    yield first.draft, first.total
    for redraw in range(1, _REDRAWS + 1):
        result = find_best_pairing(field, SeededRandom(seed, f"round, drawn again {redraw}"))
        yield result.draft, result.total
    yield from _ranked(field, first.draft, chance)


def _ranked(
    field: RoundModel, draft: WorkingPairing, chance: SeededRandom
) -> Iterator[tuple[WorkingPairing, Score]]:
    """Pairings without a rematch, cheapest first; the numbering is random, and so is the order of equals."""
    order = list(range(len(field)))
    chance.shuffle(order)
    whole, scale = field.cost_table(order)
    ranked = iterate_by_cost(whole, field.rematch_weight * scale)
    for _, (cost, pairs) in zip(range(_RANKED), ranked, strict=False):
        candidate = draft.copy()
        for a, b in pairs:
            candidate.join(order[a], order[b])
        yield candidate, exact_quotient(cost, scale)


def _from_schedule(
    field: RoundModel, graph: Graph, rounds: int, first: SearchResult, chance: SeededRandom
) -> SearchResult:
    """The cheapest round of a schedule for all rounds that are left."""
    schedule = find_rounds(graph, rounds, chance, _WITNESS_STEPS)
    if not schedule:
        return first
    drafts = [WorkingPairing(field, chance, first.draft.order, partner) for partner in schedule]
    best = min(drafts, key=lambda draft: draft.total())
    return SearchResult(best, best.total(), first.bound, "look-ahead")
