"""Changes to tables with more than two sides of a published round.

They move a player or cancel a table.
"""

from __future__ import annotations

from decks.shared.refusals import Refused
from rules.reason import reasons_to_json
from tournament.amendments.services.seats import (
    ResultPolicy,
    Seating,
    clear_places,
    find_match_at,
    find_seat,
    leave_without_opponent,
    load_free_player,
    release_player,
    reopen_match,
)
from tournament.events.models.round import Match, Round, Seat
from tournament.events.settings import get_sides
from tournament.pairing.services.drafts import SEATED_BY_HAND
from tournament.pairing.services.sides import (
    list_seats,
    number_sides,
    refuse_full_table,
    refuse_move,
    take_seat,
)


def move_player(seating: Seating, number: int, table: int, why: str) -> None:
    """Move a player of the round, or one without a table, to the end of a table.

    Raises Refused if a table has a result that stays, or would get a size that the mode does not have.
    """
    target = find_match_at(seating.round, table)
    if not target.is_pod:
        raise Refused("no_such_table.no_match", table=table, round=seating.round.number)
    seat = _find_table_seat(seating.round, number)
    sides = get_sides(seating.recorder.event)
    if seat is None:
        refuse_full_table(target, sides)
        _reopen(seating, target)
        player = load_free_player(seating, number)
        release_player(seating, player)
        seats = [
            *list_seats(target),
            seating.recorder.create(Seat(round=seating.round, match=target, player=player)),
        ]
        number_sides(seating.recorder, target, seats, **_say_changed(seating))
    else:
        refuse_move(seat, target, sides)
        player = seat.player
        for match in (target, seat.match):
            _reopen(seating, match)
        take_seat(seating.recorder, seat, target, **_say_changed(seating))
    seating.recorder.log("round_player_moved", reason=why, round=seating.round, player=player, table=table)


def _find_table_seat(round_: Round, number: int) -> Seat | None:
    """Return the seat of a player at a table.

    None for a player with a bye, a loss or no seat.
    """
    seats = Seat.objects.filter(round=round_, player__number=number, match__side_count__gt=2)
    return find_seat(round_, number) if seats.exists() else None


def _say_changed(seating: Seating) -> dict[str, object]:
    return {"why": reasons_to_json([SEATED_BY_HAND]), "amended_at": seating.recorder.now}


def _reopen(seating: Seating, match: Match) -> None:
    """Take reports and, if so chosen, the result of a table that gets other sides."""
    if match.is_finished and seating.results != ResultPolicy.CLEAR:
        raise Refused("result_of_other_sides", field="results", table=match.table)
    reopen_match(seating, match)
    clear_places(seating.recorder, match)


def cancel_table(seating: Seating, match: Match, why: str) -> list[int]:
    """Cancel a table.

    Return the ids of the byes or losses that its players have instead.
    """
    players = [seat.player for seat in list_seats(match)]
    seating.recorder.log(
        "round_table_cancelled",
        reason=why,
        round=seating.round,
        table=match.table,
        players=tuple(players),
        unpaired=seating.unpaired_policy,
    )
    seating.recorder.delete(match)
    return [pk for player in players for pk in leave_without_opponent(seating, player)]
