"""Submit, check, overrule, answer, lock and open the decklists of an event."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import TypedDict

from django.utils import timezone

from decks.checking import check as checking
from decks.checking import declarations, result
from decks.checking.changes import WriteOptions
from decks.matching.added_cards import AddedCardRecord
from decks.shared.refusals import Refused
from decks.shared.wording import format_reason
from decks.submissions import services as submissions
from decks.submissions.models import DeckList, DeckVersion, ListAnswer, Ruling
from rules.cards import Declaration
from rules.reason import Reason, reason
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.settings import get_undated_format
from tournament.log.step import Recorder, step

STARTED_PHASES = (Event.Phase.SWISS, Event.Phase.CUT, Event.Phase.FINISHED)


def create_deck_list(event: Event) -> DeckList:
    """Create an empty list for one player of the event.

    It is judged under the event's format and rules version.
    """
    return create_deck_lists(event, 1)[0]


def create_deck_lists(event: Event, count: int) -> list[DeckList]:
    """Create so many empty lists for players of the event in one write."""
    return submissions.create_lists(
        count, game=event.game, format_key=event.format, rules_version=event.rules_version
    )


def check_options(event: Event, character: str = "") -> dict[str, object]:
    """Return what the event adds to a deck check.

    This is the diversity cut and the declared character. A team on boards declares one character for all its
    decks, so no single deck has to have it.
    """
    is_diversity = event.cut == Event.Cut.DIVERSITY and not event.has_boards
    options: dict[str, object] = {"diversity": is_diversity}
    if character:
        options |= dict.fromkeys(declarations.character_options(event.game), character)
    return options


def asked_declarations(event: Event) -> tuple[Declaration, ...]:
    """Return what the event's format wants registered beside the cards.

    Each item is as the format's game declares it.
    """
    return declarations.asked_declarations(get_undated_format(event))


def asks_pool(event: Event) -> bool:
    """Return whether the event's format wants the pool of a deck registered.

    The pool is what the deck was built from.
    """
    return declarations.POOL in declarations.required_declarations(get_undated_format(event))


def _read_declarations(
    event: Event, declared_values: Mapping[str, object] | None
) -> declarations.Declarations:
    return declarations.read_declarations(
        declared_values or {}, declarations.required_declarations(get_undated_format(event)), event.game
    )


def check_list(
    event: Event,
    text: str | bytes,
    *,
    character: str = "",
    pool: str | bytes = "",
    declared_values: Mapping[str, object] | None = None,
    with_plan: bool = False,
    with_changes: bool = False,
    write_options: WriteOptions | None = None,
) -> result.CheckedList:
    """Return the verdict on a list as typed; nothing is kept.

    Raises Refused for declarations of a wrong kind.
    """
    declarations_read = _read_declarations(event, declared_values)
    return checking.check_text(
        event.game,
        event.format,
        text,
        rules_version=event.rules_version,
        pool=pool,
        with_plan=with_plan,
        with_changes=with_changes,
        write_options=write_options,
        **_check_terms(event, character, declarations_read),
    )


class _CheckTerms(TypedDict):
    """Everything but the cards on which a verdict hangs."""

    on: date
    overlay: dict[str, object] | None
    cards: tuple[AddedCardRecord, ...]
    options: dict[str, object]


def _check_terms(event: Event, character: str, declared_values: Mapping[str, object]) -> _CheckTerms:
    """Return everything but the cards on which a verdict hangs."""
    return {
        "on": event.starts_local.date(),
        "overlay": event.overlay or None,
        "cards": tuple(card.to_record() for card in event.added_cards.all()),
        "options": {**check_options(event, character), **declared_values},
    }


def submit_list(
    player: Player,
    actor: Actor,
    text: str | bytes,
    *,
    pool: str | bytes = "",
    original: str = "",
    declared_values: Mapping[str, object] | None = None,
    by_staff: bool = False,
    reason: str = "",
) -> DeckVersion:
    """Store a submitted list with its verdict as the player's next version.

    That version counts. Players can until the deadline; staff always, giving a reason then and to put it in
    place of another. `pool` and `declared_values` are what the format asks for with it, `original` is the
    deck file that the list was made from. Raises Refused when the list is empty, late or locked, or the
    player has withdrawn.
    """
    if not text.strip():
        raise Refused("list_empty", field="text")
    declarations_read = _read_declarations(player.event, declared_values)
    terms = _check_terms(player.event, player.character, declarations_read)
    # Judged before the lock is taken, so that no one in the venue waits for it.
    check = partial(submissions.check_list, text=text, pool=pool, original=original)
    checked_version = check(_require_deck_list(player), **terms)
    with step(player.event, actor) as recorder:
        owner = Player.objects.select_related("deck_list__current", "team").get(pk=player.pk)
        _refuse_unless_open(recorder.event, owner, by_staff=by_staff, reason=reason)
        if (now := _check_terms(recorder.event, owner.character, declarations_read)) != terms:
            checked_version = check(_require_deck_list(owner), **now)
        version = _store_version(recorder, owner, checked_version, by_staff=by_staff, reason=reason)
        player.deck_list = owner.deck_list
    return version


def _store_version(
    recorder: Recorder, owner: Player, checked_version: DeckVersion, *, by_staff: bool, reason: str
) -> DeckVersion:
    """Store the judged list as the version that counts, with a line of the log."""
    deck_list = _require_deck_list(owner)
    version = submissions.store_version(
        deck_list,
        checked_version,
        actor=recorder.actor.author,
        by_staff=by_staff,
        reason=reason,
        due_at=recorder.event.decklists_due_at,
        set_current=lambda deck_list, version: recorder.update(deck_list, current=version),
    )
    deck_list.current = version
    _log_submission(recorder, owner, version)
    return version


def _require_deck_list(player: Player) -> DeckList:
    """Return what keeps the versions of the player.

    Raises Refused for one that was merged into another, and for a team whose seats have the lists.
    """
    if player.event.has_boards and not player.seat:
        raise Refused("list_of_team", field="text", player=player.name)
    if player.deck_list is None:
        raise Refused("player_withdrawn.list", field="text", player=player.name)
    return player.deck_list


def _log_submission(recorder: Recorder, owner: Player, version: DeckVersion) -> None:
    recorder.log(
        "list_submitted" if recorder.actor.player else "list_submitted.by_staff",
        reason=version.reason,
        player=owner,
        number=version.number,
        hash=version.short_hash,
        outcome=version.outcome,
    )


def _refuse_unless_open(event: Event, owner: Player, *, by_staff: bool, reason: str) -> None:
    why_closed = closed_reason(event)
    if owner.entrant.status == Player.Status.WITHDRAWN:
        raise Refused("player_withdrawn.list", field="text", player=owner.name)
    if why_closed and not by_staff:
        raise Refused("list_closed", field="text", why=why_closed)
    if by_staff and not reason.strip() and (why_closed or _require_deck_list(owner).current):
        if why_closed:
            raise Refused("reason_needed.late_list", field="reason", why=why_closed)
        raise Refused("reason_needed.second_list", field="reason", player=owner.name)


def overrule_verdict(player: Player, actor: Actor, outcome: str, *, number: int, reason: str) -> Ruling:
    """Let the organizer's ruling overrule the verdict on a version.

    A later ruling undoes it. `number` is the version that the organizer looked at. Raises Refused
    (no_such_version, outcome_unknown, reason_needed).
    """
    with step(player.event, actor) as recorder:
        version = _get_version(player, number)
        ruling = submissions.record_ruling(version, outcome, actor=actor.label, reason=reason)
        recorder.log(
            "verdict_overruled",
            reason=ruling.reason,
            player=player,
            number=version.number,
            hash=version.short_hash,
            outcome=ruling.outcome,
            verdict=version.outcome,
        )
    return ruling


def record_answer(
    player: Player, actor: Actor, *, number: int, agrees: bool | None = None, words: str = ""
) -> ListAnswer:
    """Record that a player saw a staff change to their list, and their answer.

    Raises Refused (no_such_version, words_needed): who does not agree says why.
    """
    if agrees is False and not words.strip():
        raise Refused("words_needed", field="words")
    with step(player.event, actor) as recorder:
        version = _get_version(player, number)
        saved_answer = submissions.record_answer(version, agrees=agrees, words=words)
        recorder.log(
            "list_answered",
            reason=saved_answer.words,
            player=player,
            agrees=agrees,
            number=version.number,
            hash=version.short_hash,
        )
    return saved_answer


def _get_version(player: Player, number: int) -> DeckVersion:
    version = DeckVersion.objects.filter(deck_list=player.deck_list_id, number=number).first()
    if version is None:
        raise Refused("no_such_version", player=player.name, number=number)
    return version


def closed_reason(event: Event) -> Reason | None:
    """Return why players can no longer submit; None while they can."""
    if event.phase in STARTED_PHASES:
        return reason("list_locked")
    if event.decklists_due_at is not None and timezone.now() > event.decklists_due_at:
        due = event.decklists_due_at.astimezone(event.zone)
        return reason("list_overdue", due=f"{due:%Y-%m-%dT%H:%M}", zone=due.tzname())
    return None


def format_closed_reason(event: Event) -> str:
    """Return why players can no longer submit, in a sentence; empty while they can."""
    why_closed = closed_reason(event)
    return format_reason("reason", why_closed) if why_closed else ""


def lock_all_lists(recorder: Recorder) -> None:
    """Lock every list of the event; called when round 1 starts."""
    lists = DeckList.objects.filter(player__event=recorder.event, locked_at__isnull=True)
    now = recorder.now
    recorder.update_all(DeckList, {pk: {"locked_at": now} for pk in lists.values_list("pk", flat=True)})


def open_lists(event: Event, actor: Actor, audience: str) -> None:
    """Open the lists to more people.

    The choices are owner and staff, everyone in the cut, or everyone.
    """
    with step(event, actor) as recorder:
        if audience not in Event.ListsOpen.values:
            raise Refused("unknown_audience", to=audience, audiences=tuple(Event.ListsOpen.values))
        if recorder.update(recorder.event, lists_open=audience):
            recorder.log("lists_opened", to=audience)
