"""Minimum-cost perfect matching (blossom algorithm) with a checkable proof.

Edmonds' primal-dual method on whole numbers. Every vertex carries a price and every blossom (an odd set
that is handled as one vertex) a charge. An edge's slack is its cost less the two prices plus the charges of
all blossoms that hold both ends. While no slack and no charge is negative, no perfect matching costs less
than the prices less half of (size - 1) times each charge; the method ends with a matching of exactly that
cost.

Costs are doubled inside, so that every step of the prices is a whole number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import compress
from operator import not_, sub

_FREE, _OUTER, _INNER = 0, 1, 2
_JOIN, _BURST, _GROW = 0, 1, 2
Edge = tuple[int, int]
Step = tuple[int, int, int]  # how far the prices move, what becomes possible then, and where


@dataclass(frozen=True, slots=True)
class Matching:
    """A perfect matching.

    Holds `mate[v]` for each vertex, its total `cost`, and the prices that prove it least.
    """

    mate: tuple[int, ...]
    cost: int
    prices: tuple[int, ...]
    blossoms: tuple[tuple[frozenset[int], int], ...]

    @property
    def lower_bound(self) -> int:
        """Return the least that any perfect matching can cost, by the prices alone.

        It is given twice over: see `is_proved`.
        """
        return sum(self.prices) - sum(charge * (len(members) // 2) for members, charge in self.blossoms)

    def is_proved(self, costs: Sequence[Sequence[int]]) -> bool:
        """Return whether the matching is proved to be cheapest.

        It costs what it says, and prices that `costs` allow reach exactly that.
        """
        if not self._costs_as_said(costs) or self.lower_bound != 2 * self.cost:
            return False
        if any(charge < 0 or len(members) % 2 == 0 for members, charge in self.blossoms):
            return False
        slacks = self._full_slacks(costs)
        for v, row in enumerate(slacks):
            row[v] = 0
        return min(map(min, slacks), default=0) >= 0

    def _costs_as_said(self, costs: Sequence[Sequence[int]]) -> bool:
        mate = self.mate
        is_whole = len(mate) == len(costs) and all(mate[u] == v != u for v, u in enumerate(mate))
        return is_whole and sum(row[u] for row, u in zip(costs, mate, strict=True)) == 2 * self.cost

    def tight_pairs(self, costs: Sequence[Sequence[int]]) -> list[int]:
        """Return each vertex's partners in all perfect matchings of least cost.

        They are given as a bit mask. All such matchings are within these pairs; not every matching within
        them is one.
        """
        slacks = self._full_slacks(costs)
        bits = [1 << v for v in range(len(slacks))]
        return [sum(compress(bits, map(not_, row))) & ~bits[u] for u, row in enumerate(slacks)]

    def _full_slacks(self, costs: Sequence[Sequence[int]]) -> list[list[int]]:
        slack = _slacks(costs, self.prices)
        for members, charge in self.blossoms:
            for u in members:
                for v in members:
                    slack[u][v] += charge
        return slack


def _slacks(costs: Sequence[Sequence[int]], prices: Sequence[int]) -> list[list[int]]:
    return [
        [c + c - own - p for c, p in zip(row, prices, strict=True)]
        for own, row in zip(prices, costs, strict=True)
    ]


def cheapest_perfect_matching(costs: Sequence[Sequence[int]]) -> Matching:
    """Return the perfect matching of least total cost on the complete graph.

    The costs are symmetric whole numbers. `costs` is a square table with an even number of rows; its diagonal
    is not read. Raises ValueError for an odd number of rows. Takes time in the order of the cube of the
    number of rows.
    """
    if len(costs) % 2:
        raise ValueError(f"{len(costs)} vertices cannot be paired off; an even number is needed.")
    return _MatchingSearch(costs).run()


class _MatchingSearch:
    """One run of the method.

    Vertices are 0 … n-1; blossoms take the numbers from n on.
    """

    def __init__(self, costs: Sequence[Sequence[int]]) -> None:
        self.n = n = len(costs)
        self.costs = [[2 * c for c in row] for row in costs]
        self.mate = [-1] * n
        self.top = list(range(n))
        self.vertices: list[list[int]] = [[v] for v in range(n)] + [[] for _ in range(n)]
        self.base = list(range(n)) + [-1] * n
        self.parent = [-1] * (2 * n)
        self.children: list[list[int]] = [[] for _ in range(2 * n)]
        self.links: list[list[Edge]] = [[] for _ in range(2 * n)]
        self.charge = [0] * (2 * n)
        self.spare = list(range(2 * n - 1, n - 1, -1))
        self.label = [_FREE] * (2 * n)
        self.entry: list[Edge] = [(-1, -1)] * (2 * n)
        self.near = [-1] * n
        self.near_slack = [0] * n
        self.queue: list[int] = []
        self.outer_edges: list[tuple[int, int, int]] = []
        self.total_rise = 0
        self.price = self._opening_prices()

    def run(self) -> Matching:
        self._match_tight_edges()
        while -1 in self.mate:
            self._phase()
        return self._result()

    # -- opening

    def _opening_prices(self) -> list[int]:
        """Return even prices that leave no slack negative.

        Even prices keep all later steps whole.
        """
        others = [row[:v] + row[v + 1 :] for v, row in enumerate(self.costs)]
        price = [min(row) // 4 * 2 for row in others]
        for v, row in enumerate(others):
            price[v] = min(map(sub, row, price[:v] + price[v + 1 :]))
        return price

    def _match_tight_edges(self) -> None:
        for v, row in enumerate(self.costs):
            if self.mate[v] >= 0:
                continue
            for u in range(v + 1, self.n):
                if self.mate[u] < 0 and row[u] == self.price[v] + self.price[u]:
                    self.mate[v], self.mate[u] = u, v
                    break

    # -- a phase: grow trees from the unmatched until two of them meet

    def _phase(self) -> None:
        self.label = [_FREE] * (2 * self.n)
        self.near = [-1] * self.n
        self.queue, self.outer_edges, self.total_rise = [], [], 0
        for b in sorted(set(self.top)):
            if self.mate[self.base[b]] < 0:
                self._make_outer(b)
        while not (self._scan() or self._adjust()):
            pass

    def _make_outer(self, b: int) -> None:
        self.label[b] = _OUTER
        self.queue.extend(self.vertices[b])

    def _scan(self) -> bool:
        """Scan the edges of all new outer vertices.

        Returns True once the matching has grown.
        """
        while self.queue:
            u = self.queue.pop()
            if self._scan_from(u):
                return True
        return False

    def _scan_from(self, u: int) -> bool:
        row, price, top, label = self.costs[u], self.price, self.top, self.label
        near, near_slack = self.near, self.near_slack
        own, mine = top[u], price[u]
        for v in range(self.n):
            other = top[v]
            if other == own:
                continue
            slack = row[v] - mine - price[v]
            if label[other] != _OUTER:
                if near[v] < 0 or slack < near_slack[v]:
                    near[v], near_slack[v] = u, slack
            elif slack:
                heappush(self.outer_edges, (slack + 2 * self.total_rise, u, v))
            elif self._join(u, v):
                return True
            else:
                own = top[u]
        return False

    def _adjust(self) -> bool:
        """Move the prices until a step becomes possible, and take it.

        Returns True once the matching has grown.
        """
        step, kind, target = min((*self._joins(), *self._bursts(), *self._growths()))
        self._move_prices(step)
        if kind == _JOIN:
            return self._join(*self.outer_edges[0][1:])
        if kind == _BURST:
            self._burst(target)
        else:
            self._grow(target)
        return False

    def _joins(self) -> list[Step]:
        edges, top = self.outer_edges, self.top
        while edges and top[edges[0][1]] == top[edges[0][2]]:
            heappop(edges)
        return [((edges[0][0] - 2 * self.total_rise) // 2, _JOIN, 0)] if edges else []

    def _bursts(self) -> list[Step]:
        return [
            (self.charge[b] // 2, _BURST, b) for b in range(self.n, 2 * self.n) if self.label[b] == _INNER
        ]

    def _growths(self) -> list[Step]:
        label, top, near, slack = self.label, self.top, self.near, self.near_slack
        free = [v for v in range(self.n) if label[top[v]] == _FREE and near[v] >= 0]
        if not free:
            return []
        nearest = min(free, key=slack.__getitem__)
        return [(slack[nearest], _GROW, nearest)]

    def _move_prices(self, amount: int) -> None:
        if not amount:
            return
        self.total_rise += amount
        label, top, price, near_slack = self.label, self.top, self.price, self.near_slack
        for v in range(self.n):
            kind = label[top[v]]
            if kind == _OUTER:
                price[v] += amount
            elif kind == _INNER:
                price[v] -= amount
            else:
                near_slack[v] -= amount
        for b in range(self.n, 2 * self.n):
            if label[b]:
                self.charge[b] += 2 * amount if label[b] == _OUTER else -2 * amount

    def _grow(self, v: int) -> None:
        """Add a free blossom to the tree as an inner one.

        Its partner is added as an outer one.
        """
        b = self.top[v]
        self.label[b] = _INNER
        self.entry[b] = (self.near[v], v)
        self._make_outer(self.top[self.mate[self.base[b]]])

    # -- two outer blossoms meet: augment across two trees, or shrink within one

    def _join(self, u: int, v: int) -> bool:
        left, right = self._path_up(u), self._path_up(v)
        if left[-1] != right[-1]:
            self._augment(u, v)
            self._augment(v, u)
            return True
        while len(left) > 2 and len(right) > 2 and left[-3] == right[-3]:
            del left[-2:], right[-2:]
        self._shrink((u, v), left, right)
        return False

    def _path_up(self, v: int) -> list[int]:
        """Return the blossoms from `v` to the root of its tree, outer and inner by turns."""
        path = [self.top[v]]
        while (partner := self.mate[self.base[path[-1]]]) >= 0:
            inner = self.top[partner]
            path += [inner, self.top[self.entry[inner][0]]]
        return path

    def _augment(self, v: int, partner: int) -> None:
        """Match `v` with `partner` and flip every pair on the path from `v` to its root."""
        while True:
            b = self.top[v]
            left_behind = self.mate[self.base[b]]
            self._rebase(b, v)
            self.mate[v] = partner
            if left_behind < 0:
                return
            inner = self.top[left_behind]
            outside, inside = self.entry[inner]
            self._rebase(inner, inside)
            self.mate[inside] = outside
            v, partner = outside, inside

    def _rebase(self, b: int, v: int) -> None:
        """Match the inside of blossom `b` again so that `v` is left over.

        `v` is then the vertex for the outside.
        """
        self.base[b] = v
        if b < self.n:
            return
        children, links = self.children[b], self.links[b]
        index, size = children.index(self._child_holding(b, v)), len(children)
        self._rebase(children[index], v)
        for i in range(0, index, 2) if index % 2 == 0 else range(index + 1, size, 2):
            x, y = links[i]
            self._rebase(children[i], x)
            self._rebase(children[(i + 1) % size], y)
            self.mate[x], self.mate[y] = y, x
        self.children[b] = children[index:] + children[:index]
        self.links[b] = links[index:] + links[:index]

    def _child_holding(self, b: int, v: int) -> int:
        while self.parent[v] != b:
            v = self.parent[v]
        return v

    def _links_up(self, path: Sequence[int]) -> list[Edge]:
        """Return the edges between neighbors of a path up.

        From outer blossoms they are the matched edges, from inner ones the entries.
        """
        links = []
        for i, b in enumerate(path[:-1]):
            if i % 2 == 0:
                links.append((self.base[b], self.mate[self.base[b]]))
            else:
                outside, inside = self.entry[b]
                links.append((inside, outside))
        return links

    def _shrink(self, edge: Edge, left: list[int], right: list[int]) -> None:
        """Make one outer blossom of the odd ring that `edge` closes.

        Both paths end at the ring's base.
        """
        b = self.spare.pop()
        down = [(y, x) for x, y in reversed(self._links_up(left))]
        self.links[b] = [*down, edge, *self._links_up(right)]
        self.children[b] = ring = left[::-1] + right[:-1]
        self.base[b], self.charge[b] = self.base[left[-1]], 0
        self.vertices[b] = [v for child in ring for v in self.vertices[child]]
        self.label[b] = _OUTER
        for child in ring:
            self.parent[child] = b
            if self.label[child] == _INNER:
                self.queue.extend(self.vertices[child])
            self.label[child] = _FREE
        for v in self.vertices[b]:
            self.top[v] = b

    # -- an inner blossom whose charge is used up comes apart

    def _burst(self, b: int) -> None:
        outside, inside = self.entry[b]
        children, links, size = self.children[b], self.links[b], len(self.children[b])
        index = children.index(self._child_holding(b, inside))
        for child in children:
            self.parent[child] = -1
            for v in self.vertices[child]:
                self.top[v] = child
        self._retire(b)
        self._make_inner(children[index], (outside, inside))
        back = index % 2 == 0
        while index % size:
            middle, index = (index - 1, index - 2) if back else (index + 1, index + 2)
            x, y = links[index] if back else links[middle]
            self._make_outer(children[middle])
            self._make_inner(children[index % size], (y, x) if back else (x, y))

    def _make_inner(self, b: int, entry: Edge) -> None:
        self.label[b] = _INNER
        self.entry[b] = entry

    def _retire(self, b: int) -> None:
        self.label[b] = _FREE
        self.children[b], self.links[b], self.vertices[b] = [], [], []
        self.spare.append(b)

    # -- the answer

    def _result(self) -> Matching:
        total = sum(self.costs[v][m] for v, m in enumerate(self.mate)) // 4
        charges = tuple(
            (frozenset(self.vertices[b]), self.charge[b])
            for b in range(self.n, 2 * self.n)
            if self.vertices[b] and self.charge[b]
        )
        return Matching(tuple(self.mate), total, tuple(self.price), charges)
