"""Exchanges where nothing but an earlier meeting can speak against a table.

Nearly every round is of this kind. What elsewhere is asked of penalties is asked of the set of pairs here,
a table at a time, which takes a quarter of the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, groupby, islice

from tournament.engine.chance import WORD_BITS
from tournament.engine.pairing.draft import Draft

Proposals = Iterator[tuple[int, int]]
_RANDOM_TRIES = 8
_DRAWS = 8


def heal_unmet(draft: Draft, conflicts: Sequence[int]) -> list[int]:
    """Exchange one player of each table in `conflicts` with another of his level, so that both new tables are
    first meetings.

    `conflicts` holds the first vertices of tables of two players who have met; those for whom random tries
    found nothing are returned.
    """
    partner, ids, met, field = draft.partner, draft.field.ids, draft.field.met.pairs, draft.field
    words, left = iter(draft.chance.words(_RANDOM_TRIES * len(conflicts))), []
    for u in conflicts:
        level = field.level_of(u)
        start, size = field.starts[level], field.sizes[level]
        for word in islice(words, _RANDOM_TRIES):
            v = draft.order[start + (word * size >> WORD_BITS)]
            a, b = partner[u], partner[v]
            if u != v and a != v and (ids[u], ids[b]) not in met and (ids[v], ids[a]) not in met:
                draft.repaired[level] = draft.repaired.get(level, 0) + 1
                draft.exchange(u, v)
                break
        else:
            left.append(u)
    return left


def proposed(draft: Draft, level: int, proposals: int) -> Proposals:
    """Two of a level at a time, each drawn from all of it."""
    members = draft.members(level)
    drawn = [members[at] for at in draft.chance.many_below(len(members), 2 * proposals)]
    return zip(drawn[::2], drawn[1::2], strict=True)


def walk_unmet(draft: Draft, proposals: Proposals) -> None:
    """Let each two of `proposals` change places unless one of them would meet somebody again."""
    partner, ids, met = draft.partner, draft.field.ids, draft.field.met.pairs
    for u, v in proposals:
        a, b = partner[u], partner[v]
        if u != v and a != v and (ids[u], ids[b]) not in met and (ids[v], ids[a]) not in met:
            partner[u], partner[b], partner[v], partner[a] = b, u, a, v


def draw_unmet(draft: Draft, players: Sequence[int]) -> bool:
    """Let `players`, who meet one another, meet anew, each set of first meetings as likely as the others.

    They stand in the order of the field, in which neighbours meet now and will meet. False, and nothing has
    changed, where several draws all held a rematch.
    """
    ids, met = draft.field.ids, draft.field.met.pairs
    levels = [list(same) for _, same in groupby(players, key=draft.field.level_of)]
    for _ in range(_DRAWS):
        for same in levels:
            draft.chance.shuffle(same)
        drawn = list(chain.from_iterable(levels))
        pairs = list(zip(drawn[::2], drawn[1::2], strict=True))
        if met.isdisjoint([(ids[u], ids[v]) for u, v in pairs]):
            for u, v in pairs:
                draft.join(u, v)
            return True
    return False
