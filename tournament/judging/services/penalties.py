"""Penalties, and what they do to the match that is being played.

The games' documents say nothing of penalties: the ladder and its effects are ours. A game loss is a game that
the opponent has won; as many as win a match decide it at once. A match loss decides the match in the games
that it takes. A disqualification decides the match too, and the player leaves the event.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q

from decks.shared.refusals import Conflict, Refused, refuse_all
from tournament.access.permissions import Actor
from tournament.decklists.services.exchanges import current_match
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.judging.models import DeckCheck
from tournament.judging.services.match_location import link_log_to_match, match_location
from tournament.log.models import LogEntry, iter_row_changes
from tournament.log.services import undo_step
from tournament.log.step import Recorder, step
from tournament.log.undo_plan import plan_undo
from tournament.matches import (
    build_result,
    enter_penalty_results,
    format_match,
    format_result,
    get_match_decided_by,
)
from tournament.pairing.services import rounds
from tournament.penalties.models import Infraction, Penalty, PenaltyLevel
from tournament.penalties.selectors import get_disqualified_ids, get_losing_sides, get_match_losses
from tournament.registration.services import attendance as leaving
from tournament.registration.services import waiting_list as waiting
from tournament.registration.services.validation import BEFORE_START, Phase, Status, reload_player
from tournament.results.services import drops, results
from tournament.results.services.writing import reload_match, update_round_and_bracket, write_result

DISQUALIFIED_REASON = "Disqualified"

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
    seen: int | None = None,
) -> Penalty:
    """Give a player a penalty, and let it do to his match what it does.

    `is_next` lets a game or match loss count in his next match. `seen` is how many penalties of his the page
    showed: when another was given since, Conflict is raised. Raises Refused with every problem at once.
    """
    given = _PenaltyRequest(infraction, degree, note.strip(), is_next)
    with step(player.event, actor) as recorder:
        held = Player.objects.get(pk=player.pk, event=recorder.event)
        match = current_match(held)
        _refuse_outdated(held, seen)
        refuse_all(list(_penalty_problems(match, given)))
        made = _create_penalty(recorder, held, match, given, check)
        _apply_effect(recorder, made, match)
    return made


@dataclass(frozen=True, slots=True)
class _PenaltyRequest:
    """What the judge decided."""

    infraction: str
    degree: str
    note: str
    is_next: bool


def _create_penalty(
    recorder: Recorder, player: Player, match: Match | None, given: _PenaltyRequest, check: DeckCheck | None
) -> Penalty:
    made = recorder.create(
        Penalty(
            event=recorder.event,
            player=player,
            deck_check=check,
            infraction=given.infraction,
            degree=given.degree,
            note=given.note,
            is_next=given.is_next and given.degree in LOSS_DEGREES,
            given_at=recorder.now,
            given_by=recorder.actor.label[:120],
            **(match_location(match) if match else {}),
        )
    )
    words = f"{made.get_degree_display().lower()} for {made.get_infraction_display().lower()}"
    recorder.say("penalty_given", f"{made.given_by} gave {player.name} a {words}.", reason=given.note)
    link_log_to_match(recorder, match)
    return made


def _refuse_outdated(player: Player, seen: int | None) -> None:
    if seen is None or player.penalties.count() <= seen:
        return
    last = player.penalties.first()
    sentence = f"{last.given_by} gave {player.name} a {last.get_degree_display().lower()} meanwhile."
    raise Conflict(
        "penalty_given_meanwhile", sentence, fix="Look at it, and press again if yours stands too."
    )


def _penalty_problems(match: Match | None, given: _PenaltyRequest) -> Iterator[Refused]:
    if given.infraction not in Infraction.values:
        yield Refused("infraction_unknown", "Say what went wrong.", field="infraction")
    if given.degree not in PenaltyLevel.values:
        yield Refused("degree_unknown", "Choose one of the steps of the ladder.", field="degree")
    if given.degree in DEGREES_WITH_NOTE and not given.note:
        sentence = f"A {PenaltyLevel(given.degree).label.lower()} needs a note: what happened."
        yield Refused("note_missing", sentence, field="note")
    if len(given.note) > 400:
        yield Refused("note_too_long", "A note has at most 400 characters.", field="note")
    if given.degree in LOSS_DEGREES and not given.is_next and not _is_running(match):
        sentence = (
            "There is no match being played that a "
            f"{PenaltyLevel(given.degree).label.lower()} could count in."
        )
        fix = "Let it count in his next match, or take the result back first."
        yield Refused("no_match_runs", sentence, fix=fix, field="counts")


def _is_running(match: Match | None) -> bool:
    return match is not None and match.p2_id is not None and not match.is_finished


def _apply_effect(recorder: Recorder, made: Penalty, match: Match | None) -> None:
    if made.degree == PenaltyLevel.DISQUALIFICATION:
        if match is not None and _is_running(match):
            _decide_match(recorder, match, made.player, Ending.DISQUALIFIED)
        _remove_disqualified(recorder, made.player)
    elif match is not None and made.degree in LOSS_DEGREES and not made.is_next:
        side = _side(match, made.player)
        lost = get_losing_sides(match, get_match_losses(match))
        if side in lost and not (len(lost) == 2 and match.round.stage.is_elimination):
            _decide_match(recorder, match, made.player, Ending.PENALTY)


def _side(match: Match, player: Player) -> str:
    return "p1" if player.pk == match.p1_id else "p2"


def _decide_match(recorder: Recorder, match: Match, loser: Player, ending: str) -> None:
    """The opponent wins with the games that a match takes; what was played of it no longer counts.

    Where he has lost it by penalties as well, or is disqualified, nobody wins; in a bracket one goes on.
    """
    side, standing = _side(match, loser), reload_match(match)
    lost = get_losing_sides(standing, get_match_losses(standing), besides=side)
    both = len(lost) == 2 and not match.round.stage.is_elimination
    result = build_result(recorder.event, ending=ending, loser="both" if both else side)
    write_result(recorder, standing, result, recorder.actor)
    winner = standing.p2 if side == "p1" else standing.p1
    sentence = f"Table {standing.table} goes to {winner} by the penalty of {loser.name}, {standing.score}."
    if both:
        sentence = f"Table {standing.table} is lost for both by their penalties."
    recorder.say("result_by_penalty", sentence)
    update_round_and_bracket(recorder, standing)


def _remove_disqualified(recorder: Recorder, player: Player) -> None:
    """Whoever is disqualified is paired no more, and in no cut; before the start he loses his place."""
    if recorder.event.phase in (Phase.SWISS, Phase.CUT):
        drops.drop_in_step(recorder, player, reason=DISQUALIFIED_REASON)
    elif recorder.event.phase != Phase.FINISHED and player.status != Player.Status.WITHDRAWN:
        recorder.update(player, status=Player.Status.WITHDRAWN, checked_in_at=None, waiting_since=None)
        recorder.say("player_withdrew", f"{player.name} is not in the event: disqualified.")
        waiting.move_up(recorder)


REINSTATEMENT_PHASES = (*BEFORE_START, Phase.SWISS)


def undo_penalty(penalty: Penalty, actor: Actor, *, reason: str) -> list[Match]:
    """Take a penalty back; returns the matches that stay as it decided them.

    Where nothing rests on it, everything is exactly as it was before, and a later match that it decided by
    itself is open again. Where something does, such as a round that was paired since, the penalty goes alone:
    who was disqualified is in again from now on, and decided matches stay until somebody corrects them.
    Raises Refused without a reason, and where a disqualified player's place is gone; Conflict where the
    penalty is.
    """
    if not reason.strip():
        raise Refused("reason_missing", "Say why the penalty is taken back.", field="reason")
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=penalty.event_id)
        standing = Penalty.objects.select_related("player__event").filter(pk=penalty.pk).first()
        if standing is None:
            raise Conflict("penalty_gone", "Somebody took this penalty back meanwhile.", fix="Look again.")
        entry, decided = _log_entry_of(standing), get_match_decided_by(standing)
        if entry is None or _is_out_by_another(standing, entry) or plan_undo(event, entry).others:
            return _remove_penalty_only(standing, entry, decided, actor, reason)
        undo_step(entry, actor, reason=reason)
        if decided is not None and _reopen_match(decided, actor, reason):
            decided = None
        return _existing_matches(_match_decided_by(standing), decided)


def _is_out_by_another(penalty: Penalty, entry: LogEntry) -> bool:
    """Whether another disqualification keeps the player out as well, or an earlier one put him out.

    Taken back as if it had never been, this one would then let him in too early, or never.
    """
    if penalty.degree != PenaltyLevel.DISQUALIFICATION:
        return False
    is_out_twice = penalty.player.penalties.filter(degree=PenaltyLevel.DISQUALIFICATION).count() > 1
    return is_out_twice or not _written_columns(penalty.player, entry) & {"status", "dropped_after"}


def _existing_matches(*matches: Match | None) -> list[Match]:
    return [match for match in matches if match is not None]


def unchanged_match_message(match: Match) -> str:
    """What to say of a match that stays as a penalty decided it."""
    return (
        f"Round {match.round.number}, {format_match(match)} stays {format_result(match)}, "
        "as the penalty decided it. "
        "If that was wrong as well, correct the result."
    )


def _reopen_match(match: Match, actor: Actor, reason: str) -> bool:
    """Open a match that a penalty had decided; one of the opponent's, if there is one, decides it anew.

    Says whether it could be: not when a round made from its result is out.
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
    """The step that gave the penalty, if the log has it."""
    steps = LogEntry.objects.filter(event=penalty.event, action="penalty_given", undone_by=None, head=None)
    for entry in steps.filter(about__contains=f" p{penalty.player_id} "):
        for change in iter_row_changes(entry.changes):
            if (change.table, change.id, change.before) == ("penalty", penalty.pk, None):
                return entry
    return None


