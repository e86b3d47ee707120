"""Number the sides of tables with over two again after a player came or left."""

from __future__ import annotations

from collections.abc import Sequence

from decks.shared.refusals import Refused
from rules.sides import Sides
from tournament.events.models.round import Match, Seat
from tournament.log.step import Recorder


def list_seats(match: Match) -> list[Seat]:
    """Return the seats of a table in the order of their sides."""
    return list(Seat.objects.filter(match=match).select_related("player").order_by("side", "pk"))


def number_sides(recorder: Recorder, match: Match, seats: Sequence[Seat], **values: object) -> None:
    """Give a table these seats, the first side first.

    `values` are other columns to write with them.
    """
    for side, seat in enumerate(seats, 1):
        recorder.update(seat, match_id=match.pk, side=side)
    first, second = (seat.player_id for seat in seats[:2])
    recorder.update(match, p1_id=first, p2_id=second, side_count=len(seats), **values)


def refuse_full_table(match: Match, sides: Sides) -> None:
    """Raise Refused if no one more can sit at a table."""
    if match.side_count >= sides.most:
        raise Refused("table_full", table=match.table, most=sides.most)


def refuse_move(seat: Seat, target: Match, sides: Sides) -> None:
    """Raise Refused if a player cannot go to a table.

    This is so if they sit there, or if a table cannot have that size.
    """
    source = seat.match
    if target.pk == source.pk:
        raise Refused("sits_there_already", player=seat.player.name, table=target.table)
    refuse_full_table(target, sides)
    if not source.is_bye and source.side_count <= sides.least:
        raise Refused("table_too_small", table=source.table, least=sides.least)


def take_seat(recorder: Recorder, seat: Seat, target: Match, **values: object) -> None:
    """Move a seat to the end of another table.

    The sides of its former table close up. If it was a bye, the bye ends.
    """
    source, others = seat.match, [each for each in list_seats(seat.match) if each.pk != seat.pk]
    number_sides(recorder, target, [*list_seats(target), seat], **values)
    if others:
        number_sides(recorder, source, others, **values)
    else:
        recorder.delete(source)
