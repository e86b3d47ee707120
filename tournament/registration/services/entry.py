"""Register players, add them as staff, and admit late players during Swiss rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Max

from decks.shared.refusals import Refused, refuse_all
from tournament.access.permissions import Actor
from tournament.brackets.services import stages
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round, Seat
from tournament.events.selectors import get_standings_rounds, get_standings_stage
from tournament.log.step import Recorder, step
from tournament.matches import enter_penalty_results
from tournament.pairing.services import rounds, venues
from tournament.penalties.selectors import refuse_disqualified
from tournament.registration.selectors import was_no_show
from tournament.registration.services import contact, waiting_list
from tournament.registration.services import validation as persons
from tournament.registration.services.validation import (
    BEFORE_START,
    OPEN_PHASES,
    Phase,
    character_problems,
    missing_character_refusal,
    reload_player,
)
from tournament.shared import text
from tournament.shared.hashes import draw_random_number

LOSS, BYE = "loss", "bye"
MISSED_ROUND_CHOICES = ((LOSS, "A loss for each round he missed"), (BYE, "A bye for each round he missed"))
MISSED_LOSS = "Came after this round had begun: a loss, as the organizer said."
MISSED_BYE = "Came after this round had begun: a bye, as the organizer said."


@dataclass(frozen=True, slots=True)
class RegistrationEntry:
    """What somebody says of himself when he comes; `is_namesake` when a known name is another person's."""

    name: str
    email: str = ""
    character: str = ""
    members: list[str] = field(default_factory=list)
    is_namesake: bool = False

    @classmethod
    def of(
        cls, name: str, email: str, character: str, members: Iterable[str], is_namesake: bool
    ) -> RegistrationEntry:
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
    entry = RegistrationEntry.of(name, email, character, members, is_namesake)
    with step(event, actor or Actor(label=entry.name[:120] or "A visitor")) as recorder:
        refuse_all([*_closed_problems(recorder.event), *entry_problems(recorder.event, entry, own=True)])
        player = create_player(recorder, entry)
        recorder.say("player_registered", f"{player.name} registered.")
        contact.queue_welcome_email(player)
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
    missed: str = LOSS,
) -> Player:
    """Staff adds a player, also while Swiss rounds run.

    For each round he missed he gets a loss or, with `missed` as `BYE`, a bye; where somebody has the
    bye of the running round, the two play at once. Raises Refused with every problem at once, and where
    nobody can enter any more.
    """
    entry = RegistrationEntry.of(name, email, character, members, is_namesake)
    with step(event, actor) as recorder:
        refuse_all(list(entry_problems(recorder.event, entry, own=False)))
        return add_player_in_step(recorder, entry, missed=missed)


def add_player_in_step(recorder: Recorder, entry: RegistrationEntry, *, missed: str = LOSS) -> Player:
    """Write somebody down whose entry has no problems. Raises Refused where nobody can enter any more."""
    stages.refuse_late_entry(recorder.event)
    if recorder.event.phase == Phase.SWISS:
        waiting_list.refuse_if_full(recorder.event)
    player = create_player(recorder, entry)
    recorder.say("player_added", f"{recorder.actor.label} added {player.name}.")
    if recorder.event.phase == Phase.SWISS:
        enter_late(recorder, player, missed)
    return player


def admit_player(player: Player, actor: Actor, *, missed: str = LOSS) -> None:
    """Who still waited when the event began, or was dropped as missing then, plays from now on.

    A second press changes nothing. `missed` is what each missed round is, as for `add_player`. Raises Refused
    before the start, when the line moves by itself, where all places are taken or nobody can enter any more,
    and for a disqualified one.
    """
    with step(player.event, actor) as recorder:
        reload_player(player)
        has_waited = player.status == Player.Status.WAITING
        if not has_waited and not was_no_show(recorder.event, player):
            return
        if recorder.event.phase in BEFORE_START:
            raise Refused(
                "not_started_yet",
                "Before the start the waiting list moves up by itself.",
                fix="Allow more players in the settings, or wait until somebody withdraws.",
            )
        refuse_disqualified(player)
        stages.refuse_late_entry(recorder.event)
        waiting_list.refuse_if_full(recorder.event)
        rounds.discard_draft(recorder, f"{player.name} entered")
        here = {"status": Player.Status.REGISTERED, "waiting_since": None}
        recorder.update(player, **here, dropped_after=None, drop_reason="")
        whence = "in from the waiting list" if has_waited else "in, who came late"
        recorder.say("player_let_in", f"{actor.label} let {player.name} {whence}.")
        enter_late(recorder, player, missed)


def _closed_problems(event: Event) -> Iterator[Refused]:
    if event.phase not in OPEN_PHASES:
        yield Refused(
            "registration_closed",
            "Registration for this event is closed.",
            fix="Ask the organizer to add you.",
        )


