"""Drop a player during the event, and undo the drop."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from decks.shared.refusals import Refused
from tournament.access.permissions import Actor
from tournament.brackets.services import bracket as brackets
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors import get_standings_rounds, is_in_bracket
from tournament.log.step import Recorder, step
from tournament.matches import build_result, format_match_heading
from tournament.pairing.services import rounds
from tournament.penalties.selectors import refuse_disqualified
from tournament.results.services import writing
from tournament.results.services.writing import update_round_and_bracket, write_result

Phase = Event.Phase
Ending = Match.Ending
PlaceColumns = Callable[[Recorder], dict[str, Any]]
PLAYING_PHASES = (Phase.SWISS, Phase.CUT)


class OpenMatchPolicy(StrEnum):
    """What becomes of the match that the player has not finished; the documents are silent, so it is ours."""

    PLAY = "play"
    WIN = "win"
    SWAP = "swap"
    ANEW = "anew"


def drop(
    player: Player,
    actor: Actor,
    *,
    reason: str = "",
    running: str = OpenMatchPolicy.PLAY,
    seen_plan: str | None = None,
) -> None:
    """A player leaves during the event: never paired again, his past results and places stay.

    `running` says what becomes of his open match: it is played to its end first (`play`), the opponent wins
    it without play (`win`), or the tables that have not finished are paired without him, as few as possible
    changing (`swap`) or all (`anew`). Raises Refused before the start and after the end.
    """
    with step(player.event, actor) as recorder:
        if running not in set(OpenMatchPolicy):
            raise Refused("running_unknown", "Say play, win, swap or anew.", field="running")
        open_match = find_open_match(player)
        if not drop_in_step(recorder, player, reason=reason):
            return
        if open_match is None or running == OpenMatchPolicy.PLAY:
            return
        if running == OpenMatchPolicy.WIN or open_match.round.stage.is_elimination:
            _forfeit_open_match(recorder, open_match)
        else:
            writing.amend_round(recorder, open_match.round, running, seen=seen_plan)


def drop_both_players(match: Match, actor: Actor, *, reason: str = "") -> None:
    """Both players of a table leave in the middle of the round: the match is lost for both (ours)."""
    with step(match.round.stage.event, actor) as recorder:
        standing = Match.objects.select_related("round__stage", "p1", "p2").get(pk=match.pk)
        for player in (standing.p1, standing.p2):
            if player is not None:
                drop_in_step(recorder, player, reason=reason)
        if not standing.round.stage.is_elimination:
            _forfeit_open_match(recorder, standing)


def drop_in_step(recorder: Recorder, player: Player, *, reason: str = "") -> bool:
    """Within a step: the player is out from now on. Says whether he was in."""
    player.refresh_from_db(fields=["status", "dropped_after", "drop_reason"])
    if recorder.event.phase not in (*PLAYING_PHASES, Phase.FINISHED):
        raise Refused("not_playing_yet", "The event has not started.", fix="Withdraw the player instead.")
    if recorder.event.phase == Phase.FINISHED:
        raise Refused("event_finished", "The event is over; nobody can drop any more.")
    if player.dropped_after is not None or player.status != Player.Status.REGISTERED:
        return False
    rounds.discard_draft(recorder, f"{player.name} dropped")
    recorder.update(player, dropped_after=_count_published_rounds(recorder.event), drop_reason=reason[:200])
    recorder.say("player_dropped", f"{player.name} dropped.", reason=reason)
    brackets.continue_bracket(recorder)
    return True


def _count_published_rounds(event: Event) -> int:
    return get_standings_rounds(event).exclude(state=Round.State.DRAFT).count()


def find_open_match(player: Player) -> Match | None:
    """The match he has not finished, if there is one. Two queries."""
    seats = player.seats.exclude(match__round__state=Round.State.DRAFT).filter(match__outcome="")
    seat = seats.select_related("match__round__stage", "match__p1", "match__p2").last()
    return seat.match if seat else None


def _forfeit_open_match(recorder: Recorder, match: Match) -> None:
    """The open match of who has left is won without play, or lost for both where both have left."""
    standing = (
        Match.objects.select_related("round__stage", "p1", "p2").filter(pk=match.pk, outcome="").first()
    )
    if standing is None or standing.p2 is None:
        return
    gone = [side for side in ("p1", "p2") if getattr(standing, side).is_dropped]
    loser = "both" if len(gone) == 2 else gone[0]
    result = build_result(recorder.event, ending=Ending.LEFT, loser=loser)
    write_result(recorder, standing, result, recorder.actor)
    recorder.say("result_entered", f"{format_match_heading(standing)} ended: {standing.how_it_ended}.")
    update_round_and_bracket(recorder, standing)


def undo_drop(player: Player, actor: Actor, *, place: PlaceColumns | None = None) -> None:
    """A drop taken back: the player is paired again from the next round on.

    A match of the running round that he lost by leaving is open again. `place` gives the columns of his
    registration where he had not even started. Raises Refused once the rounds are over.
    """
    with step(player.event, actor) as recorder:
        player.refresh_from_db(fields=["status", "dropped_after", "drop_reason"])
        if player.dropped_after is None:
            return
        is_over = recorder.event.phase == Phase.FINISHED
        if is_over or (recorder.event.phase == Phase.CUT and not is_in_bracket(player)):
            raise Refused("swiss_is_over", "The rounds are over; the drop stands.")
        refuse_disqualified(player)
        rounds.discard_draft(recorder, f"{player.name} is back")
        recorder.update(player, dropped_after=None, drop_reason="", **(place(recorder) if place else {}))
        recorder.say("drop_undone", f"{actor.label} took back the drop of {player.name}.")
        _reopen_match(recorder, player)
        brackets.reopen_forfeits(recorder, player)


def _reopen_match(recorder: Recorder, player: Player) -> None:
    """The match of the last round that he lost by leaving is open again; won, if the other left too."""
    if recorder.event.phase != Phase.SWISS:
        return
    last = get_standings_rounds(recorder.event).exclude(state=Round.State.DRAFT).order_by("number").last()
    lost = Match.objects.filter(round=last, ending=Ending.LEFT, seats__player=player)
    match = (
        lost.exclude(round__stage__kind=Stage.Kind.ROBIN).select_related("round__stage", "p1", "p2").first()
    )
    if match is None or match.winner_id == player.pk:
        return
    recorder.update(match, **brackets.EMPTY_RESULT)
    update_round_and_bracket(recorder, match)
    if match.p1.is_dropped or (match.p2 is not None and match.p2.is_dropped):
        _forfeit_open_match(recorder, match)
