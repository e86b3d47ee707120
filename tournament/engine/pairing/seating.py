"""Assign table numbers: fixed seats kept, repeated tables avoided.

Best scores first, fixed seats kept, tables not sat at twice where wished.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence

from rules.reason import Reason, Reference, reason
from tournament.engine.pairing.model import Entrant, PairingTable
from tournament.engine.problems import refer_to_player
from tournament.engine.records import PlayerId

_NEARBY = 24


def assign_tables(
    tables: Sequence[PairingTable],
    entrants: Mapping[PlayerId, Entrant],
    fresh_tables: bool,
    taken_tables: Collection[int] = (),
) -> tuple[tuple[PairingTable, ...], list[Reason]]:
    """Number the tables again from 1 without those of `taken_tables`.

    Also returns what could not be done. A match goes to the fixed seat of either player, so that as many as
    can be keep theirs, and the others fill the numbers left in their order. With `fresh_tables` matches
    change numbers where that lets fewer players sit where they have sat before.
    """
    wanted_tables = [_list_wanted_seats(table, entrants) for table in tables]
    fixed_seats = _fixed_seats(wanted_tables, taken_tables)
    numbers = _fill(len(tables), fixed_seats, {*fixed_seats.values(), *taken_tables})
    if fresh_tables:
        _freshen(numbers, fixed_seats, [_sat_at(table, entrants) for table in tables])
    seated_tables = [table._replace(number=number) for table, number in zip(tables, numbers, strict=True)]
    return tuple(sorted(seated_tables, key=lambda table: table.number)), _not_kept(wanted_tables, fixed_seats)


def _list_wanted_seats(table: PairingTable, entrants: Mapping[PlayerId, Entrant]) -> dict[PlayerId, int]:
    """Return the fixed seats of a table's players."""
    fixed_tables = {player: entrants[player].fixed_table for player in table.players if player in entrants}
    return {player: number for player, number in fixed_tables.items() if number is not None}


def _fixed_seats(
    wanted_tables: Sequence[Mapping[PlayerId, int]], taken_tables: Collection[int]
) -> dict[int, int]:
    """Return the list index of each match that has a fixed seat, with that seat.

    Matches are seated one after another, first those whose players both want one table; who finds their seat
    held may move its holder to the seat of the holder's opponent. Thus most players keep theirs.
    """
    holder: dict[int, int] = {}
    free_numbers = [
        [n for n in dict.fromkeys(each.values()) if n not in taken_tables] for each in wanted_tables
    ]
    at_one = [len(each) == 2 and len(set(each.values())) == 1 for each in wanted_tables]
    for match_index in sorted(range(len(wanted_tables)), key=lambda place: not at_one[place]):
        _move_to_seat(match_index, free_numbers, holder)
    return {match_index: number for number, match_index in holder.items()}


def _move_to_seat(match_index: int, free_numbers: Sequence[Sequence[int]], holder: dict[int, int]) -> None:
    """Seat a match along the shortest chain of moves that ends at a free seat.

    Nothing changes if there is no such chain.
    """
    came_from = dict.fromkeys(free_numbers[match_index], match_index)
    queue = list(came_from)
    for number in queue:
        if number not in holder:
            _move_along(number, match_index, came_from, holder)
            return
        for other in free_numbers[holder[number]]:
            if other not in came_from:
                came_from[other] = holder[number]
                queue.append(other)


def _move_along(free: int, match_index: int, came_from: Mapping[int, int], holder: dict[int, int]) -> None:
    vacated_tables = {mover: number for number, mover in holder.items()}
    number = free
    while came_from[number] != match_index:
        mover = came_from[number]
        holder[number], number = mover, vacated_tables[mover]
    holder[number] = match_index


def _not_kept(
    wanted_tables: Sequence[Mapping[PlayerId, int]], fixed_seats: Mapping[int, int]
) -> list[Reason]:
    """Return a reason for every player who is not at their fixed seat."""
    holder = {
        number: player
        for match_index, number in fixed_seats.items()
        for player, seat_ in reversed(list(wanted_tables[match_index].items()))
        if seat_ == number
    }
    return [
        _explain_lost_seat(player, number, fixed_seats.get(match_index), holder)
        for match_index, each in enumerate(wanted_tables)
        for player, number in each.items()
        if fixed_seats.get(match_index) != number
    ]


def _explain_lost_seat(
    player: PlayerId, number: int, opponents_table: int | None, holder: Mapping[int, PlayerId]
) -> Reason:
    params = {"player": refer_to_player(player), "table": Reference("table", number)}
    if opponents_table is not None:
        return reason("fixed_table_lost.opponent", **params, other=Reference("table", opponents_table))
    if number in holder:
        return reason("fixed_table_lost.holder", **params, holder=refer_to_player(holder[number]))
    return reason("fixed_table_lost", **params)


def _fill(count: int, fixed_seats: Mapping[int, int], taken_tables: Collection[int]) -> list[int]:
    free = (number for number in itertools.count(1) if number not in taken_tables)
    return [
        fixed_seats[match_index] if match_index in fixed_seats else next(free) for match_index in range(count)
    ]


def _sat_at(table: PairingTable, entrants: Mapping[PlayerId, Entrant]) -> tuple[int, ...]:
    return tuple(number for player in table.players for number in set(entrants[player].last_tables))


def _freshen(numbers: list[int], fixed_seats: Mapping[int, int], sat_at: Sequence[Sequence[int]]) -> None:
    """Exchange table numbers so that few players sit where they have sat.

    Their number is as low as possible. Each table stays near its place. In a large venue only the tables
    around one that is at fault are looked at.
    """
    movable = [match_index for match_index in range(len(numbers)) if match_index not in fixed_seats]
    for place, match_index in enumerate(movable):
        if sat_at[match_index].count(numbers[match_index]):
            first = max(0, min(place - _NEARBY // 2, len(movable) - _NEARBY))
            _share_out(numbers, movable[first : first + _NEARBY], sat_at)


def _share_out(numbers: list[int], tables: Sequence[int], sat_at: Sequence[Sequence[int]]) -> None:
    """Distribute the numbers of these tables again.

    The fewest players sit where they have sat, and then tables move the least.
    """
    from tournament.engine.assignment import cheapest_assignment  # few events want fresh tables

    there = [numbers[match_index] for match_index in tables]
    outweigh = len(tables) ** 3 + 1
    costs = [
        [sat_at[match_index].count(number) * outweigh + (here - to) ** 2 for to, number in enumerate(there)]
        for here, match_index in enumerate(tables)
    ]
    for match_index, to in zip(tables, cheapest_assignment(costs), strict=True):
        numbers[match_index] = there[to]
