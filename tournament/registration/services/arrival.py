"""Check-in: who is here, who is missing, and the places of those who are."""

from __future__ import annotations

from typing import Any

from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.log.step import Recorder, step
from tournament.registration.selectors import missing
from tournament.registration.services import waiting_list as waiting
from tournament.registration.services.locked_row import Phase, Status, lock

NOT_HERE = "Not checked in"


def check_in(player: Player, actor: Actor) -> None:
    """The player is here. A second press, also by somebody else, changes nothing.

    Who waits is noted too, and gets the next free place before those who are not here; who was dropped as
    missing comes back in, or into the line where his place is gone. Raises Refused where check-in is closed.
    """
    with step(player.event, actor) as recorder:
        lock(player)
        if recorder.event.phase != Phase.CHECK_IN:
            raise Refused("check_in_closed", "Check-in is not open.", fix="Ask the organizer.")
        if player.status == Status.WITHDRAWN:
            raise Refused("not_registered", f"{player.name} is not among the registered players.")
        if player.checked_in_at is None:
            recorder.update(player, checked_in_at=recorder.now, **_back_in(recorder, player))
            recorder.say("checked_in", _said(player))
            waiting.move_up(recorder, only_here=True)


def _said(player: Player) -> str:
    return f"{player.name} is here{', on the waiting list' if player.status == Status.WAITING else ''}."


def _back_in(recorder: Recorder, player: Player) -> dict[str, Any]:
    if player.dropped_after is None:
        return {}
    return {"dropped_after": None, "drop_reason": "", **waiting.place_for(recorder)}


def undo_check_in(player: Player, actor: Actor) -> None:
    """The player was checked in by mistake."""
    with step(player.event, actor) as recorder:
        lock(player)
        if player.checked_in_at is not None:
            recorder.update(player, checked_in_at=None)
            recorder.say("check_in_undone", f"{actor.label} took back the check-in of {player.name}.")


def drop_missing(event: Event, actor: Actor) -> int:
    """Drop everybody who is not checked in, as one step; says how many went.

    Their places go to those on the waiting list who are here. Raises Refused unless check-in is open.
    """
    with step(event, actor) as recorder:
        if recorder.event.phase != Phase.CHECK_IN:
            raise Refused("check_in_closed", "Check-in is not open.", fix="Open it first.")
        return drop_missing_in(recorder)


def drop_missing_in(recorder: Recorder) -> int:
    """The same within a step that does more."""
    gone = {player.pk: player for player in missing(recorder.event)}
    values = {"dropped_after": 0, "drop_reason": NOT_HERE}
    recorder.update_all(Player, dict.fromkeys(gone, values), stood=gone)
    if gone:
        names = ", ".join(player.name for player in gone.values())
        recorder.say("missing_dropped", f"Not checked in, and so not in round 1: {names}.")
    waiting.move_up(recorder, only_here=True)
    return len(gone)
