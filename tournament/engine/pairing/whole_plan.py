"""Plan all rounds that are left of a tiny field.

Of at most six vertices (the bye is one) all fifteen ways to pair them can be tried for every round that is
planned. Of all plans the best has the fewest forbidden pairs, then the fewest pairs that meet most often,
then the fewest that meet next to most often, and so on; then the fewest pairs that meet in two rounds
running; and then the rematches come as late as they can. A bye counts as a meeting with the bye. So no pair
meets more often, no one rests more often and none meets twice running where a plan without it exists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tournament.engine.pairing.round_model import RoundModel

_NODES = 6000
Edge = int
Round = tuple[Edge, ...]
Times = tuple[int, ...]


class WholePlan:
    """The best plan for this round and a number of later ones.

    It starts from a given first round. Edges are pairs of vertices, numbered; a round is the edges that it
    takes. `is_exact` is whether no search was broken off.
    """

    def __init__(self, field: RoundModel, rounds_left: int) -> None:
        self._size = len(field)
        self._later = min(rounds_left, 2 * (self._size - 1))
        self._edges = [(u, v) for u in range(self._size) for v in range(u + 1, self._size)]
        self._number = {edge: at for at, edge in enumerate(self._edges)}
        self._rounds = [tuple(sorted(each)) for each in self._all_rounds(tuple(range(self._size)))]
        self._at_vertex = [
            [at for at, edge in enumerate(self._edges) if v in edge] for v in range(self._size)
        ]
        counts = [field.count_meetings(u, v) for u, v in self._edges]
        self._times = tuple(times for times, _ in counts)
        self._just_met = frozenset(at for at, (_, since) in enumerate(counts) if since == 1)
        self._set_weights([field.is_forbidden(u, v) for u, v in self._edges])
        self._costs_by_state: dict[tuple[Times, frozenset[Edge], int], tuple[int, bool]] = {}
        self._nodes, self.is_exact = _NODES, True

    def _all_rounds(self, vertices: tuple[int, ...]) -> Iterator[Round]:
        if not vertices:
            yield ()
            return
        first, *others = vertices
        for other in others:
            rest = tuple(v for v in others if v != other)
            yield from ((self._number[first, other], *later) for later in self._all_rounds(rest))

    def _set_weights(self, forbidden: Sequence[bool]) -> None:
        """Set what each edge costs by how often it was taken.

        One of a kind outweighs all of later kinds.
        """
        pairs, rounds = self._size // 2, self._later + 1
        most = max(self._times) + rounds
        self._immediate = pairs * rounds * rounds * most + 1
        repeat = self._immediate * (pairs * rounds + 1)
        base = pairs * rounds + 1
        barred_cost = repeat * base**most
        by_times = [0, *(repeat * base ** (times - 1) for times in range(1, most + 1))]
        self._weights = [[weight + barred_cost * bar for weight in by_times] for bar in forbidden]

    def cost(self, pairs: Sequence[tuple[int, int]], below: int | None = None) -> int | None:
        """Return what the best plan costs that begins with this round.

        None if it is not `below` a cost.
        """
        first = tuple(sorted(self._number[min(pair), max(pair)] for pair in pairs))
        own = self._cost_of(first, self._times, self._just_met, self._later)
        rest = self._search(
            self._after(first, self._times),
            frozenset(first),
            self._later,
            None if below is None else below - own,
        )
        return None if rest is None else own + rest

    @staticmethod
    def _after(new_round: Round, times: Times) -> Times:
        return tuple(number + (at in new_round) for at, number in enumerate(times))

    def _cost_of(self, new_round: Round, times: Times, just_met: frozenset[Edge], rounds_after: int) -> int:
        """Return what one round costs before so many others."""
        cost: int = sum(self._weights[at][times[at]] + times[at] * rounds_after for at in new_round)
        return cost + self._immediate * sum(at in just_met for at in new_round)

    def _bound_cost(self, times: Times, rounds: int) -> int:
        """Return what so many rounds cost at least.

        Each vertex takes its cheapest edges, each edge has two ends.
        """
        ends = 0
        for edges in self._at_vertex:
            counts = [times[at] for at in edges]
            weights = [self._weights[at] for at in edges]
            for following in range(rounds - 1, -1, -1):
                cheapest = min(range(len(edges)), key=lambda i: weights[i][counts[i]])
                ends += weights[cheapest][counts[cheapest]] + counts[cheapest] * following
                counts[cheapest] += 1
        return -(-ends // 2)

    def _search(self, times: Times, last: frozenset[Edge], rounds: int, below: int | None) -> int | None:
        """Return the least cost of a given number of rounds after `last`.

        None if it is not below a given cost.
        """
        if rounds == 0:
            return 0 if below is None or below > 0 else None
        key = (times, last, rounds)
        least, is_final = self._costs_by_state.get(key) or (self._bound_cost(times, rounds), False)
        if below is not None and least >= below:
            return None
        if is_final:
            return least
        best = self._try_rounds(key, below)
        if best is not None:
            self._costs_by_state[key] = best, True
        elif below is not None and self._nodes >= 0:
            self._costs_by_state[key] = max(least, below), False
        return best

    def _try_rounds(self, key: tuple[Times, frozenset[Edge], int], below: int | None) -> int | None:
        """Return the least cost below a limit.

        The search goes only as far as the remaining nodes allow.
        """
        times, last, rounds = key
        best, limit = None, below
        for bound, own, new_round, after in self._offers(times, last, rounds):
            if limit is not None and bound >= limit:
                break
            self._nodes -= 1
            if self._nodes < 0 and limit is not None:
                self.is_exact = False
                break
            rest = self._search(
                after, frozenset(new_round), rounds - 1, None if limit is None else limit - own
            )
            if rest is not None:
                best = limit = own + rest
        return best

    def _offers(
        self, times: Times, last: frozenset[Edge], rounds: int
    ) -> list[tuple[int, int, Round, Times]]:
        """Return every round that can come next, the one that promises most first."""
        offers = []
        for new_round in self._rounds:
            own, after = self._cost_of(new_round, times, last, rounds - 1), self._after(new_round, times)
            offers.append((own + self._bound_cost(after, rounds - 1), own, new_round, after))
        return sorted(offers)
