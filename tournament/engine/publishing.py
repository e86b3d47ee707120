"""From what the search found to what is published: tables and notes, the bye, the cost, the proof."""

from __future__ import annotations

from itertools import repeat

from tournament.engine.explain import FORBIDDEN, LISTED, REMATCH, SOLVED, UNWISHED
from tournament.engine.field import Field
from tournament.engine.pairing_records import Certificate, Pairing, Table
from tournament.engine.search import Found
from tournament.engine.seating import seat

_NOTES = (FORBIDDEN, REMATCH, UNWISHED)


def publish(field: Field, found: Found, seed: int) -> Pairing:
    """The round as others see it. Its tables are written out when they are first asked for."""
    cost = field.cost_of(found.total)
    proved = found.total == found.bound
    lowest = len(field.scores) - 1
    certificate = Certificate(
        lower_bound=cost if proved else field.cost_of(found.bound),
        proved=proved and field.float_cost_tested,
        method=found.method,
        windows=tuple((field.scores[a], field.scores[min(b, lowest)]) for a, b in found.windows),
    )
    return Pairing(
        write_tables=lambda: _seated(field, tables_of(field, found)),
        bye=field.ids[found.draft.partner[field.bye]] if field.bye >= 0 else None,
        seed=seed,
        cost=cost,
        certificate=certificate,
        groups=tuple(zip(field.scores, field.sizes, strict=False)),
    )


def tables_of(field: Field, found: Found) -> list[Table]:
    """The tables of what was found, numbered from 1 by score."""
    pairs, notes = found.draft.pairs(), _notes(field, found)
    if field.bye >= 0:
        pairs.remove((found.draft.partner[field.bye], field.bye))
    ids, points = field.ids, [field.scores[level] for level in field.level[: len(field.entrants)]]
    rows = zip(
        range(1, len(pairs) + 1),
        [ids[u] for u, _ in pairs],
        [ids[v] for _, v in pairs],
        [points[u] for u, _ in pairs],
        [points[v] for _, v in pairs],
        [notes.get(u, "") for u, _ in pairs] if notes else repeat(""),
        strict=False,
    )
    return list(map(Table._make, rows))


def _notes(field: Field, found: Found) -> dict[int, str]:
    """What is special about a table, under both of its vertices."""
    if found.method == "neighbours" and found.total < field.rematch_weight and field.wish_span == 1:
        return {}
    notes: dict[int, str] = {}
    for u, v in found.draft.pairs():
        against = field.split_penalty(field.penalty(u, v))
        parts = [word for word, given in zip(_NOTES, against, strict=True) if given]
        if found.method == "table":
            parts.append(LISTED)
        elif field.level[u] != field.level[v] and found.solved(field.level[u], field.level[v]):
            parts.append(SOLVED)
        if parts:
            notes[u] = notes[v] = " ".join(parts)
    return notes


def _seated(field: Field, tables: list[Table]) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    fresh = field.rules.wishes.fresh_tables
    if not fresh and not [e for e in field.entrants if e.fixed_table is not None]:
        return tuple(tables), ()
    seated, remarks = seat(tables, {e.id: e for e in field.entrants}, fresh)
    return seated, tuple(remarks)
