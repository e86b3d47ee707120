"""A penalty was a mistake: it is taken back with all it did, or alone where later steps rest on that."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.judging.services.penalties import LEFT_BY
from tournament.log.changes import row_changes
from tournament.log.models import LogEntry
from tournament.log.selectors.undo_plan import plan_undo
from tournament.log.services import undo
from tournament.log.step import Recorder, step
from tournament.matches.carried_losses import decided_by, enter_carried
from tournament.matches.result import in_words, label
from tournament.pairing.services import rounds
from tournament.penalties.models import Degree, Penalty
from tournament.penalties.selectors import disqualified
from tournament.registration.services import withdrawal as leaving
from tournament.registration.services.locked_row import BEFORE_START, Phase, Status, lock
from tournament.results.services import results
from tournament.shared.refusals import Conflict

Ending = Match.Ending
OPEN = (*BEFORE_START, Phase.SWISS)


def take_back(penalty: Penalty, actor: Actor, *, reason: str) -> list[Match]:
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
        entry, decided = _entry_of(standing), decided_by(standing)
        if entry is None or _is_out_by_another(standing, entry) or plan_undo(event, entry).others:
            return _alone(standing, entry, decided, actor, reason)
        undo(entry, actor, reason=reason)
        if decided is not None and _play_after_all(decided, actor, reason):
            decided = None
        return _those(_decided_at_once(standing), decided)


def _is_out_by_another(penalty: Penalty, entry: LogEntry) -> bool:
    """Whether another disqualification keeps the player out as well, or an earlier one put him out.

    Taken back as if it had never been, this one would then let him in too early, or never.
    """
    if penalty.degree != Degree.DISQUALIFICATION:
        return False
    is_out_twice = penalty.player.penalties.filter(degree=Degree.DISQUALIFICATION).count() > 1
    return is_out_twice or not _written(penalty.player, entry) & {"status", "dropped_after"}


def _those(*matches: Match | None) -> list[Match]:
    return [match for match in matches if match is not None]


def stays(match: Match) -> str:
    """What to say of a match that stays as a penalty decided it."""
    return (
        f"Round {match.round.number}, {label(match)} stays {in_words(match)}, as the penalty decided it. "
        "If that was wrong as well, correct the result."
    )


def _play_after_all(match: Match, actor: Actor, reason: str) -> bool:
    """Open a match that a penalty had decided; one of the opponent's, if there is one, decides it anew.

    Says whether it could be: not when a round made from its result is out.
    """
    try:
        results.clear_result(match, actor, reason=reason)
    except Conflict:
        return False
    with step(match.round.stage.event, actor) as recorder:
        if enter_carried(recorder, match.round):
            rounds.settle(recorder, match.round)
    return True


def _entry_of(penalty: Penalty) -> LogEntry | None:
    """The step that gave the penalty, if the log has it."""
    steps = LogEntry.objects.filter(event=penalty.event, action="penalty_given", undone_by=None, head=None)
    for entry in steps.filter(about__contains=f" p{penalty.player_id} "):
        for change in row_changes(entry.changes):
            if (change.table, change.id, change.before) == ("penalty", penalty.pk, None):
                return entry
    return None


def _alone(
    penalty: Penalty, entry: LogEntry | None, carried: Match | None, actor: Actor, reason: str
) -> list[Match]:
    """The penalty goes, and with a disqualification what keeps its player out; results stay."""
    stay = _those(_decided_at_once(penalty), carried)
    with step(penalty.event, actor) as recorder:
        player = penalty.player
        recorder.delete(penalty)
        what = f"{penalty.get_degree_display().lower()} for {penalty.get_infraction_display().lower()}"
        recorder.say("penalty_taken_back", f"{actor.label} took back {player.name}’s {what}.", reason=reason)
        if penalty.degree == Degree.DISQUALIFICATION and player.pk not in disqualified(recorder.event):
            _let_back(recorder, player, entry)
    return stay


def _decided_at_once(penalty: Penalty) -> Match | None:
    """The match of the penalty's round that its player has lost by penalty or disqualification."""
    ending = Ending.DISQUALIFIED if penalty.degree == Degree.DISQUALIFICATION else Ending.PENALTY
    place = {"round__stage__position": penalty.stage, "round__number": penalty.round}
    lost = Match.objects.filter(Q(p1=penalty.player) | Q(p2=penalty.player), ending=ending, **place)
    match = lost.select_related("round__stage__event", "p1", "p2").first()
    return match if match is not None and match.winner_id != penalty.player_id else None


def _let_back(recorder: Recorder, player: Player, entry: LogEntry | None) -> None:
    """What the disqualification did to his place is over from now on."""
    lock(player)
    if player.dropped_after is not None and player.drop_reason == LEFT_BY:
        leaving.is_back(recorder, player)
    elif player.status == Status.WITHDRAWN and recorder.event.phase in OPEN and _put_out(player, entry):
        leaving.comes_back(recorder, player)


def _put_out(player: Player, entry: LogEntry | None) -> bool:
    """Whether the disqualification took his place before the start, and not he himself."""
    return "status" in _written(player, entry)


def _written(player: Player, entry: LogEntry | None) -> set[str]:
    """What the step that gave the penalty wrote into the player's row."""
    changes = row_changes(entry.changes) if entry is not None else ()
    of_him = (c.after or {} for c in changes if (c.table, c.id) == ("player", player.pk))
    return {name for after in of_him for name in after}
