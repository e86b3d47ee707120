"""Find a best pairing that keeps most tables of a given one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tournament.engine.pairing.enumeration import iterate_by_cost
from tournament.engine.pairing.matching import cheapest_perfect_matching
from tournament.engine.pairing.round_model import RoundModel
from tournament.engine.pairing.working_pairing import WorkingPairing
from tournament.engine.records import Score
from tournament.engine.seeded_random import SeededRandom

MOST_VERTICES = 1000
_RANKED = 200
_FIRST_SPARES = 4
Pairs = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class NearestPairing:
    """A draft and its total cost.

    Also holds how many of the given tables it keeps, and whether none as good keeps more.
    """

    draft: WorkingPairing
    total: Score
    kept_count: int
    is_proved: bool


def find_nearest(
    field: RoundModel,
    given_pairs: Sequence[tuple[int, int]],
    best: Score,
    chance: SeededRandom,
    accept: Callable[[Sequence[int]], bool] | None = None,
) -> NearestPairing | None:
    """Return the draft of least cost that keeps most of `given_pairs`.

    These are pairs of vertices. `best` is the least cost that the field has. `accept`, if given, says of
    the partners of all vertices whether a draft may be chosen, and `best` is the least cost of those; drafts
    of a small field are then tried in order. A small field is solved exactly. In a large one every table that
    may be at fault is opened, together with a few sound ones of each score, more and more until the least
    cost is reached. None if no draft that was tried is accepted.
    """
    order = list(range(len(field)))
    chance.shuffle(order)
    if accept is not None and len(field) <= MOST_VERTICES:
        return _first_accepted(field, given_pairs, best, order, chance, accept)
    if len(field) <= MOST_VERTICES:
        return find_nearest_among(field, given_pairs, order, chance)
    sound = _sound_tables(field, given_pairs, chance)
    spares = _FIRST_SPARES
    while True:
        open_players = _find_open(field, sound, order, spares)
        near = find_nearest_among(
            field, given_pairs, open_players, chance, exact=len(open_players) == len(field)
        )
        if near.total == best or len(open_players) == len(field):
            return near
        spares *= 2


def _sound_tables(
    field: RoundModel, given_pairs: Sequence[tuple[int, int]], chance: SeededRandom
) -> dict[int, Pairs]:
    """Return the given tables of two equals to which there is no objection.

    They are returned by level, in random order.
    """
    sound: dict[int, Pairs] = defaultdict(list)
    for u, v in given_pairs:
        if field.level[u] == field.level[v] and not field.penalty(u, v):
            sound[field.level[u]].append((u, v))
    for level in sorted(sound):
        chance.shuffle(sound[level])
    return sound


def _find_open(field: RoundModel, sound: dict[int, Pairs], order: Sequence[int], spares: int) -> list[int]:
    closed_vertices = {v for pairs in sound.values() for pair in pairs[spares:] for v in pair}
    return [v for v in order if v not in closed_vertices]


def find_nearest_among(
    field: RoundModel,
    given_pairs: Sequence[tuple[int, int]],
    open_players: Sequence[int],
    chance: SeededRandom,
    exact: bool = True,
) -> NearestPairing:
    """Return the nearest draft with only `open_players` paired again.

    These players are paired with each other.
    """
    costs, _ = _cost_table(field, given_pairs, open_players)
    mate = cheapest_perfect_matching(costs).mate
    pairs = [(open_players[a], open_players[b]) for a, b in enumerate(mate) if a < b]
    return _near(field, given_pairs, pairs, chance, exact)


def keep_unchanged(draft: WorkingPairing, given_pairs: Sequence[tuple[int, int]]) -> NearestPairing:
    """Return a draft that was found without considering the given pairs.

    It is not proved that no draft keeps more of them.
    """
    unchanged_count = sum(draft.partner[u] == v for u, v in given_pairs)
    return NearestPairing(draft, draft.total(), unchanged_count, unchanged_count == len(given_pairs))


def _near(
    field: RoundModel,
    given_pairs: Sequence[tuple[int, int]],
    pairs: Pairs,
    chance: SeededRandom,
    is_proved: bool,
) -> NearestPairing:
    """Return the draft with `pairs` and the given tables of all others.

    The others are those who are in none of `pairs`.
    """
    draft = WorkingPairing.of_neighbours(field, chance)
    for u, v in [*given_pairs, *pairs]:
        draft.join(u, v)
    unchanged_count = sum(draft.partner[u] == v for u, v in given_pairs)
    return NearestPairing(
        draft, draft.total(), unchanged_count, is_proved or unchanged_count == len(given_pairs)
    )


def _cost_table(
    field: RoundModel, base_pairs: Sequence[tuple[int, int]], open_players: Sequence[int]
) -> tuple[list[list[int]], int]:
    """Return costs in which any float outweighs all tables that are touched.

    Also returns their factor.
    """
    table, scale = field.cost_table(open_players)
    outweigh = len(open_players) + 1
    given_pairs = {*base_pairs, *((v, u) for u, v in base_pairs)}
    whole = [
        [cost * outweigh + ((u, v) not in given_pairs) for v, cost in zip(open_players, row, strict=True)]
        for u, row in zip(open_players, table, strict=True)
    ]
    return whole, scale * outweigh


def _first_accepted(
    field: RoundModel,
    given_pairs: Sequence[tuple[int, int]],
    best: Score,
    order: Sequence[int],
    chance: SeededRandom,
    accept: Callable[[Sequence[int]], bool],
) -> NearestPairing | None:
    for near in islice(_rank_pairings(field, given_pairs, order, chance), _RANKED):
        if near.total > best:
            return None
        if near.total == best and accept(near.draft.partner):
            return near
    return None


def _rank_pairings(
    field: RoundModel, given_pairs: Sequence[tuple[int, int]], order: Sequence[int], chance: SeededRandom
) -> Iterator[NearestPairing]:
    costs, scale = _cost_table(field, given_pairs, order)
    wall = scale * field.weights.forbidden * (len(field) + 1)
    for _, pairs in iterate_by_cost(costs, wall):
        yield _near(field, given_pairs, [(order[a], order[b]) for a, b in pairs], chance, True)
