"""Register players, add them as staff, admit late players during Swiss rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Required, TypedDict, Unpack

from django.db.models import Max
from django.utils.translation import gettext_lazy

from decks.shared.refusals import Refused, refuse_all
from rules.reason import Reference, reason, reasons_to_json
from tournament.access.permissions import VISITOR, Actor
from tournament.brackets.services import stages
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round, Seat
from tournament.events.selectors import get_standings_rounds, get_standings_stage
from tournament.log.facts import reference
from tournament.log.step import Recorder, step
from tournament.matches import enter_penalty_results
from tournament.pairing.services import rounds, venues
from tournament.pairing.services.draft_repair import keep_draft
from tournament.penalties.selectors import refuse_disqualified
from tournament.registration.fields import detail_problems, merge_details, trim_details
from tournament.registration.selectors import was_no_show
from tournament.registration.services import contact, validation, waiting_list
from tournament.registration.services.seats import write_seats
from tournament.registration.services.validation import (
    BEFORE_START,
    OPEN_PHASES,
    character_problems,
    missing_character_refusal,
    reload_player,
)
from tournament.shared import text
from tournament.shared.hashes import draw_random_number

MISSED_AS_LOSS = "loss"
MISSED_AS_BYE = "bye"
MISSED_ROUND_CHOICES = (
    (MISSED_AS_LOSS, gettext_lazy("A loss for each missed round")),
    (MISSED_AS_BYE, gettext_lazy("A bye for each missed round")),
)
MISSED_LOSS = reason("round_missed.loss")
MISSED_BYE = reason("round_missed.bye")


class EntryValues(TypedDict, total=False):
    """A registration as typed; `is_namesake` if a known name is another person."""

    name: Required[str]
    email: str
    character: str
    members: Iterable[str]
    is_namesake: bool
    details: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class RegistrationEntry:
    """The details of a registration; `is_namesake` if a known name is another person."""

    name: str
    email: str = ""
    character: str = ""
    members: list[str] = field(default_factory=list)
    is_namesake: bool = False
    details: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(cls, **values: Unpack[EntryValues]) -> RegistrationEntry:
        """Create an entry from typed values.

        Blanks around texts are removed, and so are members without a name.
        """
        trimmed_members = [" ".join(member.split()) for member in values.get("members", ())]
        return cls(
            " ".join(values["name"].split()),
            values.get("email", "").strip(),
            values.get("character", "").strip(),
            [member for member in trimmed_members if member],
            values.get("is_namesake", False),
            trim_details(values.get("details") or {}),
        )


def register(event: Event, actor: Actor | None = None, **values: Unpack[EntryValues]) -> Player:
    """Register a player or team; add to the waiting list if the event is full.

    Raises Refused with every problem at once: closed, name or email missing or known, no character, a team of
    the wrong size. `is_namesake` answers the question that a known name raises.
    """
    entry = RegistrationEntry.of(**values)
    with step(event, actor or VISITOR) as recorder:
        refuse_all(
            [
                *_closed_problems(recorder.event),
                *entry_problems(recorder.event, entry, is_own_registration=True),
            ]
        )
        player = create_player(recorder, entry)
        if actor is None:
            recorder.actor = Actor.of_player(player)
        recorder.log("player_registered", player=player)
        contact.queue_welcome_email(player)
    return player


def register_by_email(event: Event, **values: Unpack[EntryValues]) -> None:
    """Register a player as `register` does, and send the private link to the mailbox.

    An address that is registered already is sent both links; the new registration has no address then, since
    people are distinguished by theirs. Nothing that the caller can see differs. Raises Refused as `register`
    does, but never for a known address.
    """
    entry = RegistrationEntry.of(**values)
    with step(event, VISITOR) as recorder:
        problems = _new_entry_problems(recorder.event, entry, is_own_registration=True)
        problems += validation.email_syntax_problems(entry.email, is_required=True)
        refuse_all([*_closed_problems(recorder.event), *problems])
        known_player = validation.find_player_by_email(recorder.event, entry.email)
        player = create_player(recorder, replace(entry, email="") if known_player else entry)
        recorder.actor = Actor.of_player(player)
        if known_player is None:
            recorder.log("player_registered", player=player)
            contact.queue_welcome_email(player)
        else:
            recorder.log("player_registered.known_address", player=player, other=known_player)
            contact.queue_both_links_email(known_player, player)


def add_player(
    event: Event, actor: Actor, *, missed_handling: str = MISSED_AS_LOSS, **values: Unpack[EntryValues]
) -> Player:
    """Add a player by staff, also while Swiss rounds run.

    Each missed round counts as a loss or, with `missed` as `MISSED_AS_BYE`, a bye; where another player has
    the bye of the running round, the two play at once. Raises Refused with every problem at once, and if no
    one can enter any more.
    """
    entry = RegistrationEntry.of(**values)
    with step(event, actor) as recorder:
        refuse_all(list(entry_problems(recorder.event, entry, is_own_registration=False)))
        return add_player_in_step(recorder, entry, missed_handling=missed_handling)


def add_player_in_step(
    recorder: Recorder, entry: RegistrationEntry, *, missed_handling: str = MISSED_AS_LOSS
) -> Player:
    """Write someone down whose entry has no problems.

    Raises Refused if no one can enter any more.
    """
    stages.refuse_late_entry(recorder.event)
    if recorder.event.phase == Event.Phase.SWISS:
        waiting_list.refuse_if_full(recorder.event)
    player = create_player(recorder, entry)
    recorder.log("player_added", player=player)
    if recorder.event.phase == Event.Phase.SWISS:
        enter_late(recorder, player, missed_handling)
        keep_draft(recorder, reason("player_entered", player=reference(player)))
    return player


def admit_player(player: Player, actor: Actor, *, missed_handling: str = MISSED_AS_LOSS) -> None:
    """Admit a player who waited when the event began, or was dropped as missing then.

    A second press changes nothing. `missed` is what each missed round is, as for `add_player`. Raises Refused
    before the start, when the line moves by itself, if all places are taken or no one can enter any more, and
    for a disqualified one.
    """
    with step(player.event, actor) as recorder:
        reload_player(player)
        has_waited = player.status == Player.Status.WAITING
        if not has_waited and not was_no_show(recorder.event, player):
            return
        if recorder.event.phase in BEFORE_START:
            raise Refused("not_started_yet")
        refuse_disqualified(player)
        stages.refuse_late_entry(recorder.event)
        waiting_list.refuse_if_full(recorder.event)
        new_values = {"status": Player.Status.REGISTERED, "waiting_since": None}
        recorder.update(player, **new_values, dropped_after=None, drop_reason="")
        recorder.log("player_let_in.waiting" if has_waited else "player_let_in", player=player)
        enter_late(recorder, player, missed_handling)
        keep_draft(recorder, reason("player_entered", player=reference(player)))


def _closed_problems(event: Event) -> Iterator[Refused]:
    if event.phase not in OPEN_PHASES:
        yield Refused("registration_closed")


def entry_problems(event: Event, entry: RegistrationEntry, *, is_own_registration: bool) -> list[Refused]:
    """Yield the problems of an entry; a known email hides those of the name."""
    email_problems = list(validation.email_problems(event, entry.email, is_required=is_own_registration))
    is_known = any(problem.code == "already_registered" for problem in email_problems)
    answered_entry = replace(entry, is_namesake=entry.is_namesake or is_known)
    problems = _new_entry_problems(event, answered_entry, is_own_registration=is_own_registration)
    return [*problems, *email_problems]


def _new_entry_problems(
    event: Event, entry: RegistrationEntry, *, is_own_registration: bool
) -> list[Refused]:
    """Return the problems of an entry beside its email."""
    problems = [*validation.name_problems(entry.name)]
    if is_own_registration and event.needs_character and not entry.character:
        problems.append(missing_character_refusal(event))
    problems += character_problems(entry.character)
    problems += detail_problems(event, entry.details, is_own=is_own_registration, is_whole=True)
    problems += validation.team_problems(event, entry.members)
    if not entry.is_namesake:
        problems += validation.namesake_problems(event, [entry.name, *entry.members])
    return problems


def create_player(recorder: Recorder, entry: RegistrationEntry, **details: Any) -> Player:
    """Create a player with the next number."""
    return create_players(recorder, [(entry, details)])[0]


def create_players(
    recorder: Recorder, entries: Sequence[tuple[RegistrationEntry, Mapping[str, object]]]
) -> list[Player]:
    """Create players with the next numbers, with one statement per table.

    Each is made from an entry and further details.
    """
    event = recorder.event
    first = (event.players.aggregate(last=Max("number"))["last"] or 0) + 1
    folded_names = [text.fold_name(entry.name) for entry, _ in entries]
    namesakes = validation.next_namesake_numbers(event, folded_names)
    deck_lists = decklists.create_deck_lists(event, len(entries))
    statuses = waiting_list.entry_statuses(recorder, len(entries))
    players = recorder.create_all(
        Player(
            event=event,
            number=first + n,
            name=entry.name,
            folded_name=folded_names[n],
            namesake=namesakes[n],
            members=entry.members,
            email=entry.email,
            character=entry.character,
            details=merge_details(event, {}, entry.details),
            lot=draw_random_number(event.seed, first + n),
            registered_at=recorder.now,
            deck_list=deck_lists[n],
            **statuses[n],
            **details,
        )
        for n, (entry, details) in enumerate(entries)
    )
    write_seats(recorder, players)
    return players


def enter_late(recorder: Recorder, player: Player, missed_handling: str) -> None:
    """Create a player's missed rounds, and a table if possible.

    Raises Refused without.
    """
    if missed_handling not in (MISSED_AS_LOSS, MISSED_AS_BYE):
        raise Refused("missed_wrong", field="missed")
    published_rounds = list(
        get_standings_rounds(recorder.event).exclude(state=Round.State.DRAFT).order_by("number")
    )
    alone = _match_with_bye(published_rounds[-1]) if published_rounds else None
    _refuse_without_rounds(recorder.event, len(published_rounds), has_table=alone is not None)
    missed_rounds = published_rounds[:-1] if alone else published_rounds
    for each in missed_rounds:
        rounds.insert_matches(recorder, each, [_missed_match_values(recorder, player, missed_handling)])
    recorder.update(player, entered_round=published_rounds[-1].number if alone else len(published_rounds) + 1)
    if missed_rounds:
        recorder.log(
            "rounds_missed",
            player=player,
            missed=missed_handling,
            count=len(missed_rounds),
            first=missed_rounds[0].number,
            last=missed_rounds[-1].number,
        )
    if alone is not None:
        _seat_opposite_bye(recorder, alone, player)


def _refuse_without_rounds(event: Event, round_count: int, *, has_table: bool) -> None:
    stage = get_standings_stage(event)
    planned_count = stage.planned_rounds if stage else None
    if planned_count is not None and round_count >= planned_count and not has_table:
        raise Refused("no_round_left", planned_count=planned_count)


def _match_with_bye(running_round: Round) -> Match | None:
    """Return the bye of a round still being played whose player is there.

    A bye given before the event is not returned.
    """
    if running_round.state != Round.State.PUBLISHED:
        return None
    byes = running_round.matches.filter(
        p2__isnull=True, outcome=Match.Outcome.BYE, p1__dropped_after__isnull=True
    )
    byes = byes.exclude(why__0__code__in=(rounds.GIVEN_BYE.code, MISSED_BYE.code))
    return byes.select_related("round__stage", "p1").order_by("pk").first()


def _missed_match_values(recorder: Recorder, player: Player, missed_handling: str) -> Mapping[str, object]:
    if missed_handling == MISSED_AS_BYE:
        return rounds.bye_values(recorder, player.pk, (MISSED_BYE,))
    return {
        "p1_id": player.pk,
        "outcome": Match.Outcome.LOSS_NO_OPPONENT.value,
        "why": reasons_to_json([MISSED_LOSS]),
        "result_at": recorder.now,
        "result_by": "Ringside",
    }


def _seat_opposite_bye(recorder: Recorder, match: Match, player: Player) -> None:
    table = venues.find_free_table(recorder, match.round)
    why = reason(
        "late_player", player=Reference("player", player.pk), holder=Reference("player", match.p1_id)
    )
    recorder.update(
        match,
        p2=player,
        table=table,
        outcome=Match.Outcome.PLAYING,
        p1_games=0,
        result_by="",
        result_at=None,
        revision=match.revision + 1,
        why=reasons_to_json([why]),
    )
    recorder.create(Seat(round=match.round, match=match, player=player))
    recorder.log("bye_became_match", player=match.p1, round=match.round, opponent=player, table=table)
    if enter_penalty_results(recorder, match.round):
        rounds.update_round_state(recorder, match.round)
