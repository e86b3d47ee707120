"""Penalties, and what they do to the match that is being played.

The documents of the games say nothing about penalties: levels and effects are Ringside defaults. A game loss
is a game that the opponent has won; as many as win a match decide it at once. A match loss decides the match
in the games that it takes. A disqualification decides the match too, and the player leaves the event.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q

from decks.shared.refusals import Conflict, Refused, refuse_all
from decks.shared.rows import find_row
from decks.shared.wording import format_reason
from rules.reason import Param, Reason
from tournament.access.permissions import Actor
from tournament.decklists.services.exchanges import current_match
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.judging.models import DeckCheck
from tournament.judging.services.match_location import link_log_to_match, match_location
from tournament.log.changes import iter_row_changes
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.log.step import Recorder, step
from tournament.log.undo_plan import plan_undo
from tournament.matches import (
    build_result,
    enter_penalty_results,
    get_match_decided_by,
    name_match,
    name_result,
)
from tournament.pairing.services import rounds
from tournament.penalties.models import Infraction, Penalty, PenaltyLevel
from tournament.penalties.selectors import get_disqualified_ids, get_losing_sides, get_match_losses
from tournament.registration.services import attendance, waiting_list
from tournament.registration.services.validation import BEFORE_START, reload_player
from tournament.results.services import drops, results
from tournament.results.services.writing import reload_match, update_round_and_bracket, write_result
from tournament.shared.coded_texts import DISQUALIFIED

DEGREES_WITH_NOTE = (PenaltyLevel.GAME_LOSS, PenaltyLevel.MATCH_LOSS, PenaltyLevel.DISQUALIFICATION)

LOSS_DEGREES = (PenaltyLevel.GAME_LOSS, PenaltyLevel.MATCH_LOSS)

Ending = Match.Ending


def give_penalty(
    player: Player,
    actor: Actor,
    *,
    infraction: str,
    degree: str,
    note: str = "",
    is_next: bool = False,
    check: DeckCheck | None = None,
    seen_penalties: int | None = None,
) -> Penalty:
    """Give a player a penalty and apply it to their match.

    `is_next` lets a game or match loss count in their next match. `seen_penalties` is how many of their
    penalties the page showed: when another was given since, Conflict is raised. Raises Refused with every
    problem at once.
    """
    penalty_request = _PenaltyRequest(infraction, degree, note.strip(), is_next)
    with step(player.event, actor) as recorder:
        locked_player = Player.objects.get(pk=player.pk, event=recorder.event)
        match = current_match(locked_player)
        _refuse_outdated(locked_player, seen_penalties)
        refuse_all(list(_penalty_problems(match, penalty_request)))
        new_penalty = _create_penalty(recorder, locked_player, match, penalty_request, check)
        _apply_effect(recorder, new_penalty, match)
    return new_penalty


@dataclass(frozen=True, slots=True)
class _PenaltyRequest:
    """The decision of the judge."""

    infraction: str
    degree: str
    note: str
    is_next: bool


def _create_penalty(
    recorder: Recorder,
    player: Player,
    match: Match | None,
    penalty_request: _PenaltyRequest,
    check: DeckCheck | None,
) -> Penalty:
    new_penalty = recorder.create(
        Penalty(
            event=recorder.event,
            player=player,
            deck_check=check,
            infraction=penalty_request.infraction,
            degree=penalty_request.degree,
            note=penalty_request.note,
            is_next=penalty_request.is_next and penalty_request.degree in LOSS_DEGREES,
            given_at=recorder.now,
            given_by=recorder.actor.label[:120],
            **(match_location(match) if match else {}),
        )
    )
    recorder.log(
        "penalty_given",
        reason=penalty_request.note,
        player=player,
        degree=penalty_request.degree,
        infraction=penalty_request.infraction,
    )
    link_log_to_match(recorder, match)
    return new_penalty


def _refuse_outdated(player: Player, seen_penalties: int | None) -> None:
    if seen_penalties is None or player.penalties.count() <= seen_penalties:
        return
    last = player.penalties.all()[0]
    raise Conflict("penalty_given_meanwhile", judge=last.given_by, player=player.name, degree=last.degree)


def _penalty_problems(match: Match | None, penalty_request: _PenaltyRequest) -> Iterator[Refused]:
    if penalty_request.infraction not in Infraction.values:
        yield Refused("infraction_unknown", field="infraction")
    if penalty_request.degree not in PenaltyLevel.values:
        yield Refused("degree_unknown", field="degree")
    if penalty_request.degree in DEGREES_WITH_NOTE and not penalty_request.note:
        yield Refused("note_missing.penalty", field="note")
    if len(penalty_request.note) > 400:
        yield Refused("note_too_long", field="note")
    if penalty_request.degree in LOSS_DEGREES and not penalty_request.is_next and not _is_running(match):
        yield Refused("no_match_runs", field="counts", degree=penalty_request.degree)


def _is_running(match: Match | None) -> bool:
    return match is not None and match.p2_id is not None and not match.is_finished


def _apply_effect(recorder: Recorder, new_penalty: Penalty, match: Match | None) -> None:
    if new_penalty.degree == PenaltyLevel.DISQUALIFICATION:
        if match is not None and _is_running(match):
            _decide_match(recorder, match, new_penalty.player, Ending.DISQUALIFIED)
        _remove_disqualified(recorder, new_penalty.player)
    elif match is not None and new_penalty.degree in LOSS_DEGREES and not new_penalty.is_next:
        side = _side(match, new_penalty.player)
        losing_sides = get_losing_sides(match, get_match_losses(match))
        if side in losing_sides and not (len(losing_sides) == 2 and match.round.stage.needs_winner):
            _decide_match(recorder, match, new_penalty.player, Ending.PENALTY)


def _side(match: Match, player: Player) -> str:
    return "p1" if player.pk == match.p1_id else "p2"


def _decide_match(recorder: Recorder, match: Match, loser: Player, ending: str) -> None:
    """Give the opponent the match with all games; earlier games no longer count.

    If the opponent has lost it by penalties too, or is disqualified, neither wins; in a bracket one advances.
    """
    side, locked_match = _side(match, loser), reload_match(recorder, match)
    losing_sides = get_losing_sides(locked_match, get_match_losses(locked_match), losing_side=side)
    is_double_loss = len(losing_sides) == 2 and not match.round.stage.needs_winner
    result = build_result(recorder.event, ending=ending, loser="both" if is_double_loss else side)
    write_result(recorder, locked_match, result, recorder.actor.author)
    recorder.log(
        "result_by_penalty.both_lose" if is_double_loss else "result_by_penalty.at_once",
        table=locked_match.table,
        winner=locked_match.p2 if side == "p1" else locked_match.p1,
        loser=loser,
        score=locked_match.score,
    )
    update_round_and_bracket(recorder, locked_match)


def _remove_disqualified(recorder: Recorder, player: Player) -> None:
    """Drop a disqualified player; before the start, withdraw them."""
    if recorder.event.phase in (Event.Phase.SWISS, Event.Phase.CUT):
        drops.drop_in_step(recorder, player, cause=DISQUALIFIED)
    elif recorder.event.phase != Event.Phase.FINISHED and player.status != Player.Status.WITHDRAWN:
        recorder.update(player, status=Player.Status.WITHDRAWN, checked_in_at=None, waiting_since=None)
        recorder.log("player_withdrew.disqualified", player=player)
        waiting_list.move_up(recorder)


REINSTATEMENT_PHASES = (*BEFORE_START, Event.Phase.SWISS)


def undo_penalty(penalty: Penalty, actor: Actor, *, reason: str) -> list[Match]:
    """Take a penalty back; returns the matches that stay as it decided them.

    If nothing depends on it, everything is exactly as it was before, and a later match that it decided by
    itself is open again. Where something does, such as a round that was paired since, the penalty goes alone:
    who was disqualified is in again from now on, and decided matches stay until someone corrects them. Raises
    Refused without a reason, and if a disqualified player's place is gone; Conflict where the penalty is.
    """
    if not reason.strip():
        raise Refused("reason_missing.penalty", field="reason")
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=penalty.event_id)
        locked_penalty = find_row(Penalty.objects.select_related("player__event").filter(pk=penalty.pk))
        if locked_penalty is None:
            raise Conflict("penalty_gone")
        entry, decided_match = _log_entry_of(locked_penalty), get_match_decided_by(locked_penalty)
        if entry is None or _is_out_by_another(locked_penalty, entry) or plan_undo(event, entry).others:
            return _remove_penalty_only(locked_penalty, entry, decided_match, actor, reason)
        undo_step(entry, actor, reason=reason)
        if decided_match is not None and _reopen_match(decided_match, actor, reason):
            decided_match = None
        return _existing_matches(_match_decided_by(locked_penalty), decided_match)


def _is_out_by_another(penalty: Penalty, entry: LogEntry) -> bool:
    """Return whether another disqualification also keeps the player out.

    It is also true if an earlier one put the player out. Undone as if it had never been, this one would then
    let them in too early, or never.
    """
    if penalty.degree != PenaltyLevel.DISQUALIFICATION:
        return False
    is_out_twice = penalty.player.penalties.filter(degree=PenaltyLevel.DISQUALIFICATION).count() > 1
    return is_out_twice or not _written_columns(penalty.player, entry) & {"status", "dropped_after"}


def _existing_matches(*matches: Match | None) -> list[Match]:
    return [match for match in matches if match is not None]


def unchanged_match_message(match: Match) -> str:
    """Return what to say of a match that stays as a penalty decided it."""
    facts: dict[str, Param] = {
        "round": match.round.number,
        "match": name_match(match),
        "result": name_result(match),
    }
    return format_reason("reason", Reason("penalty_result_stays", facts))


def _reopen_match(match: Match, actor: Actor, reason: str) -> bool:
    """Reopen a match that a penalty decided.

    A penalty of the opponent decides it again. Return whether it could be: not when a round paired from its
    result is published.
    """
    try:
        results.clear_result(match, actor, reason=reason)
    except Conflict:
        return False
    with step(match.round.stage.event, actor) as recorder:
        if enter_penalty_results(recorder, match.round):
            rounds.update_round_state(recorder, match.round)
    return True


def _log_entry_of(penalty: Penalty) -> LogEntry | None:
    """Return the step that gave the penalty, if the log has it."""
    steps = LogEntry.objects.filter(event=penalty.event, action="penalty_given", undone_by=None, head=None)
    for entry in steps.filter(about__contains=f" p{penalty.player_id} "):
        for change in iter_row_changes(entry.changes):
            if (change.table, change.id, change.before) == ("penalty", penalty.pk, None):
                return entry
    return None


def _remove_penalty_only(
    penalty: Penalty, entry: LogEntry | None, decided_match: Match | None, actor: Actor, reason: str
) -> list[Match]:
    """Remove the penalty, but keep results.

    For a disqualification, what keeps its player out is also removed.
    """
    remaining_matches = _existing_matches(_match_decided_by(penalty), decided_match)
    with step(penalty.event, actor) as recorder:
        player = penalty.player
        recorder.delete(penalty)
        recorder.log(
            "penalty_taken_back",
            reason=reason,
            player=player,
            degree=penalty.degree,
            infraction=penalty.infraction,
        )
        if penalty.degree == PenaltyLevel.DISQUALIFICATION and player.pk not in get_disqualified_ids(
            recorder.event
        ):
            _reinstate_player(recorder, player, entry)
    return remaining_matches


def _match_decided_by(penalty: Penalty) -> Match | None:
    """Return the match of the penalty's round that its player lost by penalty.

    A match lost by disqualification counts as well.
    """
    ending = Ending.DISQUALIFIED if penalty.degree == PenaltyLevel.DISQUALIFICATION else Ending.PENALTY
    place = {"round__stage__position": penalty.stage, "round__number": penalty.round}
    lost_matches = Match.objects.filter(Q(p1=penalty.player) | Q(p2=penalty.player), ending=ending, **place)
    match = lost_matches.select_related("round__stage__event", "p1", "p2").first()
    return match if match is not None and match.winner_id != penalty.player_id else None


def _reinstate_player(recorder: Recorder, player: Player, entry: LogEntry | None) -> None:
    """Give a player back the place that a disqualification took."""
    reload_player(player)
    if player.dropped_after is not None and player.drop_reason == DISQUALIFIED:
        attendance.reinstate_dropped_player(recorder, player)
    elif (
        player.status == Player.Status.WITHDRAWN
        and recorder.event.phase in REINSTATEMENT_PHASES
        and _was_removed_by(player, entry)
    ):
        attendance.reinstate_registration(recorder, player)


def _was_removed_by(player: Player, entry: LogEntry | None) -> bool:
    """Return whether the disqualification withdrew the player before the start."""
    return "status" in _written_columns(player, entry)


def _written_columns(player: Player, entry: LogEntry | None) -> set[str]:
    """Return what the step that gave the penalty wrote into the player's row."""
    changes = iter_row_changes(entry.changes) if entry is not None else ()
    player_changes = (c.after or {} for c in changes if (c.table, c.id) == ("player", player.pk))
    return {name for after in player_changes for name in after}
