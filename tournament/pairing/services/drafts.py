"""Changes of a draft by hand: two players change places, somebody gets the bye, a match gets a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.events.models.event import Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round, Seat
from tournament.log.step import Recorder, step
from tournament.pairing.selectors.drafts import BY_HAND, moves_of
from tournament.pairing.services.rounds import standing_draft

Move = dict[str, Any]
PAIR_BY_HAND = "Staff put these two together by hand."
BYE_BY_HAND = "Staff gave this bye by hand."


def swap(draft: Round, actor: Actor, one: int, two: int) -> Round:
    """Two players, named by their numbers, change places; one of them may have the bye.

    Raises Refused where they sit opposite each other, are not in the round, or have a bye given beforehand.
    """
    with _changing(draft, actor) as (recorder, standing):
        first, second = _seat(standing, one), _seat(standing, two)
        if first.match_id == second.match_id:
            raise Refused("already_together", f"{first.player} and {second.player} sit opposite each other.")
        for seat in (first, second):
            _refuse_given_bye(seat)
        changed = (first.match, second.match)
        why = {str(match.table or "bye"): match.why for match in changed}
        _exchange(recorder, first, second)
        for match in changed:
            recorder.update(match, why=BYE_BY_HAND if match.is_bye else PAIR_BY_HAND)
        _remember(recorder, standing, {"move": "swap", "one": one, "two": two, "why": why})
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
    return draft if rested == number else swap(draft, actor, rested, number)


def seat_at(draft: Round, actor: Actor, table: int, wanted: int) -> Round:
    """The match of one table goes to another; a match that is there comes to the first."""
    with _changing(draft, actor) as (recorder, standing):
        if not 1 <= wanted <= 9999:
            raise Refused("no_such_table", f"There is no table {wanted}; name one from 1 to 9999.")
        _move(recorder, standing, table, wanted)
        _remember(recorder, standing, {"move": "table", "from": table, "to": wanted})
        recorder.say("draft_table_moved", f"{actor.label} moved table {table} to table {wanted}.")
    return standing


def take_back(draft: Round, actor: Actor) -> Round:
    """Undo the last change by hand. Without one nothing happens."""
    with step(draft.stage.event, actor) as recorder:
        standing = standing_draft(draft)
        moves = moves_of(standing)
        if not moves:
            return standing
        last = moves[-1]
        _BACK[last["move"]](recorder, standing, last)
        recorder.update(standing, pairing={**standing.pairing, BY_HAND: moves[:-1]})
        recorder.say(
            "draft_change_undone", f"{actor.label} took the last change of round {standing.number} back."
        )
    return standing


@contextmanager
def _changing(draft: Round, actor: Actor) -> Iterator[tuple[Recorder, Round]]:
    with step(draft.stage.event, actor) as recorder:
        standing = standing_draft(draft)
        if standing.stage.kind == Stage.Kind.ROBIN:
            raise Refused("schedule_fixed", "A round robin follows its schedule; nobody changes places.")
        yield recorder, standing


def _seat(draft: Round, number: int) -> Seat:
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


def _exchange(recorder: Recorder, first: Seat, second: Seat) -> None:
    one, two = first.player, second.player
    _replace(recorder, first.match, one, two)
    _replace(recorder, second.match, two, one)
    here, there = first.match, second.match
    recorder.update(first, match_id=there.pk)
    recorder.update(second, match_id=here.pk)


def _replace(recorder: Recorder, match: Match, leaves: Player, comes: Player) -> None:
    side = "p1_id" if match.p1_id == leaves.pk else "p2_id"
    recorder.update(match, **{side: comes.pk})


def _move(recorder: Recorder, draft: Round, table: int, wanted: int) -> None:
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


def _remember(recorder: Recorder, draft: Round, move: Move) -> None:
    recorder.update(draft, pairing={**draft.pairing, BY_HAND: [*moves_of(draft), move]})


def _swap_back(recorder: Recorder, draft: Round, move: Mapping[str, Any]) -> None:
    first, second = _seat(draft, move["one"]), _seat(draft, move["two"])
    changed = (first.match, second.match)
    _exchange(recorder, first, second)
    for match in changed:
        recorder.update(match, why=move["why"][str(match.table or "bye")])


def _table_back(recorder: Recorder, draft: Round, move: Mapping[str, Any]) -> None:
    _move(recorder, draft, move["to"], move["from"])


_BACK: dict[str, Callable[[Recorder, Round, Mapping[str, Any]], None]] = {
    "swap": _swap_back,
    "table": _table_back,
}
