"""Players come: by themselves while registration is open, through staff also later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Max

from decks.shared.refusals import Refused, refuse_all
from tournament.access.actor import Actor
from tournament.brackets.services import stages
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.log.step import Recorder, step
from tournament.pairing.services import rounds
from tournament.penalties.selectors import refuse_disqualified
from tournament.registration.selectors import was_missing
from tournament.registration.services import identity as persons
from tournament.registration.services import late_entry as late
from tournament.registration.services import mails, teams
from tournament.registration.services import waiting_list as waiting
from tournament.registration.services.locked_row import BEFORE_START, OPEN_PHASES, Phase, lock
from tournament.shared import name_folding
from tournament.shared.chance import lot


@dataclass(frozen=True, slots=True)
class Entry:
    """What somebody says of himself when he comes; `is_namesake` when a known name is another person's."""

    name: str
    email: str = ""
    character: str = ""
    members: list[str] = field(default_factory=list)
    is_namesake: bool = False

    @classmethod
    def of(cls, name: str, email: str, character: str, members: Iterable[str], is_namesake: bool) -> Entry:
        """As typed, without what stands around it; members without a name are left out."""
        told = [" ".join(member.split()) for member in members]
        kept = [member for member in told if member]
        return cls(" ".join(name.split()), email.strip(), character.strip(), kept, is_namesake)


def register(
    event: Event,
    actor: Actor | None = None,
    *,
    name: str,
    email: str,
    character: str = "",
    members: Iterable[str] = (),
    is_namesake: bool = False,
) -> Player:
    """A player, or a team with its members, registers. Full events put him on the waiting list.

    Raises Refused with every problem at once: closed, name or e-mail missing or known, no character, a team
    of the wrong size. `is_namesake` answers the question that a known name raises.
    """
    entry = Entry.of(name, email, character, members, is_namesake)
    with step(event, actor or Actor(label=entry.name[:120] or "A visitor")) as recorder:
        refuse_all([*_closed(recorder.event), *problems(recorder.event, entry, own=True)])
        player = add(recorder, entry)
        recorder.say("player_registered", f"{player.name} registered.")
        mails.welcome(player)
    return player


def add_player(
    event: Event,
    actor: Actor,
    *,
    name: str,
    email: str = "",
    character: str = "",
    members: Iterable[str] = (),
    is_namesake: bool = False,
    missed: str = late.LOSS,
) -> Player:
    """Staff adds a player, also while Swiss rounds run.

    For each round he missed he gets a loss or, with `missed` as `late.BYE`, a bye; where somebody has the
    bye of the running round, the two play at once. Raises Refused with every problem at once, and where
    nobody can enter any more.
    """
    entry = Entry.of(name, email, character, members, is_namesake)
    with step(event, actor) as recorder:
        refuse_all(list(problems(recorder.event, entry, own=False)))
        return add_by_staff(recorder, entry, missed=missed)


def add_by_staff(recorder: Recorder, entry: Entry, *, missed: str = late.LOSS) -> Player:
    """Write somebody down whose entry has no problems. Raises Refused where nobody can enter any more."""
    stages.refuse_late_entry(recorder.event)
    if recorder.event.phase == Phase.SWISS:
        late.refuse_full(recorder.event)
    player = add(recorder, entry)
    recorder.say("player_added", f"{recorder.actor.label} added {player.name}.")
    if recorder.event.phase == Phase.SWISS:
        late.let_in(recorder, player, missed)
    return player


def let_in(player: Player, actor: Actor, *, missed: str = late.LOSS) -> None:
    """Who still waited when the event began, or was dropped as missing then, plays from now on.

    A second press changes nothing. `missed` is what each missed round is, as for `add_player`. Raises Refused
    before the start, when the line moves by itself, where all places are taken or nobody can enter any more,
    and for a disqualified one.
    """
    with step(player.event, actor) as recorder:
        lock(player)
        has_waited = player.status == Player.Status.WAITING
        if not has_waited and not was_missing(recorder.event, player):
            return
        if recorder.event.phase in BEFORE_START:
            raise Refused(
                "not_started_yet",
                "Before the start the waiting list moves up by itself.",
                fix="Allow more players in the settings, or wait until somebody withdraws.",
            )
        refuse_disqualified(player)
        stages.refuse_late_entry(recorder.event)
        late.refuse_full(recorder.event)
        rounds.discard_draft(recorder, f"{player.name} entered")
        here = {"status": Player.Status.REGISTERED, "waiting_since": None}
        recorder.update(player, **here, dropped_after=None, drop_reason="")
        whence = "in from the waiting list" if has_waited else "in, who came late"
        recorder.say("player_let_in", f"{actor.label} let {player.name} {whence}.")
        late.let_in(recorder, player, missed)


def _closed(event: Event) -> Iterator[Refused]:
    if event.phase not in OPEN_PHASES:
        yield Refused(
            "registration_closed",
            "Registration for this event is closed.",
            fix="Ask the organizer to add you.",
        )


def problems(event: Event, entry: Entry, *, own: bool) -> list[Refused]:
    """Everything that is wrong with an entry. Whose address is known is not asked about his name as well."""
    found = [*persons.name_problems(entry.name)]
    if own and event.needs_character and not entry.character:
        found.append(character_missing())
    found += character_problems(entry.character)
    found += persons.email_problems(event, entry.email, required=own)
    found += teams.problems(event, entry.members)
    is_known = any(problem.code == "already_registered" for problem in found)
    if not entry.is_namesake and not is_known:
        found += persons.namesake_problems(event, [entry.name, *entry.members])
    return found


def character_missing() -> Refused:
    """A diversity cut goes by declared characters (UFS 100.5.1)."""
    return Refused(
        "character_missing",
        "This event has a diversity cut: each player declares a character at registration (UFS 100.5.1).",
        fix="Name your character.",
        field="character",
    )


def character_problems(character: str) -> Iterator[Refused]:
    """What is wrong with a character's name by itself."""
    if len(character) > 80:
        yield Refused(
            "character_too_long", "A character's name has at most 80 characters.", field="character"
        )


def add(recorder: Recorder, entry: Entry, **details: Any) -> Player:
    """Write a player down with the next number; a draft of a round becomes stale by him."""
    event = recorder.event
    number = (event.players.aggregate(last=Max("number"))["last"] or 0) + 1
    folded = name_folding.fold(entry.name)
    player = Player(
        event=event,
        number=number,
        name=entry.name,
        folded_name=folded,
        namesake=persons.namesake_number(event, folded),
        members=entry.members,
        email=entry.email,
        character=entry.character,
        lot=lot(event.seed, number),
        registered_at=recorder.now,
        deck_list=decklists.new_list(event),
        **waiting.place_for(recorder),
        **details,
    )
    rounds.discard_draft(recorder, f"{entry.name} entered")
    return recorder.create(player)
