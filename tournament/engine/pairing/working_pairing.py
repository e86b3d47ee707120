"""A complete pairing changed in place while it is improved.

An exchange lets two players of the same score change places. It leaves all floats and the bye's score as
they are, so it can only heal or spoil what a pair has against it: a rematch, a rule, a wish.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tournament.engine.pairing.round_model import RoundModel
from tournament.engine.records import Score
from tournament.engine.seeded_random import SeededRandom

_RANDOM_TRIES = 6


class WorkingPairing:
    """A complete pairing of a field, changed in place.

    `partner[v]` sits opposite vertex `v`; `order` is by level, drawn within. `moved_vertices` are those who
    have changed places, two vertices for each exchange.
    """

    __slots__ = ("chance", "field", "moved_vertices", "order", "partner", "repaired_places")

    def __init__(self, field: RoundModel, chance: SeededRandom, order: list[int], partner: list[int]) -> None:
        self.field, self.chance, self.order, self.partner = field, chance, order, partner
        self.repaired_places: dict[int, int] = {}
        self.moved_vertices: list[int] = []

    @classmethod
    def of_neighbours(cls, field: RoundModel, chance: SeededRandom) -> WorkingPairing:
        """Draw an order within each level and let neighbors meet.

        This gives the fewest floats that are possible. A level is in the order of its random keys. If two of
        them are equal a coin that is tossed once says which end of the level goes first.
        """
        random_key, backwards = chance.random_keys(len(field)).__getitem__, chance.below(2)
        order: list[int] = []
        for same in field.members:
            order += sorted(same[::-1] if backwards else same, key=random_key)
        partner = [0] * len(field)
        by_turns = iter(order)
        for u, v in zip(by_turns, by_turns, strict=True):
            partner[u] = v
            partner[v] = u
        return cls(field, chance, order, partner)

    def copy(self) -> WorkingPairing:
        """Copy this draft into an equal, independent one.

        The order and the draws are shared.
        """
        twin = WorkingPairing(self.field, self.chance, self.order, self.partner.copy())
        twin.repaired_places, twin.moved_vertices = self.repaired_places.copy(), self.moved_vertices.copy()
        return twin

    def members(self, level: int) -> list[int]:
        """Return the vertices of a level, in the order that was drawn."""
        starts = self.field.starts
        return self.order[starts[level] : starts[level + 1]]

    def pairs(self) -> list[tuple[int, int]]:
        """Return every table once, the higher level first, in the order of the field."""
        partner, is_seen = self.partner, bytearray(len(self.order))
        pairs = []
        for v in self.order:
            if not is_seen[v]:
                other = partner[v]
                is_seen[other] = 1
                pairs.append((v, other))
        return pairs

    def join(self, u: int, v: int) -> None:
        """Let these two meet (their former partners are left to the caller)."""
        self.partner[u], self.partner[v] = v, u

    def conflicts(self) -> list[int]:
        """Return the vertices whose pair is in conflict, one of each pair."""
        partner, vertices = self.partner, range(len(self.partner))
        if not self.field.has_rules:
            return [u for u in self.field.rematches(vertices, partner) if u < partner[u]]
        first = [u for u in vertices if u < partner[u]]
        if self.field.bye >= 0:
            bye_partner = partner[self.field.bye]
            first.remove(bye_partner)
            first.append(bye_partner)
        penalty = self.field.penalty
        return [u for u in first if penalty(u, partner[u])]

    def conflicts_of_neighbours(self) -> list[int]:
        """Return what `conflicts` returns, at less work, while neighbors in `order` meet."""
        if self.field.has_rules:
            return self.conflicts()
        return self.field.rematches(self.order[::2], self.order[1::2])

    def total(self, conflicts: Sequence[int] | None = None) -> Score:
        """Return the cost of the whole draft, counted afresh from all its tables.

        `conflicts`, where they are known: one or both vertices of every pair that has something against it.
        """
        level = self.field.level
        gaps = [(a, b) for a, b in zip(level, map(level.__getitem__, self.partner), strict=True) if a < b]
        total = sum(map(self.field.spans.__getitem__, gaps))
        penalty, partner = self.field.penalty, self.partner
        vertices = self.conflicts() if conflicts is None else {min(v, partner[v]) for v in conflicts}
        return total + sum(penalty(v, partner[v]) for v in vertices)

    # -- checking

    def is_whole(self, vertices: Sequence[int]) -> bool:
        """Return whether each of these vertices is its partner's partner.

        Partners sit opposite each other.
        """
        partner = self.partner
        return [partner[partner[v]] for v in vertices] == list(vertices)

    def is_faultless_where_moved(self) -> bool:
        """Return whether those who changed places sit opposite someone new.

        That is someone whom they have not met. Only for fields without rules. (Mixing asks about both new
        tables of each exchange by itself.)
        """
        moved_members = self.moved_vertices
        return self.is_whole(moved_members) and not self.field.has_met(
            moved_members, [self.partner[v] for v in moved_members]
        )

    # -- healing

    def heal(self, conflicts: Sequence[int], floor: int = 0) -> list[int]:
        """Exchange until no single exchange improves any of `conflicts`.

        Returns those that are left. Nothing counts as left once the penalties of all conflicts are down to
        `floor`, which no pairing goes below.
        """
        penalty, partner = self.field.penalty, self.partner
        pending_conflicts, conflicts_left = list(conflicts), []
        above_floor = sum(penalty(v, partner[v]) for v in pending_conflicts) - floor
        while pending_conflicts and above_floor > 0:
            v = pending_conflicts.pop()
            if not penalty(v, partner[v]):
                continue
            gain, *changed_seats = self._better_exchange(v) or self._better_exchange(partner[v]) or (0,)
            above_floor -= gain
            pending_conflicts += changed_seats
            if not changed_seats:
                conflicts_left.append(v)
        return [v for v in conflicts_left if penalty(v, partner[v])] if above_floor > 0 else []

    def _better_exchange(self, v: int) -> tuple[int, int, int] | None:
        """Exchange `v` for the better.

        The gain and the two who changed places, or None if nothing helps.
        """
        field = self.field
        level = field.level_of(v)
        start, size = field.starts[level], field.sizes[level]
        best, partner = 0, -1
        for other in self._candidates(start, size):
            gain = self._gain(v, other)
            if gain > best:
                best, partner = gain, other
                if gain >= field.penalty(v, self.partner[v]):
                    break
        if partner < 0:
            return None
        self.repaired_places[level] = self.repaired_places.get(level, 0) + 1
        self.exchange(v, partner)
        return best, v, partner

    def _candidates(self, start: int, size: int) -> Iterable[int]:
        order, chance = self.order, self.chance
        for _ in range(_RANDOM_TRIES):
            yield order[start + chance.below(size)]
        turn = start + chance.below(size)
        yield from order[turn : start + size]
        yield from order[start:turn]

    def _gain(self, u: int, v: int) -> int:
        """Return by how much the penalties fall if the two change places.

        An exchange with one's own partner does nothing.
        """
        partner, penalty = self.partner, self.field.penalty
        a, b = partner[u], partner[v]
        if a == v or u == v:
            return 0
        return penalty(u, a) + penalty(v, b) - penalty(u, b) - penalty(v, a)

    def exchange(self, u: int, v: int) -> None:
        """Let two vertices of one level change places."""
        a, b = self.partner[u], self.partner[v]
        self.join(u, b)
        self.join(v, a)
        self.moved_vertices += u, v
