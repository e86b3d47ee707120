"""Randomize uniformly among equally good pairings by exchanges.

Random exchanges that cost nothing: each is as likely as the one that undoes it, so the walk settles on the
uniform choice among all rounds that it can reach. Where few players are concerned, their pairing is drawn
again among all cheapest ones, each as likely as the others, whatever the walk can reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, groupby, islice

from tournament.engine.pairing.enumeration import PairingCounter, is_countable
from tournament.engine.pairing.working_pairing import WorkingPairing
from tournament.engine.seeded_random import WORD_BITS

_PROPOSALS_PER_REPAIR = 8

_PROPOSALS_PER_PLAYER = 4

_COUNTED_UP_TO = 8

_LARGEST_NEAR_COUNT = 2 * _COUNTED_UP_TO  # beyond it so few as are counted hardly stay on a level

_COUNTED_BY_TIGHT_PAIRS_UP_TO = 26

# By the size of the field: the binary logarithm of how many pairings may be counted, in thousandths. Up to 18
# players counting takes some milliseconds at most; exchanges alone draw dense fields unevenly.
_BITS_BY_SIZE = ((18, 21_000), (_COUNTED_BY_TIGHT_PAIRS_UP_TO, 12_500))
_BITS = 8_000

LevelRange = tuple[int, int]


def mix(
    draft: WorkingPairing,
    windows: Sequence[LevelRange] = (),
    *,
    faultless: bool = False,
    is_proved: bool = False,
) -> None:
    """Mix every level of `draft` that was repaired, and those near `windows`.

    `windows` are ranges of levels. `faultless` says that there is no objection to any pair of the draft,
    `is_proved` that no pairing costs less; both save work and change no answer.
    """
    unmet = faultless and draft.field.only_meetings_count
    walk = exchange_first_meetings if unmet else _walk
    sizes = draft.field.sizes
    repaired_levels = [level for level in sorted(draft.repaired_places) if sizes[level] > 1]
    for level in repaired_levels:
        by_repairs = _PROPOSALS_PER_REPAIR * draft.repaired_places[level]
        walk(draft, propose_exchanges(draft, level, min(_PROPOSALS_PER_PLAYER * sizes[level], by_repairs)))
    if len(draft.field) <= _COUNTED_BY_TIGHT_PAIRS_UP_TO:
        windows = [(0, len(sizes) - 1)]
    redrawn_windows = [w for w in windows if _redraw(draft, w, _COUNTED_BY_TIGHT_PAIRS_UP_TO, is_proved)]
    for level in repaired_levels:
        if sizes[level] <= _LARGEST_NEAR_COUNT and not any(
            first <= level <= last for first, last in redrawn_windows
        ):
            _redraw(draft, (level, level), _COUNTED_UP_TO, is_proved, neighbours=unmet and not windows)


def _walk(draft: WorkingPairing, proposals: Exchanges) -> None:
    partner, penalty = draft.partner, draft.field.penalty
    for u, v in proposals:
        a, b = partner[u], partner[v]
        if u != v and a != v and penalty(u, a) + penalty(v, b) == penalty(u, b) + penalty(v, a):
            partner[u], partner[b], partner[v], partner[a] = b, u, a, v


def _few_around(draft: WorkingPairing, window: LevelRange, most: int) -> LevelRange:
    """Return the widest run of levels around `window`, as places in the order.

    It has at most `most` vertices.
    """
    starts = draft.field.starts
    first, last = window[0], window[1] + 1
    while True:
        wider = [
            (a, b)
            for a, b in ((first, last + 1), (first - 1, last))
            if a >= 0 and b < len(starts) and starts[b] - starts[a] <= most
        ]
        if not wider:
            return starts[first], starts[last]
        first, last = wider[0]


def _redraw(
    draft: WorkingPairing, window: LevelRange, most: int, is_proved: bool, *, neighbours: bool = False
) -> bool:
    """Draw the pairs near `window` again, uniformly among the cheapest.

    This is done if at most `most` play them. `neighbours` says that they are those in which neighbors meet
    who have not met before.
    """
    near = draft.order[slice(*_few_around(draft, window, most))]
    nearby = set(near)
    inside = [v for v in near if draft.partner[v] in nearby]
    if neighbours and 2 < len(inside) <= most and redraw_first_meetings(draft, inside):
        return True
    count = _count_pairings(draft, inside, is_proved) if 2 < len(inside) <= most else None
    if count is None:
        return False
    place = {v: at for at, v in enumerate(inside)}
    before = count.cost((at, place[draft.partner[v]]) for at, v in enumerate(inside))
    pairs = count.draw(draft.chance)
    if is_proved and not before == 2 * count.cost(pairs) == 2 * count.least:
        raise AssertionError("The pairings that were counted do not cost what was proved.")
    for a, b in pairs:
        draft.join(inside[a], inside[b])
    return True


def _count_pairings(draft: WorkingPairing, inside: Sequence[int], is_proved: bool) -> PairingCounter | None:
    """Return all cheapest pairings of `inside`; None if there may be too many.

    A best pairing holds only pairs without slack under the prices of any best pairing, so no others are
    tried. Where those that a single exchange shows are too many already, no prices are requested.
    """
    bits = next((bits for size, bits in _BITS_BY_SIZE if len(draft.field) <= size), _BITS)
    if len(inside) <= _COUNTED_UP_TO:
        return PairingCounter(draft.field.cost_table(inside)[0])
    if is_proved and not all(is_countable(partners, bits) for partners in _exchangeable(draft, inside)):
        return None
    costs, _ = draft.field.cost_table(inside)
    from tournament.engine.pairing.matching import cheapest_perfect_matching

    tight = cheapest_perfect_matching(costs).tight_pairs(costs)
    return PairingCounter(costs, tight) if is_countable(tight, bits) else None


def _exchangeable(draft: WorkingPairing, inside: Sequence[int]) -> Iterator[list[int]]:
    """Yield for each of `inside` those they meet now or after a free exchange.

    Now means in the draft. The exchange is a single one that costs nothing. Given again after each of them,
    those of the largest levels first, so that the caller may stop early.
    """
    partner, field = draft.partner, draft.field
    ids, met_pairs = field.ids, field.history.pairs
    penalty, only_meetings = field.penalty, field.only_meetings_count
    bit = {v: 1 << at for at, v in enumerate(inside)}
    partner_bit = {v: bit[partner[v]] for v in inside}
    meets = partner_bit.copy()
    against = {v: penalty(v, partner[v]) for v in inside}
    equals = [list(same) for _, same in groupby(inside, key=field.level.__getitem__)]
    for same in sorted(equals, key=len, reverse=True):
        for at, u in enumerate(same, 1):
            a, id_u, id_a, bit_u, bit_a = partner[u], ids[u], ids[partner[u]], bit[u], partner_bit[u]
            for v in same[at:]:
                bit_b = partner_bit[v]
                if v == a or (meets[u] & bit_b and meets[v] & bit_a):
                    continue
                b, now = partner[v], against[u] + against[v]
                if now or not only_meetings:
                    is_free = now == penalty(u, b) + penalty(v, a)
                else:
                    is_free = (id_u, ids[b]) not in met_pairs and (ids[v], id_a) not in met_pairs
                if is_free:
                    meets[u] |= bit_b
                    meets[b] |= bit_u
                    meets[v] |= bit_a
                    meets[a] |= bit[v]
            yield [meets[v] for v in inside]


Exchanges = Iterator[tuple[int, int]]

_RANDOM_TRIES = 8

_DRAWS = 8


def resolve_rematches(draft: WorkingPairing, conflicts: Sequence[int]) -> list[int]:
    """Exchange players of equal level until no table in `conflicts` is a rematch.

    `conflicts` holds the first vertices of tables of two players who have met; those for whom random tries
    found nothing are returned.
    """
    partner, ids, met_pairs, field = draft.partner, draft.field.ids, draft.field.history.pairs, draft.field
    words, conflicts_left = iter(draft.chance.words(_RANDOM_TRIES * len(conflicts))), []
    for u in conflicts:
        level = field.level_of(u)
        start, size = field.starts[level], field.sizes[level]
        for word in islice(words, _RANDOM_TRIES):
            v = draft.order[start + (word * size >> WORD_BITS)]
            a, b = partner[u], partner[v]
            if u != v and a != v and (ids[u], ids[b]) not in met_pairs and (ids[v], ids[a]) not in met_pairs:
                draft.repaired_places[level] = draft.repaired_places.get(level, 0) + 1
                draft.exchange(u, v)
                break
        else:
            conflicts_left.append(u)
    return conflicts_left


def propose_exchanges(draft: WorkingPairing, level: int, proposals: int) -> Exchanges:
    """Return two of a level at a time, each drawn from all of it."""
    members = draft.members(level)
    drawn_members = list(map(members.__getitem__, draft.chance.many_below(len(members), 2 * proposals)))
    return zip(drawn_members[::2], drawn_members[1::2], strict=True)


def exchange_first_meetings(draft: WorkingPairing, proposals: Exchanges) -> None:
    """Let each two of `proposals` change places if that makes no rematch.

    They stay if one of them would meet someone again.
    """
    partner, ids, met_pairs = draft.partner, draft.field.ids, draft.field.history.pairs
    for u, v in proposals:
        a, b = partner[u], partner[v]
        if u != v and a != v and (ids[u], ids[b]) not in met_pairs and (ids[v], ids[a]) not in met_pairs:
            partner[u], partner[b], partner[v], partner[a] = b, u, a, v


def redraw_first_meetings(draft: WorkingPairing, players: Sequence[int]) -> bool:
    """Draw new first meetings of `players`, who meet one another.

    Each set of first meetings is as likely as the others. They are in the order of the field, in which
    neighbors meet now and will meet. False, and nothing has changed, if several draws all held a rematch.
    """
    ids, met_pairs = draft.field.ids, draft.field.history.pairs
    levels = [list(same) for _, same in groupby(players, key=draft.field.level_of)]
    for _ in range(_DRAWS):
        for same in levels:
            draft.chance.shuffle(same)
        drawn_members = list(chain.from_iterable(levels))
        pairs = list(zip(drawn_members[::2], drawn_members[1::2], strict=True))
        if met_pairs.isdisjoint([(ids[u], ids[v]) for u, v in pairs]):
            for u, v in pairs:
                draft.join(u, v)
            return True
    return False
