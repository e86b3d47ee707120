"""Which match is played at which table.

Best scores first, fixed seats kept, tables not sat at twice where wished.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournament.engine.assignment import cheapest_assignment
from tournament.engine.pairing.records import Entrant, Table
from tournament.engine.records import PlayerId

_NEARBY = 24


def seat(
    tables: Sequence[Table], entrants: Mapping[PlayerId, Entrant], fresh_tables: bool
) -> tuple[tuple[Table, ...], list[str]]:
    """Number the tables anew from 1 on, and say what could not be done.

    A match goes to the fixed seat of either player, and the others fill the numbers left in their order. With
    `fresh_tables` matches change numbers where that lets fewer players sit where they have sat before.
    """
    fixed, remarks = _fixed_seats(tables, entrants)
    numbers = _fill(len(tables), fixed)
    if fresh_tables:
        _freshen(numbers, fixed, [_sat_at(table, entrants) for table in tables])
    seated = [table._replace(number=number) for table, number in zip(tables, numbers, strict=True)]
    return tuple(sorted(seated, key=lambda table: table.number)), remarks


def _fixed_seats(
    tables: Sequence[Table], entrants: Mapping[PlayerId, Entrant]
) -> tuple[dict[int, int], list[str]]:
    """The place in the list of each match that has a fixed seat, with that seat."""
    fixed: dict[int, int] = {}
    taken: dict[int, PlayerId] = {}
    remarks = []
    for at, table in enumerate(tables):
        for player in table.players:
            wanted = entrants[player].fixed_table
            if wanted is None or fixed.get(at) == wanted:
                continue
            if at in fixed or wanted in taken:
                remarks.append(_not_kept(player, wanted, fixed.get(at), taken.get(wanted)))
            else:
                fixed[at], taken[wanted] = wanted, player
    return fixed, remarks


def _not_kept(player: PlayerId, wanted: int, opponents_seat: int | None, holder: PlayerId | None) -> str:
    reason = (
        f"his opponent has the fixed table {opponents_seat}"
        if opponents_seat is not None
        else f"player {holder} has it too"
    )
    return f"Player {player} cannot keep the fixed table {wanted}: {reason}."


def _fill(count: int, fixed: Mapping[int, int]) -> list[int]:
    taken, numbers, number = set(fixed.values()), [], 0
    for at in range(count):
        if at in fixed:
            numbers.append(fixed[at])
            continue
        number += 1
        while number in taken:
            number += 1
        numbers.append(number)
    return numbers


def _sat_at(table: Table, entrants: Mapping[PlayerId, Entrant]) -> tuple[int, ...]:
    return tuple(number for player in table.players for number in set(entrants[player].last_tables))


def _freshen(numbers: list[int], fixed: Mapping[int, int], sat_at: Sequence[Sequence[int]]) -> None:
    """Exchange numbers so that as few players as can be sit where they have sat, each table near its place.

    In a large hall only the tables around one that is at fault are looked at.
    """
    movable = [at for at in range(len(numbers)) if at not in fixed]
    for place, at in enumerate(movable):
        if sat_at[at].count(numbers[at]):
            first = max(0, min(place - _NEARBY // 2, len(movable) - _NEARBY))
            _share_out(numbers, movable[first : first + _NEARBY], sat_at)


def _share_out(numbers: list[int], tables: Sequence[int], sat_at: Sequence[Sequence[int]]) -> None:
    """Share out the numbers of these tables anew: fewest players where they have sat, then least moves."""
    there = [numbers[at] for at in tables]
    outweigh = len(tables) ** 3 + 1
    costs = [
        [sat_at[at].count(number) * outweigh + (here - to) ** 2 for to, number in enumerate(there)]
        for here, at in enumerate(tables)
    ]
    for at, to in zip(tables, cheapest_assignment(costs), strict=True):
        numbers[at] = there[to]