def _remove_penalty_only(
    penalty: Penalty, entry: LogEntry | None, carried: Match | None, actor: Actor, reason: str
) -> list[Match]:
    """The penalty goes, and with a disqualification what keeps its player out; results stay."""
    stay = _existing_matches(_match_decided_by(penalty), carried)
    with step(penalty.event, actor) as recorder:
        player = penalty.player
        recorder.delete(penalty)
        what = f"{penalty.get_degree_display().lower()} for {penalty.get_infraction_display().lower()}"
        recorder.say("penalty_taken_back", f"{actor.label} took back {player.name}’s {what}.", reason=reason)
        if penalty.degree == PenaltyLevel.DISQUALIFICATION and player.pk not in get_disqualified_ids(
            recorder.event
        ):
            _reinstate_player(recorder, player, entry)
    return stay


def _match_decided_by(penalty: Penalty) -> Match | None:
    """The match of the penalty's round that its player has lost by penalty or disqualification."""
    ending = Ending.DISQUALIFIED if penalty.degree == PenaltyLevel.DISQUALIFICATION else Ending.PENALTY
    place = {"round__stage__position": penalty.stage, "round__number": penalty.round}
    lost = Match.objects.filter(Q(p1=penalty.player) | Q(p2=penalty.player), ending=ending, **place)
    match = lost.select_related("round__stage__event", "p1", "p2").first()
    return match if match is not None and match.winner_id != penalty.player_id else None


def _reinstate_player(recorder: Recorder, player: Player, entry: LogEntry | None) -> None:
    """What the disqualification did to his place is over from now on."""
    reload_player(player)
    if player.dropped_after is not None and player.drop_reason == DISQUALIFIED_REASON:
        leaving.reinstate_dropped_player(recorder, player)
    elif (
        player.status == Status.WITHDRAWN
        and recorder.event.phase in REINSTATEMENT_PHASES
        and _was_removed_by(player, entry)
    ):
        leaving.reinstate_registration(recorder, player)


def _was_removed_by(player: Player, entry: LogEntry | None) -> bool:
    """Whether the disqualification took his place before the start, and not he himself."""
    return "status" in _written_columns(player, entry)


def _written_columns(player: Player, entry: LogEntry | None) -> set[str]:
    """What the step that gave the penalty wrote into the player's row."""
    changes = iter_row_changes(entry.changes) if entry is not None else ()
    of_him = (c.after or {} for c in changes if (c.table, c.id) == ("player", player.pk))
    return {name for after in of_him for name in after}
