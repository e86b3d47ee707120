"""Convert a search result into a published pairing with notes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat

from rules.reason import Reason, reason
from tournament.engine.pairing.model import (
    AHEAD,
    ALONE,
    BETWEEN,
    DRAWBACKS,
    LOWER_MET,
    SCHEDULED,
    SOLVED,
    TWO,
    UPPER_MET,
    Certificate,
    Cost,
    Pairing,
    PairingTable,
)
from tournament.engine.pairing.round_model import RoundModel
from tournament.engine.pairing.search import SearchResult
from tournament.engine.pairing.seating import assign_tables
from tournament.engine.problems import refer_to_player

_MOST_OPPONENTS = 30
NotesByVertex = dict[int, list[str]]


def publish(field: RoundModel, result: SearchResult, seed: int) -> Pairing:
    """Return the round as others see it.

    Its tables are written out when they are first requested.
    """
    cost = field.cost_of(result.total)
    is_proved = result.total == result.lower_bound
    lowest = len(field.scores) - 1
    certificate = Certificate(
        lower_bound=cost if is_proved else field.cost_of(result.lower_bound),
        is_proved=is_proved and field.float_cost_tested,
        method=result.method,
        windows=tuple((field.scores[a], field.scores[min(b, lowest)]) for a, b in result.windows),
    )
    write, bye_notes = _writer(field, result, cost), _about_the_bye(field, result)
    return Pairing(
        write_tables=lambda: _seat_tables(field, write(), bye_notes),
        bye=field.ids[result.draft.partner[field.bye]] if field.bye >= 0 else None,
        seed=seed,
        cost=cost,
        certificate=certificate,
        groups=tuple(zip(field.scores, field.sizes, strict=False)),
    )


def make_table_writer(field: RoundModel, result: SearchResult) -> Callable[[], list[PairingTable]]:
    """Return a function that writes the tables of `result` when it is called.

    The tables are numbered from 1 by score. Earlier meetings are read at once, not then: the history may have
    grown by this very round.
    """
    return _writer(field, result, field.cost_of(result.total))


def _writer(field: RoundModel, result: SearchResult, cost: Cost) -> Callable[[], list[PairingTable]]:
    drawbacks = (
        _drawbacks(field, result) if cost.forbidden_count or cost.rematches or cost.unwished_count else {}
    )
    reasons = _reasons(field, result)
    return lambda: _tables(field, result, drawbacks, reasons)


def _tables(
    field: RoundModel, result: SearchResult, drawbacks: NotesByVertex, reasons: NotesByVertex
) -> list[PairingTable]:
    pairs, notes = result.draft.pairs(), _notes(field, result, drawbacks, reasons)
    if field.bye >= 0:
        pairs.remove((result.draft.partner[field.bye], field.bye))
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
    return list(map(PairingTable._make, rows))


def _drawbacks(field: RoundModel, result: SearchResult) -> NotesByVertex:
    """Return the objections to a table, under both of its vertices."""
    drawbacks: NotesByVertex = {}
    for u, v in result.draft.pairs():
        against = field.split_penalty(field.penalty(u, v))
        if any(against):
            words = [word for word, has_drawback in zip(DRAWBACKS, against, strict=True) if has_drawback]
            drawbacks[u] = drawbacks[v] = words
    return drawbacks


def _reasons(field: RoundModel, result: SearchResult) -> NotesByVertex:
    """Return, by its vertex, why the higher of two scores floats.

    Only floats decided by more than the score order are included.
    """
    if result.method in ("neighbours", "table"):
        return {}
    level, bye = field.level, field.bye
    floats = [(u, v) for u, v in enumerate(result.draft.partner) if level[u] < level[v] and v != bye]
    return {u: _reason(field, result, u, v) for u, v in floats}


def _reason(field: RoundModel, result: SearchResult, u: int, v: int) -> list[str]:
    high, low = field.level[u], field.level[v]
    if low == high + 1 and field.sizes[high] == 1:
        return [ALONE]
    between = [BETWEEN] if low > high + 1 else []
    if _has_met_all(field, u, range(high, low)):
        return [UPPER_MET, *between]
    if _has_met_all(field, v, range(high + 1, low + 1)):
        return [LOWER_MET, *between]
    if result.method == "look-ahead":
        return [AHEAD]
    return [SOLVED] if result.is_solved_between(high, low) else []


def _has_met_all(field: RoundModel, vertex: int, levels: range) -> bool:
    """Return whether a player has met all others of these levels.

    There must be at least one other, and few enough.
    """
    met_pairs, ids = field.history.pairs, field.ids
    own, others = ids[vertex], 0
    for level in levels:
        for v in field.members[level]:
            if v != vertex:
                others += 1
                if others > _MOST_OPPONENTS or (own, ids[v]) not in met_pairs:
                    return False
    return others > 0


def _notes(
    field: RoundModel, result: SearchResult, drawbacks: NotesByVertex, reasons: NotesByVertex
) -> dict[int, str]:
    """Return what is special about a table, under its first vertex."""
    notes = _twosomes(field, result)
    if result.method == "neighbours" and not drawbacks:
        return notes
    for u, v in result.draft.pairs():
        words = list(drawbacks.get(u, ()))
        if result.method == "table":
            words.append(SCHEDULED)
        elif field.level[u] != field.level[v]:
            words += reasons.get(u, ())
        elif u in notes:
            words.append(TWO)
        notes[u] = " ".join(words)
    return notes


def _twosomes(field: RoundModel, result: SearchResult) -> dict[int, str]:
    """Return tables of two who are the only ones with their score.

    Nothing was random between them.
    """
    twos = [members for members in field.members if len(members) == 2]
    return {v: TWO for u, w in twos if result.draft.partner[u] == w for v in (u, w)}


def _about_the_bye(field: RoundModel, result: SearchResult) -> list[Reason]:
    """Return what must be said of a bye that is not the player's first."""
    bye_partner = result.draft.partner[field.bye] if field.bye >= 0 else -1
    rested_id = field.ids[bye_partner]
    if bye_partner < 0 or rested_id is None or not field.entrants[bye_partner].byes:
        return []
    player = refer_to_player(rested_id)
    return [reason("second_bye.scheduled" if result.method == "table" else "second_bye", player=player)]


def _seat_tables(
    field: RoundModel, tables: list[PairingTable], remarks: list[Reason]
) -> tuple[tuple[PairingTable, ...], tuple[Reason, ...]]:
    fresh = field.rules.preferences.fresh_tables
    if not fresh and not [e for e in field.entrants if e.fixed_table is not None]:
        return tuple(tables), tuple(remarks)
    seated_tables, about_seats = assign_tables(tables, {e.id: e for e in field.entrants}, fresh)
    return seated_tables, (*remarks, *about_seats)
