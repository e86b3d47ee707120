"""Players come, are checked in, change their character, and leave."""

from __future__ import annotations

from collections.abc import Iterator

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import Max

from tournament.errors import Refused, refuse_all
from tournament.models import Event, Player, Round
from tournament.selectors.stages import in_bracket, table_rounds
from tournament.services import brackets, decklists, rounds, stages
from tournament.services.actor import Actor
from tournament.services.recorder import Recorder, step
from tournament.services.seeds import lot

Phase = Event.Phase
Status = Player.Status
OPEN_PHASES = (Phase.REGISTRATION, Phase.CHECK_IN)


def register(
    event: Event, actor: Actor | None = None, *, name: str, email: str, character: str = ""
) -> Player:
    """A player registers himself. Full events put him on the waiting list.

    Raises Refused with every problem at once: closed, name or e-mail missing or known, no character.
    """
    name, email, character = name.strip(), email.strip(), character.strip()
    with step(event, actor or Actor(label=name or "A visitor")) as recorder:
        refuse_all([*_closed(recorder.event), *_problems(recorder.event, name, email, character, own=True)])
        player = _add(recorder, name, email, character)
        recorder.say("player_registered", f"{player.name} registered.")
    return player


def add_player(event: Event, actor: Actor, *, name: str, email: str = "", character: str = "") -> Player:
    """Staff adds a player, also late: then he is paired from the next round on."""
    name, email, character = name.strip(), email.strip(), character.strip()
    with step(event, actor) as recorder:
        refuse_all(list(_problems(recorder.event, name, email, character, own=False)))
        stages.refuse_late_entry(recorder.event)
        player = _add(recorder, name, email, character)
        recorder.say("player_added", f"{actor.label} added {player.name}.")
    return player


def _closed(event: Event) -> Iterator[Refused]:
    if event.phase not in OPEN_PHASES:
        yield Refused(
            "registration_closed",
            "Registration for this event is closed.",
            fix="Ask the organizer to add you.",
        )


def _problems(event: Event, name: str, email: str, character: str, *, own: bool) -> Iterator[Refused]:
    if not name:
        yield Refused("name_missing", "A player needs a name.", field="name")
    if len(name) > 80:
        yield Refused("name_too_long", "A name has at most 80 characters.", field="name")
    if own and event.needs_character and not character:
        yield Refused(
            "character_missing",
            "This event has a diversity cut: each player declares a character at registration (UFS 100.5.1).",
            fix="Name your character.",
            field="character",
        )
    yield from _email_problems(event, email, own=own)


def _email_problems(event: Event, email: str, *, own: bool) -> Iterator[Refused]:
    if not email:
        if own:
            yield Refused("email_missing", "Your e-mail address is needed.", field="email")
        return
    try:
        validate_email(email)
    except ValidationError:
        yield Refused("email_invalid", f"“{email}” is not an e-mail address.", field="email")
        return
    if event.players.filter(email__iexact=email).exclude(status=Status.WITHDRAWN).exists():
        yield Refused(
            "already_registered",
            "Somebody with this e-mail address is already registered.",
            fix="Use your private link, or ask the organizer to send it again.",
            field="email",
        )


def _add(recorder: Recorder, name: str, email: str, character: str) -> Player:
    event = recorder.event
    number = (event.players.aggregate(last=Max("number"))["last"] or 0) + 1
    player = Player(
        event=event,
        number=number,
        name=name,
        email=email,
        character=character,
        lot=lot(event.seed, number),
        registered_at=recorder.now,
        status=Status.WAITING if _is_full(event) else Status.REGISTERED,
        entered_round=_entry_round(event),
        deck_list=decklists.new_list(event),
    )
    rounds.discard_draft(recorder, f"{name} entered")
    return recorder.create(player)


def _is_full(event: Event) -> bool:
    if event.capacity is None:
        return False
    return (
        event.players.filter(status=Status.REGISTERED, dropped_after__isnull=True).count() >= event.capacity
    )


def _entry_round(event: Event) -> int:
    if event.phase != Phase.SWISS:
        return 1
    return 1 + _rounds_out(event)


def change_details(player: Player, actor: Actor, *, name: str, email: str, character: str) -> None:
    """Correct a player's name, e-mail or character; the character is fixed once rounds are played."""
    name, email, character = name.strip(), email.strip(), character.strip()
    with step(player.event, actor) as recorder:
        problems = [
            p
            for p in _problems(recorder.event, name, email, character, own=False)
            if not _same(p, player, email)
        ]
        if _changes_declared(player, character) and recorder.event.phase not in OPEN_PHASES:
            problems.append(_character_fixed())
        refuse_all(problems)
        if recorder.update(player, name=name, email=email, character=character):
            recorder.say("player_changed", f"{actor.label} changed the details of {player.name}.")


def _same(problem: Refused, player: Player, email: str) -> bool:
    return problem.code == "already_registered" and email.casefold() == player.email.casefold()


