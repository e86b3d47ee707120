"""From what the search found to what is published: tables and notes, the bye, the cost, the proof."""

from __future__ import annotations

from collections.abc import Callable
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
    write = writer_of(field, found)
    return Pairing(
        write_tables=lambda: _seated(field, write()),
        bye=field.ids[found.draft.partner[field.bye]] if field.bye >= 0 else None,
        seed=seed,
        cost=cost,
        certificate=certificate,
        groups=tuple(zip(field.scores, field.sizes, strict=False)),
    )


def writer_of(field: Field, found: Found) -> Callable[[], list[Table]]:
    """What writes the tables of `found`, numbered from 1 by score, whenever it is called.

    Earlier meetings are read at once, not then: the history may have grown by this very round.
    """
    cost = field.cost_of(found.total)
    drawbacks = _drawbacks(field, found) if cost.forbidden or cost.rematches or cost.unwished else {}
    return lambda: _tables(field, found, drawbacks)


def _tables(field: Field, found: Found, drawbacks: dict[int, list[str]]) -> list[Table]:
    pairs, notes = found.draft.pairs(), _notes(field, found, drawbacks)
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


def _drawbacks(field: Field, found: Found) -> dict[int, list[str]]:
    """What speaks against a table, under both of its vertices."""
    drawbacks: dict[int, list[str]] = {}
    for u, v in found.draft.pairs():
        against = field.split_penalty(field.penalty(u, v))
        if any(against):
            words = [word for word, given in zip(_NOTES, against, strict=True) if given]
            drawbacks[u] = drawbacks[v] = words
    return drawbacks


def _notes(field: Field, found: Found, drawbacks: dict[int, list[str]]) -> dict[int, str]:
    """What is special about a table, under its first vertex."""
    if found.method == "neighbours" and not drawbacks:
        return {}
    notes: dict[int, str] = {}
    for u, v in found.draft.pairs():
        words = list(drawbacks.get(u, ()))
        if found.method == "table":
            words.append(LISTED)
        elif field.level[u] != field.level[v] and found.solved(field.level[u], field.level[v]):
            words.append(SOLVED)
        notes[u] = " ".join(words)
    return notes


def _seated(field: Field, tables: list[Table]) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    fresh = field.rules.wishes.fresh_tables
    if not fresh and not [e for e in field.entrants if e.fixed_table is not None]:
        return tuple(tables), ()
    seated, remarks = seat(tables, {e.id: e for e in field.entrants}, fresh)
    return seated, tuple(remarks)
