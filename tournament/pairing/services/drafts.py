"""Change a draft by hand: swap players, give the bye, move a match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from decks.shared.refusals import Refused
from rules.reason import Reason, reason, reasons_to_json
from tournament.access.permissions import Actor
from tournament.booster_drafts.selectors import map_pods
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round, Seat
from tournament.events.settings import get_sides
from tournament.log.step import Recorder, step
from tournament.pairing.options import parse_pairing_options
from tournament.pairing.selectors.drafts import (
    FIELD_CHANGE,
    MANUAL_CHANGES_KEY,
    PAIR_BY_HAND,
    ManualChange,
    list_manual_changes,
)
from tournament.pairing.services import rounds
from tournament.pairing.services.rounds import lock_draft
from tournament.pairing.services.sides import list_seats, number_sides, refuse_move, take_seat

SEATED_BY_HAND = reason("paired_by_hand.pod")
BYE_BY_HAND = reason("bye_by_hand")


def swap_players(draft: Round, actor: Actor, one: int, two: int) -> Round:
    """Swap two players, named by their numbers; one of them may have the bye.

    Raises Refused if they sit opposite each other, are not in the round, or have a bye given beforehand.
    """
    with _changing_draft(draft, actor) as (recorder, locked_draft):
        first, second = _find_seat(locked_draft, one), _find_seat(locked_draft, two)
        if first.match_id == second.match_id:
            raise Refused("already_together", player=first.player.name, other_player=second.player.name)
        for seat in (first, second):
            _refuse_given_bye(seat)
        _refuse_other_pod(locked_draft, first, second)
        changed_matches = (first.match, second.match)
        reasons = {str(match.table or "bye"): match.why for match in changed_matches}
        _exchange_seats(recorder, first, second)
        for match in changed_matches:
            recorder.update(match, why=reasons_to_json([_say_why(match)]))
        _record_change(recorder, locked_draft, {"move": "swap", "one": one, "two": two, "why": reasons})
        recorder.log("draft_swapped", round=locked_draft, one=first.player, two=second.player)
    return locked_draft


def _refuse_other_pod(draft: Round, first: Seat, second: Seat) -> None:
    """Raise Refused if the two sit in different pods.

    This applies where rounds are played inside pods.
    """
    event = draft.stage.event
    if draft.stage.position > 1 or not parse_pairing_options(event.pairing_options).inside_pods:
        return
    pods = map_pods(event)
    if pods.get(first.player_id) != pods.get(second.player_id):
        raise Refused("other_pod", player=first.player.name, other_player=second.player.name)


def move_to_other_table(draft: Round, actor: Actor, number: int, table: int) -> Round:
    """Move a player to another table with more than two sides.

    The player comes from such a table or has a bye. Raises Refused if the mode has no table of the new sizes,
    and for a bye given beforehand.
    """
    with _changing_draft(draft, actor) as (recorder, locked_draft):
        seat, target = _find_seat(locked_draft, number), _find_pod(locked_draft, table)
        source, sides = seat.match, get_sides(locked_draft.stage.event)
        _refuse_given_bye(seat)
        refuse_move(seat, target, sides)
        move: ManualChange = {
            "move": "seat",
            "one": number,
            "from": source.table,
            "to": table,
            "side": seat.side,
            "why": {str(match.table or "bye"): match.why for match in (source, target)},
        }
        take_seat(recorder, seat, target, why=reasons_to_json([SEATED_BY_HAND]))
        _record_change(recorder, locked_draft, move)
        recorder.log("draft_player_moved", round=locked_draft, player=seat.player, table=table)
    return locked_draft


def _find_pod(draft: Round, table: int) -> Match:
    match = draft.matches.filter(table=table, side_count__gt=2).first()
    if match is None:
        raise Refused("no_such_table.no_match", table=table, round=draft.number)
    return match


def give_bye(draft: Round, actor: Actor, number: int) -> Round:
    """Give a player the bye in exchange for their seat.

    Raises Refused if no one rests.
    """
    byes = draft.matches.filter(p2__isnull=True, p1__first_byes__lt=draft.number)
    resting_number = byes.values_list("p1__number", flat=True).first()
    if resting_number is None:
        raise Refused("nobody_rests")
    return draft if resting_number == number else swap_players(draft, actor, resting_number, number)


def move_to_table(draft: Round, actor: Actor, table: int, new_table: int) -> Round:
    """Move the match of one table to another.

    A match that is there comes to the first table.
    """
    with _changing_draft(draft, actor) as (recorder, locked_draft):
        if not 1 <= new_table <= 9999:
            raise Refused("no_such_table.out_of_range", new_table=new_table)
        move_match(recorder, locked_draft, table, new_table)
        _record_change(recorder, locked_draft, {"move": "table", "from": table, "to": new_table})
        recorder.log("draft_table_moved", round=locked_draft, table=table, new_table=new_table)
    return locked_draft


def undo_last_change(draft: Round, actor: Actor) -> Round:
    """Undo the last change by hand. Without one nothing happens."""
    with step(draft.stage.event, actor) as recorder:
        locked_draft = lock_draft(draft)
        moves = list_manual_changes(locked_draft)
        if not moves:
            return locked_draft
        last = moves[-1]
        _UNDO[last["move"]](recorder, locked_draft, last)
        recorder.update(locked_draft, pairing={**locked_draft.pairing, MANUAL_CHANGES_KEY: moves[:-1]})
        recorder.log("draft_change_undone", round=locked_draft)
    return locked_draft


@contextmanager
def _changing_draft(draft: Round, actor: Actor) -> Iterator[tuple[Recorder, Round]]:
    with step(draft.stage.event, actor) as recorder:
        locked_draft = lock_draft(draft)
        if locked_draft.stage.has_schedule:
            raise Refused("schedule_fixed.draft", kind=locked_draft.stage.kind)
        yield recorder, locked_draft


def _find_seat(draft: Round, number: int) -> Seat:
    seats = Seat.objects.filter(round=draft, player__number=number)
    seat = seats.select_related("player", "match__p1", "match__p2").first()
    if seat is None:
        raise Refused("not_in_the_round", number=number)
    return seat


def _refuse_given_bye(seat: Seat) -> None:
    if seat.match.is_bye and seat.player.first_byes >= seat.match.round.number:
        raise Refused("bye_was_given", player=seat.player.name)


def _exchange_seats(recorder: Recorder, first: Seat, second: Seat) -> None:
    one, two = first.player, second.player
    _replace_player(recorder, first.match, one, two)
    _replace_player(recorder, second.match, two, one)
    first_match, second_match = first.match, second.match
    first_side, second_side = first.side, second.side
    recorder.update(first, match_id=second_match.pk, side=second_side)
    recorder.update(second, match_id=first_match.pk, side=first_side)


def _replace_player(recorder: Recorder, match: Match, old_player: Player, new_player: Player) -> None:
    columns = [name for name in ("p1_id", "p2_id") if getattr(match, name) == old_player.pk]
    # The third side of a table and those after it have a seat alone.
    recorder.update(match, **dict.fromkeys(columns, new_player.pk))


def move_match(recorder: Recorder, draft: Round, table: int, new_table: int) -> None:
    """Move the match of one table to another, within a step.

    A match that is there comes to the first table.
    """
    by_table = {match.table: match for match in draft.matches.filter(table__in=(table, new_table))}
    match, other = by_table.get(table), by_table.get(new_table)
    if match is None:
        raise Refused("no_such_table.no_match", table=table, round=draft.number)
    if table == new_table:
        return
    if other is not None:
        recorder.update(other, table=None)
    recorder.update(match, table=new_table)
    if other is not None:
        recorder.update(other, table=table)


def _record_change(recorder: Recorder, draft: Round, move: ManualChange) -> None:
    recorder.update(draft, pairing={**draft.pairing, MANUAL_CHANGES_KEY: [*list_manual_changes(draft), move]})


def _undo_swap(recorder: Recorder, draft: Round, move: ManualChange) -> None:
    first, second = _find_seat(draft, move["one"]), _find_seat(draft, move["two"])
    changed_matches = (first.match, second.match)
    _exchange_seats(recorder, first, second)
    for match in changed_matches:
        recorder.update(match, why=move["why"][str(match.table or "bye")])


def _say_why(match: Match) -> Reason:
    if match.is_bye:
        return BYE_BY_HAND
    return SEATED_BY_HAND if match.is_pod else PAIR_BY_HAND


def _undo_seat(recorder: Recorder, draft: Round, move: ManualChange) -> None:
    """Return a player to their previous side of a table, or to their bye."""
    seat, table, side_index = _find_seat(draft, move["one"]), move["from"], move["side"] - 1
    target = seat.match
    others = [each for each in list_seats(target) if each.pk != seat.pk]
    if table is None:
        values = {**rounds.bye_values(recorder, seat.player_id), "why": move["why"]["bye"]}
        recorder.update(seat, match_id=recorder.create(Match(round=draft, **values)).pk, side=0)
    else:
        source = _find_pod(draft, table)
        seats = list_seats(source)
        number_sides(
            recorder, source, [*seats[:side_index], seat, *seats[side_index:]], why=move["why"][str(table)]
        )
    number_sides(recorder, target, others, why=move["why"][str(move["to"])])


def _undo_move(recorder: Recorder, draft: Round, move: ManualChange) -> None:
    move_match(recorder, draft, move["to"], move["from"] or 0)


def _refuse_undo(recorder: Recorder, draft: Round, move: ManualChange) -> None:
    raise Refused("field_changed")


_UNDO: dict[str, Callable[[Recorder, Round, ManualChange], None]] = {
    "swap": _undo_swap,
    "table": _undo_move,
    "seat": _undo_seat,
    FIELD_CHANGE: _refuse_undo,
}