def _changes_declared(player: Player, character: str) -> bool:
    """A character that was never declared can still be entered late; a declared one is not exchanged."""
    return bool(player.character) and character.casefold() != player.character.casefold()


def _character_fixed() -> Refused:
    return Refused(
        "character_fixed",
        "The declared character holds for the whole event (UFS 100.5.1).",
        field="character",
    )


def declare_character(player: Player, actor: Actor, character: str) -> None:
    """The player's declared character, which starts the first game of every round (UFS 100.5.1)."""
    change_details(player, actor, name=player.name, email=player.email, character=character)


def check_in(player: Player, actor: Actor) -> None:
    """The player is here. A second press changes nothing."""
    with step(player.event, actor) as recorder:
        _lock(player)
        if recorder.event.phase != Phase.CHECK_IN:
            raise Refused("check_in_closed", "Check-in is not open.", fix="Ask the organizer.")
        if not player.is_in:
            raise Refused("not_registered", f"{player.name} is not among the registered players.")
        if player.checked_in_at is None:
            recorder.update(player, checked_in_at=recorder.now)
            recorder.say("checked_in", f"{player.name} is here.")


def undo_check_in(player: Player, actor: Actor) -> None:
    """The player was checked in by mistake."""
    with step(player.event, actor) as recorder:
        _lock(player)
        if player.checked_in_at is not None:
            recorder.update(player, checked_in_at=None)
            recorder.say("check_in_undone", f"{actor.label} took back the check-in of {player.name}.")


def withdraw(player: Player, actor: Actor) -> None:
    """A player leaves before the start; his place goes to the first of the waiting list."""
    with step(player.event, actor) as recorder:
        _lock(player)
        if recorder.event.phase not in (Phase.PREPARING, *OPEN_PHASES):
            raise Refused("already_playing", "The event has started.", fix="Drop the player instead.")
        if player.status != Status.WITHDRAWN:
            recorder.update(player, status=Status.WITHDRAWN, checked_in_at=None)
            recorder.say("player_withdrew", f"{player.name} withdrew.")
            _move_up(recorder)


def restore(player: Player, actor: Actor) -> None:
    """A withdrawal taken back; when the event is full meanwhile, to the end of the waiting list."""
    with step(player.event, actor) as recorder:
        _lock(player)
        if player.status == Status.WITHDRAWN:
            refuse_all(list(_email_problems(recorder.event, player.email, own=False)))
            full = _is_full(recorder.event)
            recorder.update(player, status=Status.WAITING if full else Status.REGISTERED)
            recorder.say("withdrawal_undone", f"{player.name} is back.")


def _move_up(recorder: Recorder) -> None:
    if _is_full(recorder.event):
        return
    first = recorder.event.players.filter(status=Status.WAITING).order_by("number").first()
    if first is not None:
        recorder.update(first, status=Status.REGISTERED)
        recorder.say("moved_up", f"{first.name} moved up from the waiting list.")


def drop(player: Player, actor: Actor, *, reason: str = "") -> None:
    """A player leaves during the event: never paired again, his past results and places stay."""
    with step(player.event, actor) as recorder:
        _lock(player)
        if recorder.event.phase in (Phase.PREPARING, *OPEN_PHASES):
            raise Refused("not_playing_yet", "The event has not started.", fix="Withdraw the player instead.")
        if recorder.event.phase == Phase.FINISHED:
            raise Refused("event_finished", "The event is over; nobody can drop any more.")
        if player.dropped_after is not None:
            return
        rounds.discard_draft(recorder, f"{player.name} dropped")
        recorder.update(player, dropped_after=_rounds_out(recorder.event), drop_reason=reason[:200])
        recorder.say("player_dropped", f"{player.name} dropped.", reason=reason)
        brackets.after_leaving(recorder)


def undo_drop(player: Player, actor: Actor) -> None:
    """A drop taken back: the player is paired again from the next round on."""
    with step(player.event, actor) as recorder:
        _lock(player)
        if player.dropped_after is None:
            return
        is_over = recorder.event.phase == Phase.FINISHED
        if is_over or (recorder.event.phase == Phase.CUT and not in_bracket(player)):
            raise Refused("swiss_is_over", "The rounds are over; the drop stands.")
        rounds.discard_draft(recorder, f"{player.name} is back")
        recorder.update(player, dropped_after=None, drop_reason="")
        recorder.say("drop_undone", f"{actor.label} took back the drop of {player.name}.")
        brackets.after_return(recorder, player)


def _rounds_out(event: Event) -> int:
    return table_rounds(event).exclude(state=Round.State.DRAFT).count()


def _lock(player: Player) -> None:
    """Read the player again under the event's lock, so that nothing older than the lock decides."""
    player.refresh_from_db(fields=["status", "checked_in_at", "dropped_after", "drop_reason"])