def entry_problems(event: Event, entry: RegistrationEntry, *, own: bool) -> list[Refused]:
    """Everything that is wrong with an entry. Whose address is known is not asked about his name as well."""
    found = [*persons.name_problems(entry.name)]
    if own and event.needs_character and not entry.character:
        found.append(missing_character_refusal())
    found += character_problems(entry.character)
    found += persons.email_problems(event, entry.email, required=own)
    found += persons.team_problems(event, entry.members)
    is_known = any(problem.code == "already_registered" for problem in found)
    if not entry.is_namesake and not is_known:
        found += persons.namesake_problems(event, [entry.name, *entry.members])
    return found


def create_player(recorder: Recorder, entry: RegistrationEntry, **details: Any) -> Player:
    """Write a player down with the next number; a draft of a round becomes stale by him."""
    event = recorder.event
    number = (event.players.aggregate(last=Max("number"))["last"] or 0) + 1
    folded = text.fold_name(entry.name)
    player = Player(
        event=event,
        number=number,
        name=entry.name,
        folded_name=folded,
        namesake=persons.next_namesake_number(event, folded),
        members=entry.members,
        email=entry.email,
        character=entry.character,
        lot=draw_random_number(event.seed, number),
        registered_at=recorder.now,
        deck_list=decklists.create_deck_list(event),
        **waiting_list.entry_status(recorder),
        **details,
    )
    rounds.discard_draft(recorder, f"{entry.name} entered")
    return recorder.create(player)


def enter_late(recorder: Recorder, player: Player, missed: str) -> None:
    """Give the player his missed rounds, and a table where one can be had. Raises Refused without any."""
    if missed not in (LOSS, BYE):
        raise Refused("missed_wrong", "A missed round is a loss or a bye.", field="missed")
    out = list(get_standings_rounds(recorder.event).exclude(state=Round.State.DRAFT).order_by("number"))
    alone = _match_with_bye(out[-1]) if out else None
    _refuse_without_rounds(recorder.event, len(out), has_table=alone is not None)
    gone = out[:-1] if alone else out
    for each in gone:
        rounds.insert_matches(recorder, each, [_missed_match_values(recorder, player, missed)])
    recorder.update(player, entered_round=out[-1].number if alone else len(out) + 1)
    if gone:
        recorder.say("rounds_missed", f"{player.name} has a {missed} for {_round_numbers(gone)}.")
    if alone is not None:
        _seat_opposite_bye(recorder, alone, player)


def _round_numbers(gone: list[Round]) -> str:
    numbers = [str(each.number) for each in gone]
    return f"round {numbers[0]}" if len(numbers) == 1 else f"rounds {numbers[0]} to {numbers[-1]}"


def _refuse_without_rounds(event: Event, out: int, *, has_table: bool) -> None:
    stage = get_standings_stage(event)
    planned = stage.planned_rounds if stage else None
    if planned is not None and out >= planned and not has_table:
        raise Refused(
            "no_round_left",
            f"All {planned} rounds are paired, and nobody has a bye that could still become a match.",
            fix="Plan another round in the settings first.",
        )


def _match_with_bye(running: Round) -> Match | None:
    """The bye of a round that is still being played, whose player is there: none given before the event."""
    if running.state != Round.State.PUBLISHED:
        return None
    byes = running.matches.filter(p2__isnull=True, outcome=Match.Outcome.BYE, p1__dropped_after__isnull=True)
    byes = byes.exclude(why__in=(rounds.GIVEN_BYE, MISSED_BYE))
    return byes.select_related("round", "p1").order_by("pk").first()


def _missed_match_values(recorder: Recorder, player: Player, missed: str) -> dict[str, Any]:
    if missed == BYE:
        return rounds.bye_values(recorder, player.pk, MISSED_BYE)
    return {
        "p1_id": player.pk,
        "outcome": Match.Outcome.LOSS_NO_OPPONENT.value,
        "why": MISSED_LOSS,
        "result_at": recorder.now,
        "result_by": "Ringside",
    }


def _seat_opposite_bye(recorder: Recorder, match: Match, player: Player) -> None:
    table = venues.find_free_table(recorder, match.round)
    recorder.update(
        match,
        p2=player,
        table=table,
        outcome=Match.Outcome.PLAYING,
        p1_games=0,
        result_by="",
        result_at=None,
        revision=match.revision + 1,
        why=f"{player.name} came late, and {match.p1.name} had the bye of this round.",
    )
    recorder.create(Seat(round=match.round, match=match, player=player))
    recorder.say(
        "bye_became_match",
        f"{match.p1.name}, who had the bye of round {match.round.number}, plays {player.name} "
        f"at table {table}.",
    )
    if enter_penalty_results(recorder, match.round):
        rounds.update_round_state(recorder, match.round)
