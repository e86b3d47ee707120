"""Players leave: before the start they withdraw, afterwards they drop; both can be taken back."""

from __future__ import annotations

from typing import Any

from decks.shared.refusals import Refused, refuse_all
from tournament.access.actor import Actor
from tournament.brackets.services import bracket as brackets
from tournament.brackets.services import stages
from tournament.events.models.player import Player
from tournament.log.step import Recorder, step
from tournament.pairing.services import rounds
from tournament.penalties.selectors import refuse_disqualified
from tournament.registration.selectors import rounds_went_without
from tournament.registration.services import identity as persons
from tournament.registration.services import late_entry as late
from tournament.registration.services import waiting_list as waiting
from tournament.registration.services.locked_row import BEFORE_START, Phase, Status, lock
from tournament.results.services import drops


def withdraw(player: Player, actor: Actor) -> None:
    """A player leaves before the start; his place goes to the first of the waiting list."""
    with step(player.event, actor) as recorder:
        lock(player)
        if recorder.event.phase not in BEFORE_START:
            raise Refused("already_playing", "The event has started.", fix="Drop the player instead.")
        if player.status != Status.WITHDRAWN:
            recorder.update(player, status=Status.WITHDRAWN, checked_in_at=None, waiting_since=None)
            recorder.say("player_withdrew", f"{player.name} withdrew.")
            waiting.move_up(recorder)


def restore(player: Player, actor: Actor) -> None:
    """A withdrawal taken back; when the event is full meanwhile, to the end of the waiting list.

    Raises Refused once the event has started, and where the player registered anew meanwhile.
    """
    with step(player.event, actor) as recorder:
        lock(player)
        if player.status != Status.WITHDRAWN:
            return
        if recorder.event.phase not in BEFORE_START:
            raise Refused("already_playing", "The event has started.", fix="Ask the organizer to add you.")
        refuse_disqualified(player)
        comes_back(recorder, player)


def comes_back(recorder: Recorder, player: Player) -> None:
    """Within a step: who withdrew, or was put out before the start, has his place or waits for one.

    Once rounds run he waits to be let in. Raises Refused where he registered anew meanwhile.
    """
    _refuse_double(recorder, player)
    place = waiting.place_for(recorder)
    if recorder.event.phase not in BEFORE_START:
        place = {"status": Status.WAITING, "waiting_since": recorder.now}
    values = {"merged_into": None, "dropped_after": None, "drop_reason": ""}
    recorder.update(player, **values, **place)
    recorder.say("withdrawal_undone", f"{player.name} is back.")


def is_back(recorder: Recorder, player: Player) -> None:
    """Within a step: who was put out by mistake is in again from now on; decided matches stay.

    Raises Refused where all places are taken while Swiss rounds run.
    """
    if recorder.event.phase == Phase.SWISS:
        late.refuse_full(recorder.event)
    rounds.discard_draft(recorder, f"{player.name} is back")
    recorder.update(player, dropped_after=None, drop_reason="")
    recorder.say("drop_undone", f"{player.name} is in again from now on.")
    brackets.go_on(recorder)


def _refuse_double(recorder: Recorder, player: Player) -> None:
    event = recorder.event
    known = list(persons.email_problems(event, player.email, besides=player))
    refuse_all(known or list(persons.namesake_problems(event, [player.name, *player.members], player)))


def undo_drop(player: Player, actor: Actor) -> None:
    """A drop taken back, as `drops.undo_drop`.

    Who was dropped as missing before the start waits where his place is gone. While Swiss rounds run nobody
    waits: where somebody came late to the place, Refused says that all are taken. It also sends to the desk
    whoever was missing when round 1 came out, because staff says what the rounds without him are.
    """
    drops.undo_drop(player, actor, place=lambda recorder: _place(recorder, player))


def _place(recorder: Recorder, player: Player) -> dict[str, Any]:
    if recorder.event.phase in BEFORE_START:
        return waiting.place_for(recorder)
    if recorder.event.phase == Phase.SWISS:
        _refuse_late(recorder, player)
        late.refuse_full(recorder.event)
    return {}


def _refuse_late(recorder: Recorder, player: Player) -> None:
    if not rounds_went_without(recorder.event, player):
        return
    stages.refuse_late_entry(recorder.event)
    raise Refused(
        "let_in_instead",
        f"Round 1 was paired without {player.name}, so staff decides whether each missed round is a loss "
        "or a bye.",
        fix=f"Go to the desk: “Let in” beside the name brings {player.name} in.",
    )
