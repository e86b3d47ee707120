"""Change a draft by hand: swap players, give the bye, move a match."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from decks.shared.refusals import Refused
from tournament.access.permissions import Actor
from tournament.events.models.event import Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round, Seat
from tournament.log.step import Recorder, step
from tournament.pairing.selectors.drafts import MANUAL_CHANGES_KEY, list_manual_changes
from tournament.pairing.services.rounds import lock_draft

ManualChange = dict[str, Any]
PAIR_BY_HAND = "Staff put these two together by hand."
BYE_BY_HAND = "Staff gave this bye by hand."


def swap_players(draft: Round, actor: Actor, one: int, two: int) -> Round:
    """Two players, named by their numbers, change places; one of them may have the bye.

    Raises Refused where they sit opposite each other, are not in the round, or have a bye given beforehand.
    """
    with _changing_draft(draft, actor) as (recorder, standing):
        first, second = _find_seat(standing, one), _find_seat(standing, two)
        if first.match_id == second.match_id:
            raise Refused("already_together", f"{first.player} and {second.player} sit opposite each other.")
        for seat in (first, second):
            _refuse_given_bye(seat)
        changed = (first.match, second.match)
        why = {str(match.table or "bye"): match.why for match in changed}
        _exchange_seats(recorder, first, second)
        for match in changed:
            recorder.update(match, why=BYE_BY_HAND if match.is_bye else PAIR_BY_HAND)
        _record_change(recorder, standing, {"move": "swap", "one": one, "two": two, "why": why})
        recorder.say(
            "draft_swapped",
            f"{actor.label} let {first.player} and {second.player} change places in round {standing.number}.",
        )
    return standing


def give_bye(draft: Round, actor: Actor, number: int) -> Round:
    """A player gets the bye; who had it takes his place. Raises Refused in an even field."""
    byes = draft.matches.filter(p2__isnull=True, p1__first_byes__lt=draft.number)
    rested = byes.values_list("p1__number", flat=True).first()
    if rested is None:
        raise Refused(
            "nobody_rests",
            "The number of players is even, so nobody has the bye.",
            fix="Swap two players, or drop whoever cannot play.",
        )
    return draft if rested == number else swap_players(draft, actor, rested, number)


def move_to_table(draft: Round, actor: Actor, table: int, wanted: int) -> Round:
    """The match of one table goes to another; a match that is there comes to the first."""
    with _changing_draft(draft, actor) as (recorder, standing):
        if not 1 <= wanted <= 9999:
            raise Refused("no_such_table", f"There is no table {wanted}; name one from 1 to 9999.")
        _move_match(recorder, standing, table, wanted)
        _record_change(recorder, standing, {"move": "table", "from": table, "to": wanted})
        recorder.say("draft_table_moved", f"{actor.label} moved table {table} to table {wanted}.")
    return standing


def undo_last_change(draft: Round, actor: Actor) -> Round:
    """Undo the last change by hand. Without one nothing happens."""
    with step(draft.stage.event, actor) as recorder:
        standing = lock_draft(draft)
        moves = list_manual_changes(standing)
        if not moves:
            return standing
        last = moves[-1]
        _UNDO[last["move"]](recorder, standing, last)
        recorder.update(standing, pairing={**standing.pairing, MANUAL_CHANGES_KEY: moves[:-1]})
        recorder.say(
            "draft_change_undone", f"{actor.label} took the last change of round {standing.number} back."
        )
    return standing


@contextmanager
def _changing_draft(draft: Round, actor: Actor) -> Iterator[tuple[Recorder, Round]]:
    with step(draft.stage.event, actor) as recorder:
        standing = lock_draft(draft)
        if standing.stage.kind == Stage.Kind.ROBIN:
            raise Refused("schedule_fixed", "A round robin follows its schedule; nobody changes places.")
        yield recorder, standing


def _find_seat(draft: Round, number: int) -> Seat:
    seats = Seat.objects.filter(round=draft, player__number=number)
    seat = seats.select_related("player", "match__p1", "match__p2").first()
    if seat is None:
        raise Refused("not_in_the_round", f"Nobody with number {number} is paired in this round.")
    return seat


def _refuse_given_bye(seat: Seat) -> None:
    if seat.match.is_bye and seat.player.first_byes >= seat.match.round.number:
        raise Refused(
            "bye_was_given",
            f"{seat.player} was given this bye beforehand.",
            fix="Take it back on the player's page and pair again.",
        )


def _exchange_seats(recorder: Recorder, first: Seat, second: Seat) -> None:
    one, two = first.player, second.player
    _replace_player(recorder, first.match, one, two)
    _replace_player(recorder, second.match, two, one)
    here, there = first.match, second.match
    recorder.update(first, match_id=there.pk)
    recorder.update(second, match_id=here.pk)


def _replace_player(recorder: Recorder, match: Match, leaves: Player, comes: Player) -> None:
    side = "p1_id" if match.p1_id == leaves.pk else "p2_id"
    recorder.update(match, **{side: comes.pk})


def _move_match(recorder: Recorder, draft: Round, table: int, wanted: int) -> None:
    by_table = {match.table: match for match in draft.matches.filter(table__in=(table, wanted))}
    match, other = by_table.get(table), by_table.get(wanted)
    if match is None:
        raise Refused("no_such_table", f"There is no match at table {table} in round {draft.number}.")
    if table == wanted:
        return
    if other is not None:
        recorder.update(other, table=None)
    recorder.update(match, table=wanted)
    if other is not None:
        recorder.update(other, table=table)


def _record_change(recorder: Recorder, draft: Round, move: ManualChange) -> None:
    recorder.update(draft, pairing={**draft.pairing, MANUAL_CHANGES_KEY: [*list_manual_changes(draft), move]})


def _undo_swap(recorder: Recorder, draft: Round, move: Mapping[str, Any]) -> None:
    first, second = _find_seat(draft, move["one"]), _find_seat(draft, move["two"])
    changed = (first.match, second.match)
    _exchange_seats(recorder, first, second)
    for match in changed:
        recorder.update(match, why=move["why"][str(match.table or "bye")])


def _undo_move(recorder: Recorder, draft: Round, move: Mapping[str, Any]) -> None:
    _move_match(recorder, draft, move["to"], move["from"])


_UNDO: dict[str, Callable[[Recorder, Round, Mapping[str, Any]], None]] = {
    "swap": _undo_swap,
    "table": _undo_move,
}
