"""Check players in, withdraw them, drop no-shows, and undo each of these."""

from __future__ import annotations

from decks.shared.refusals import Refused, refuse_all
from rules.reason import reason
from tournament.access.permissions import Actor
from tournament.brackets.services import bracket as bracket_services
from tournament.brackets.services import stages
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.log.facts import reference
from tournament.log.step import Recorder, step
from tournament.pairing.services.draft_repair import keep_draft
from tournament.penalties.selectors import refuse_disqualified
from tournament.registration.selectors import has_missed_rounds, not_checked_in_players
from tournament.registration.services import validation, waiting_list
from tournament.registration.services.validation import BEFORE_START, reload_player
from tournament.results.services import drops
from tournament.shared.coded_texts import NOT_CHECKED_IN


def check_in(player: Player, actor: Actor) -> None:
    """Check a player in. A second press, also by another person, changes nothing.

    Who waits is noted too, and gets the next free place before those who are not here; who was dropped as
    missing comes back in, or waits where their place is gone. Raises Refused if check-in is closed.
    """
    with step(player.event, actor) as recorder:
        reload_player(player)
        if recorder.event.phase != Event.Phase.CHECK_IN:
            raise Refused("check_in_closed")
        if player.status == Player.Status.WITHDRAWN:
            raise Refused("not_registered", player=player.name)
        if player.checked_in_at is None:
            recorder.update(player, checked_in_at=recorder.now, **_reinstated_values(recorder, player))
            recorder.log("checked_in", player=player, waits=player.status == Player.Status.WAITING)
            waiting_list.move_up(recorder, only_here=True)


def _reinstated_values(recorder: Recorder, player: Player) -> dict[str, object]:
    if player.dropped_after is None:
        return {}
    return {"dropped_after": None, "drop_reason": "", **waiting_list.entry_status(recorder)}


def undo_check_in(player: Player, actor: Actor) -> None:
    """Undo a check-in that was a mistake."""
    with step(player.event, actor) as recorder:
        reload_player(player)
        if player.checked_in_at is not None:
            recorder.update(player, checked_in_at=None)
            recorder.log("check_in_undone", player=player)


def drop_no_shows(event: Event, actor: Actor) -> int:
    """Drop everyone who is not checked in, as one step; says how many went.

    Their places go to those on the waiting list who are here. Raises Refused unless check-in is open.
    """
    with step(event, actor) as recorder:
        if recorder.event.phase != Event.Phase.CHECK_IN:
            raise Refused("check_in_closed.no_shows")
        return drop_no_shows_in_step(recorder)


def drop_no_shows_in_step(recorder: Recorder) -> int:
    """Return the same within a step that does more."""
    no_shows = {player.pk: player for player in not_checked_in_players(recorder.event)}
    values = {"dropped_after": 0, "drop_reason": NOT_CHECKED_IN}
    recorder.update_all(Player, dict.fromkeys(no_shows, values), current_rows=no_shows)
    if no_shows:
        recorder.log("missing_dropped", players=list(no_shows.values()))
    waiting_list.move_up(recorder, only_here=True)
    return len(no_shows)


def withdraw(player: Player, actor: Actor) -> None:
    """Withdraw a player before the start; the waiting list moves up."""
    with step(player.event, actor) as recorder:
        reload_player(player)
        if recorder.event.phase not in BEFORE_START:
            raise Refused("already_playing")
        if player.status != Player.Status.WITHDRAWN:
            recorder.update(player, status=Player.Status.WITHDRAWN, checked_in_at=None, waiting_since=None)
            recorder.log("player_withdrew", player=player)
            waiting_list.move_up(recorder)


def undo_withdrawal(player: Player, actor: Actor) -> None:
    """Undo a withdrawal; if the event is full by now, add to the waiting list.

    Raises Refused once the event has started, and if the player has registered again.
    """
    with step(player.event, actor) as recorder:
        reload_player(player)
        if player.status != Player.Status.WITHDRAWN:
            return
        if recorder.event.phase not in BEFORE_START:
            raise Refused("already_playing.undo")
        refuse_disqualified(player)
        reinstate_registration(recorder, player)


def reinstate_registration(recorder: Recorder, player: Player) -> None:
    """Register a withdrawn player again, within a step.

    The player may be added to the waiting list instead. Once rounds run the player waits to be added. Raises
    Refused if they have registered again.
    """
    _refuse_if_registered_again(recorder, player)
    place = waiting_list.entry_status(recorder)
    if recorder.event.phase not in BEFORE_START:
        place = {"status": Player.Status.WAITING, "waiting_since": recorder.now}
    values = {"merged_into": None, "dropped_after": None, "drop_reason": ""}
    recorder.update(player, **values, **place)
    recorder.log("withdrawal_undone", player=player)


def reinstate_dropped_player(recorder: Recorder, player: Player) -> None:
    """Reinstate a player dropped by mistake, within a step.

    The player is in from now on. Decided matches stay. Raises Refused if all places are taken while Swiss
    rounds run.
    """
    if recorder.event.phase == Event.Phase.SWISS:
        waiting_list.refuse_if_full(recorder.event)
    recorder.update(player, dropped_after=None, drop_reason="")
    recorder.log("drop_undone.from_now_on", player=player)
    keep_draft(recorder, reason("player_is_back", player=reference(player)))
    bracket_services.continue_bracket(recorder)


def _refuse_if_registered_again(recorder: Recorder, player: Player) -> None:
    event = recorder.event
    problems = list(validation.email_problems(event, player.email, excluded_player=player))
    refuse_all(problems or list(validation.namesake_problems(event, [player.name, *player.members], player)))


def undo_drop(player: Player, actor: Actor) -> None:
    """Undo a drop, as `drops.undo_drop` does.

    Who was dropped as missing before the start waits where their place is gone. While Swiss rounds run no one
    waits: if someone came late to the place, Refused says that all are taken. It also sends to the desk a
    player who was missing when round 1 came out, because staff say what the rounds without them are.
    """
    drops.undo_drop(player, actor, place=lambda recorder: _place_after_drop(recorder, player))


def _place_after_drop(recorder: Recorder, player: Player) -> dict[str, object]:
    if recorder.event.phase in BEFORE_START:
        return waiting_list.entry_status(recorder)
    if recorder.event.phase == Event.Phase.SWISS:
        _refuse_if_rounds_missed(recorder, player)
        waiting_list.refuse_if_full(recorder.event)
    return {}


def _refuse_if_rounds_missed(recorder: Recorder, player: Player) -> None:
    if not has_missed_rounds(recorder.event, player):
        return
    stages.refuse_late_entry(recorder.event)
    raise Refused("let_in_instead", player=player.name)
