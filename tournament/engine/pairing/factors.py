"""Decide how many more rounds can be played without a rematch.

A graph is a list of bit masks: bit u of `graph[v]` is set where u and v may meet. A round is a perfect
matching of it, and rounds without a rematch are disjoint. Whether so many exist is a hard question in
general, so there are three ways to an answer: Dirac's theorem where everyone has many possible opponents,
a random walk that finds a schedule, and a complete search that shows there is none. A walk and a search
that run out of steps leave the answer open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from tournament.engine.pairing.enumeration import iterate_bits
from tournament.engine.seeded_random import SeededRandom

Graph = list[int]
RoundPartners = list[int]  # the partner of each vertex
_WALK_STEPS = 60
_LONG_WALK_STEPS = 600
_SEARCH_NODES = 6000


class Playability(Enum):
    """Whether the rounds can be played without a rematch."""

    YES = "yes"
    NO = "no"
    OPEN = "open"


def is_playable(graph: Graph, rounds: int, chance: SeededRandom) -> Playability:
    """Return whether `graph` holds `rounds` disjoint perfect matchings."""
    if rounds <= 0 or is_ample(graph, rounds):
        return Playability.YES
    if _is_starved(graph, rounds):
        return Playability.NO
    if find_rounds(graph, rounds, chance, _WALK_STEPS):
        return Playability.YES
    answer = _FactorSearch(_SEARCH_NODES).run(graph, rounds)
    if answer is Playability.OPEN and find_rounds(graph, rounds, chance, _LONG_WALK_STEPS):
        return Playability.YES
    return answer


def is_ample(graph: Graph, rounds: int) -> bool:
    """Return whether Dirac's theorem alone grants the rounds.

    A graph in which everyone has at least half of the field as possible opponents has a perfect matching,
    and each round played takes one opponent from everyone.
    """
    return not graph or 2 * (min(map(int.bit_count, graph)) - rounds + 1) >= len(graph)


def remove_round(graph: Graph, partner: Sequence[int]) -> Graph:
    """Return the graph once everyone has met their `partner`."""
    return [mask & ~(1 << partner[v]) for v, mask in enumerate(graph)]


def _is_starved(graph: Graph, rounds: int) -> bool:
    return min(map(int.bit_count, graph)) < rounds or _has_odd_part(graph)


def _has_odd_part(graph: Graph) -> bool:
    """Return whether the field falls apart into parts of which one is odd."""
    unseen_vertices = (1 << len(graph)) - 1
    while unseen_vertices:
        part = fresh = unseen_vertices & -unseen_vertices
        while fresh:
            reached_vertices = 0
            for v in iterate_bits(fresh):
                reached_vertices |= graph[v]
            fresh = reached_vertices & ~part
            part |= fresh
        if part.bit_count() % 2:
            return True
        unseen_vertices &= ~part
    return False


# -- the walk


def find_rounds(graph: Graph, rounds: int, chance: SeededRandom, steps: int) -> list[RoundPartners] | None:
    """Return a schedule of `rounds` rounds.

    None if a walk of `steps` steps per vertex and round finds none.
    """
    walk = _Walk(graph, rounds, chance)
    for _ in range(steps * len(graph) * max(rounds, 1)):
        if not walk.gaps:
            return walk.partner
        walk.step()
    return walk.partner if not walk.gaps else None


class _Walk:
    """Rounds with gaps in them.

    A step moves a gap, or closes two; none ever opens one more.
    """

    def __init__(self, graph: Graph, rounds: int, chance: SeededRandom) -> None:
        self.chance = chance
        self.partner: list[RoundPartners] = [[-1] * len(graph) for _ in range(rounds)]
        self.unused_edges = list(graph)
        self.gaps: list[tuple[int, int]] = []
        for round_index in range(rounds):
            self._fill(round_index)

    def _fill(self, round_index: int) -> None:
        """Make a first matching.

        Players are taken in random order, each with the first free opponent.
        """
        order = list(range(len(self.unused_edges)))
        self.chance.shuffle(order)
        partner = self.partner[round_index]
        for v in order:
            if partner[v] >= 0:
                continue
            u = next((u for u in iterate_bits(self.unused_edges[v]) if partner[u] < 0), -1)
            if u >= 0:
                self._join(round_index, v, u)
            else:
                self.gaps.append((round_index, v))
        self.gaps = [(k, v) for k, v in self.gaps if self.partner[k][v] < 0]

    def step(self) -> None:
        """Move a gap taken at random.

        It moves by an unused pair or by exchanging two rounds along a path.
        """
        gap = self.chance.below(len(self.gaps))
        round_index, v = self.gaps[gap]
        self.gaps[gap] = self.gaps[-1]
        self.gaps.pop()
        if self.chance.below(3) or len(self.partner) == 1:
            self._use_pair(round_index, v)
        else:
            self._exchange_rounds(round_index, v)

    def _use_pair(self, round_index: int, v: int) -> None:
        choices = list(iterate_bits(self.unused_edges[v]))
        free = [u for u in choices if self.partner[round_index][u] < 0]
        u = self.chance.pick(free or choices)
        left_partner = self.partner[round_index][u]
        if left_partner >= 0:
            self._part(round_index, u, left_partner)
            self.gaps.append((round_index, left_partner))
        else:
            self.gaps.remove((round_index, u))
        self._join(round_index, v, u)

    def _exchange_rounds(self, round_index: int, v: int) -> None:
        """Swap the rounds of all pairs on the alternating path from `v`.

        The path uses pairs of two rounds in turn.
        """
        other = (round_index + 1 + self.chance.below(len(self.partner) - 1)) % len(self.partner)
        path, k, u = [v], other, v
        while (u := self.partner[k][u]) >= 0:
            path.append(u)
            k = round_index + other - k
        if len(path) == 1:
            self.gaps.append((round_index, v))
            return
        self._move_gap_at_end(path[-1], k, round_index + other - k)
        self.gaps.append((other, v))
        one, two = self.partner[round_index], self.partner[other]
        for u in path:
            one[u], two[u] = two[u], one[u]

    def _move_gap_at_end(self, v: int, old_gap: int, other: int) -> None:
        self.gaps.remove((old_gap, v))
        self.gaps.append((other, v))

    def _join(self, round_index: int, u: int, v: int) -> None:
        self.partner[round_index][u], self.partner[round_index][v] = v, u
        self.unused_edges[u] &= ~(1 << v)
        self.unused_edges[v] &= ~(1 << u)

    def _part(self, round_index: int, u: int, v: int) -> None:
        self.partner[round_index][u] = self.partner[round_index][v] = -1
        self.unused_edges[u] |= 1 << v
        self.unused_edges[v] |= 1 << u


# -- the complete search


class _FactorSearch:
    """A search of all schedules, round by round.

    It ends when one is found, none is left or `nodes` rounds were tried.
    """

    def __init__(self, nodes: int) -> None:
        self._nodes = nodes
        self._dead_graphs: set[tuple[int, ...]] = set()

    def run(self, graph: Graph, rounds: int) -> Playability:
        if rounds == 0:
            return Playability.YES
        if _is_starved(graph, rounds) or tuple(graph) in self._dead_graphs:
            return Playability.NO
        for partner in self._first_rounds(graph, rounds):
            self._nodes -= 1
            if self._nodes < 0:
                return Playability.OPEN
            answer = self.run(remove_round(graph, partner), rounds - 1)
            if answer is not Playability.NO:
                return answer
        self._dead_graphs.add(tuple(graph))
        return Playability.NO

    def _first_rounds(self, graph: Graph, rounds: int) -> Iterator[RoundPartners]:
        """Yield rounds of which one must be in every schedule.

        The player with the fewest possible opponents either needs them all, so one round has them meet the
        first of them; or any round may come first.
        """
        v = min(range(len(graph)), key=lambda w: graph[w].bit_count())
        if graph[v].bit_count() > rounds:
            yield from perfect_matchings(graph, (1 << len(graph)) - 1, [-1] * len(graph))
            return
        u = (graph[v] & -graph[v]).bit_length() - 1
        partner = [-1] * len(graph)
        partner[v], partner[u] = u, v
        yield from perfect_matchings(graph, (1 << len(graph)) - 1 & ~(1 << u | 1 << v), partner)


def perfect_matchings(graph: Graph, open_mask: int, partner: RoundPartners) -> Iterator[RoundPartners]:
    """Yield every way to pair off the vertices of `open_mask`.

    Each is filled into `partner` and yielded as a new list.
    """
    if not open_mask:
        yield partner.copy()
        return
    v = min(iterate_bits(open_mask), key=lambda w: (graph[w] & open_mask).bit_count())
    for u in iterate_bits(graph[v] & open_mask):
        partner[v], partner[u] = u, v
        yield from perfect_matchings(graph, open_mask & ~(1 << u | 1 << v), partner)
