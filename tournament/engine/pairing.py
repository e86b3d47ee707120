"""Pair one Swiss round: the best pairing there is, drawn at random among equals, with its proof."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tournament.engine.explain import FORBIDDEN, REMATCH, SOLVED, UNWISHED
from tournament.engine.field import Field, Rules
from tournament.engine.floats import FloatCost, squared
from tournament.engine.history import History
from tournament.engine.lookahead import far_sighted_pairing
from tournament.engine.pairing_records import (
    NO_WISHES,
    Certificate,
    Cost,
    Entrant,
    Pairing,
    PairingError,
    Table,
    Wishes,
)
from tournament.engine.records import PlayerId
from tournament.engine.search import Found
from tournament.engine.seating import seat

__all__ = ["Certificate", "Cost", "Entrant", "Pairing", "PairingError", "Table", "Wishes", "pair_round"]

_NOTES = (FORBIDDEN, REMATCH, UNWISHED)


def pair_round(
    entrants: Sequence[Entrant],
    met: History | Iterable[tuple[PlayerId, PlayerId]],
    *,
    seed: int,
    rounds_left: int | None = None,
    float_cost: FloatCost = squared,
    forbidden: Iterable[tuple[PlayerId, PlayerId]] = (),
    own_group_forbidden: bool = False,
    wishes: Wishes = NO_WISHES,
) -> Pairing:
    """Pair `entrants` for one round.

    `met` holds the pairs that have met, in any order, or a History of them. The aims, each before all later
    ones: fewest `forbidden` pairs (and, with `own_group_forbidden`, pairs of one group), fewest rematches
    (a further bye counts as one), the bye to the lowest score that can have it, the least sum of
    `float_cost` over the tables, fewest pairs against `wishes`. Among equals the lot decides, from `seed`
    alone; the order of `entrants` and `met` plays no part.

    Raises PairingError for an empty field, an entrant who stands in it twice and scores that are not exact,
    and UnfitFloatCost for a float cost without the properties that it needs.
    """
    forbidding = History(forbidden)
    rules = Rules(forbidding if forbidden else None, own_group_forbidden, wishes)
    field = Field(entrants, History.of(met), rules, float_cost)
    return _published(field, far_sighted_pairing(field, seed, rounds_left or 0), seed)


def _published(field: Field, found: Found, seed: int) -> Pairing:
    tables, bye = _tables(field, found)
    cost = field.cost_of(found.total)
    proved = found.total == found.bound
    certificate = Certificate(
        lower_bound=cost if proved else field.cost_of(found.bound),
        proved=proved and field.float_cost_tested,
        method=found.method,
        windows=tuple(
            (field.scores[a], field.scores[min(b, len(field.scores) - 1)]) for a, b in found.windows
        ),
    )
    seated, remarks = _seated(field, tables)
    groups = tuple(zip(field.scores, field.sizes, strict=False))
    return Pairing(seated, bye, seed, cost, certificate, groups, tuple(remarks))


def _tables(field: Field, found: Found) -> tuple[list[Table], PlayerId | None]:
    ids, scores, level = field.ids, field.scores, field.level
    notes = _notes(field, found)
    tables: list[Table] = []
    bye = None
    for u, v in found.draft.pairs():
        p1, p2 = ids[u], ids[v]
        if p1 is None or p2 is None:
            bye = p2 if p1 is None else p1
        else:
            note = notes.get(u, "") if notes else ""
            tables.append(Table(len(tables) + 1, p1, p2, scores[level[u]], scores[level[v]], note))
    return tables, bye


def _notes(field: Field, found: Found) -> dict[int, str]:
    """What is special about a table, under both of its vertices."""
    if found.method == "neighbours" and not found.total >= field.rematch_weight:
        return {}
    notes: dict[int, str] = {}
    for u, v in found.draft.pairs():
        cost = field.penalty(u, v)
        parts = [word for word, given in zip(_NOTES, field.split_penalty(cost), strict=True) if given]
        if field.level[u] != field.level[v] and found.solved(field.level[u], field.level[v]):
            parts.append(SOLVED)
        if parts:
            notes[u] = notes[v] = " ".join(parts)
    return notes


def _seated(field: Field, tables: list[Table]) -> tuple[tuple[Table, ...], list[str]]:
    fresh = field.rules.wishes.fresh_tables
    if not fresh and all(e.fixed_table is None for e in field.entrants):
        return tuple(tables), []
    return seat(tables, {e.id: e for e in field.entrants}, fresh)
