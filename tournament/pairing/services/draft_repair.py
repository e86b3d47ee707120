"""Keep a draft when the field changes: tables stay, and open places are filled."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.db import transaction
from django.db.models import Q

from decks.shared.refusals import Refused
from decks.shared.stated_reasons import StatedReason
from rules.reason import Reason, Reference, params_from_json, params_to_json, reason, reasons_to_json
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.settings import get_sides
from tournament.events.stated_reasons import load_player_numbers, number_players
from tournament.log.facts import reference
from tournament.log.models import LogEntry
from tournament.log.step import Recorder
from tournament.log.wording import show_entries
from tournament.pairing.selectors.drafts import (
    FIELD_CHANGE,
    MANUAL_CHANGES_KEY,
    PAIR_BY_HAND,
    find_seeding_column,
    list_manual_changes,
)
from tournament.pairing.selectors.pairing_context import load_pairing_context
from tournament.pairing.selectors.repairs import RepairProposal, propose_repairs
from tournament.pairing.services import rounds
from tournament.pairing.services.drafts import move_match
from tournament.shared.hashes import derive_seed

Result = TypeVar("Result")


DRAFT_ACTIONS = ("draft_repaired", "draft_paired_again", "draft_discarded")

PlayerIds = Collection[int]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """Changes besides the set of players.

    `separate_pairs`: the ids of two who may no longer meet. `at_tables`: who got a fixed table. `values`: the
    names of changed columns of players, for drafts that follow their seeds.
    """

    separate_pairs: PlayerIds = ()
    at_tables: PlayerIds = ()
    values: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class DraftChange:
    """The changes of a draft: tables, byes, and players at a fixed table."""

    tables: Reason | None
    byes: tuple[Reference, ...]
    seats: tuple[Reason, ...]


def keep_draft(recorder: Recorder, why: Reason, change: FieldChange = FieldChange()) -> None:
    """Change as few tables of a standing draft as possible, within a step.

    This is done after the field changed. Tables that staff made by hand stay while both players are in and
    may meet. A round robin, and a round that follows seeds which changed, is paired again. The draft goes
    where its field cannot be paired any more; the log says what happened.
    """
    for draft in _find_drafts(recorder):
        if _is_paired_as_a_whole(draft) or _follows_seeds(draft, change):
            _pair_again(recorder, draft, why)
            continue
        try:
            repair = _repair(recorder, draft, change)
        except Refused:
            rounds.discard_draft(recorder, why)
            continue
        if repair is not None:
            recorder.log(
                "draft_repaired",
                round=draft,
                why=why,
                changes=repair.tables,
                byes=repair.byes,
                bye_count=len(repair.byes),
                seats=repair.seats,
                seat_count=len(repair.seats),
            )


def _is_paired_as_a_whole(draft: Round) -> bool:
    """Return whether a draft is made again instead of repaired.

    This is so for a schedule and for tables of more than two sides.
    """
    return draft.stage.has_schedule or not get_sides(draft.stage.event).is_duel


def _follows_seeds(draft: Round, change: FieldChange) -> bool:
    seeded_by = find_seeding_column(draft)
    return seeded_by is not None and seeded_by in change.values


def _pair_again(recorder: Recorder, draft: Round, why: Reason) -> None:
    try:
        rounds.pair_draft_again(recorder, why)
    except Refused:
        recorder.log("draft_discarded", round=draft, why=why)


def _repair(recorder: Recorder, draft: Round, change: FieldChange) -> DraftChange | None:
    """Repair a draft; return what changed, None if nothing did. Raises Refused."""
    field = load_pairing_context(draft.stage.event, draft.stage, draft.number).swiss
    resting_ids = set(field.resting_players)
    returned_byes = _find_lapsed_byes(draft, resting_ids, {entrant.id for entrant in field.entrants})
    for match in returned_byes:
        recorder.delete(match)
    proposal = plan_draft_repair(draft, apart=change.separate_pairs)
    tables = proposal.reason if proposal.removed_matches or proposal.added_tables else None
    _apply(recorder, draft, proposal)
    byes = _give_byes(recorder, draft, resting_ids)
    seats = _seat_at_fixed_tables(recorder, draft, change.at_tables)
    has_changed = tables is not None or byes or seats
    if has_changed or returned_byes:
        _record_field_change(recorder, draft)
    return DraftChange(tables, byes, seats) if has_changed else None


def _find_lapsed_byes(draft: Round, resting_ids: set[int], entrant_ids: set[int]) -> list[Match]:
    """Find byes that are no longer promised, and byes of players no longer in."""
    byes = draft.matches.filter(p2=None)
    promised_byes = byes.filter(why__0__code=rounds.GIVEN_BYE.code).exclude(p1__in=resting_ids)
    lapsed_byes = byes.exclude(p1__in=resting_ids | entrant_ids)
    return list(
        draft.matches.filter(Q(pk__in=promised_byes.values("pk")) | Q(pk__in=lapsed_byes.values("pk")))
    )


def _give_byes(recorder: Recorder, draft: Round, resting_ids: set[int]) -> tuple[Reference, ...]:
    """Give the byes that were promised by now; return who had a table."""
    byes = []
    resting = draft.matches.filter(p2=None, p1__in=resting_ids)
    for match in resting.exclude(why__0__code=rounds.GIVEN_BYE.code):
        recorder.update(match, why=reasons_to_json([rounds.GIVEN_BYE]))
    seated_ids = draft.seats.values_list("player", flat=True)
    for player in Player.objects.filter(pk__in=resting_ids).exclude(pk__in=seated_ids).order_by("number"):
        rounds.insert_matches(recorder, draft, [rounds.bye_values(recorder, player.pk, (rounds.GIVEN_BYE,))])
        byes.append(reference(player))
    return tuple(byes)


def _seat_at_fixed_tables(recorder: Recorder, draft: Round, player_ids: PlayerIds) -> tuple[Reason, ...]:
    """Move players to the tables that are fixed for them by now; return what changed."""
    seats = []
    for player in Player.objects.filter(pk__in=player_ids, fixed_table__isnull=False).order_by("number"):
        match = draft.matches.filter(seats__player=player, table__isnull=False).first()
        if match is None or match.table is None or player.fixed_table is None:
            continue
        if player.fixed_table == match.table or _is_fixed_here(match):
            continue
        move_match(recorder, draft, match.table, player.fixed_table)
        seats.append(reason("plays_at_table", player=reference(player), table=player.fixed_table))
    return tuple(seats)


def _is_fixed_here(match: Match) -> bool:
    """Return whether one of the two has this very table for good."""
    return Player.objects.filter(seats__match=match, fixed_table=match.table).exists()


def _record_field_change(recorder: Recorder, draft: Round) -> None:
    report = {name: value for name, value in draft.pairing.items() if name not in ("proved", "method")}
    if moves := list_manual_changes(draft):
        report[MANUAL_CHANGES_KEY] = [*moves, {"move": FIELD_CHANGE}]
    recorder.update(draft, pairing={**report, "amended": draft.pairing.get("amended", 0) + 1})


def _find_drafts(recorder: Recorder) -> list[Round]:
    drafts = Round.objects.select_related("stage__event")
    return list(drafts.filter(stage__event=recorder.event, state=Round.State.DRAFT))


def plan_draft_repair(draft: Round, *, apart: PlayerIds = ()) -> RepairProposal:
    """Return the fewest tables to change for the current field.

    The two players of `apart` may not stay together. Raises Refused.
    """
    event, attempt = draft.stage.event, draft.pairing.get("amended", 0)
    seed = derive_seed(event.seed, draft.stage.position, draft.number, "repair", attempt)
    settled_tables = _find_settled_tables(draft, set(apart))
    proposal = propose_repairs(draft, seed, settled_ids=settled_tables).swap
    removed_ids = [match.pk for match in proposal.removed_matches]
    stays = draft.matches.filter(p2__isnull=False).exclude(pk__in=removed_ids).exists()
    if not stays and all(table.p2 is None for table in proposal.added_tables):
        raise Refused("too_few_players")
    return proposal


def _find_settled_tables(draft: Round, apart: set[int]) -> set[int]:
    """Return the ids of the tables made by hand whose players are in and may meet."""
    entrants = load_pairing_context(draft.stage.event, draft.stage, draft.number).swiss.entrants
    ids = {entrant.id for entrant in entrants}
    by_hand = draft.matches.filter(why__0__code=PAIR_BY_HAND.code, p2__isnull=False)
    by_hand_ids = by_hand.values_list("pk", "p1_id", "p2_id")
    return {pk for pk, one, two in by_hand_ids if {one, two} <= ids and {one, two} != apart}


def _apply(recorder: Recorder, draft: Round, proposal: RepairProposal) -> None:
    for match in proposal.removed_matches:
        recorder.delete(match)
    tables = [
        {**rounds.pair_values(recorder, each.p1, each.p2, each.why), "table": each.table}
        for each in proposal.added_tables
    ]
    rounds.insert_matches(recorder, draft, tables)


def report_draft_changes(event: Event, run: Callable[[], Result]) -> tuple[Result, list[StatedReason]]:
    """Run a step and return its result and its changes to a standing draft.

    The changes are in the words of the log.
    """
    with transaction.atomic():
        # No other step can come between.
        Event.objects.select_for_update().get(pk=event.pk)
        last = event.log.values_list("pk", flat=True).first() or 0
        result = run()
        new_entries = event.log.filter(pk__gt=last, action__in=DRAFT_ACTIONS).order_by("pk")
        return result, _state_entries(show_entries(new_entries))


def _state_entries(entries: Sequence[LogEntry]) -> list[StatedReason]:
    reasons = [Reason(entry.action, params_from_json(entry.params)) for entry in entries]
    numbers = load_player_numbers(reasons)
    return [
        StatedReason(each.code, params_to_json(number_players(each, numbers).params), entry.sentence)
        for each, entry in zip(reasons, entries, strict=True)
    ]
