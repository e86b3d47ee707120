"""Make, decline and remake the cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext

from decks.shared.refusals import Conflict, Refused
from tournament.access.permissions import Actor
from tournament.brackets.selectors.cut_proposal import CutProposal, propose_cut
from tournament.brackets.services import bracket as bracket_services
from tournament.brackets.services import stages
from tournament.events.models.event import Event, Stage, StageEntrant
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.log.step import Recorder, step
from tournament.pairing.selectors.table_changes import EMPTY_TABLE, TableChange, TableContent, change_table
from tournament.standings.selectors.qualifying import fingerprint_decisions, list_cut_decisions

Phase = Event.Phase


def make_cut(
    event: Event, actor: Actor, *, seen_mark: str | None = None, entrants: Sequence[int] | None = None
) -> Stage:
    """Select who plays on, seed them and begin the next stage of the plan.

    `seen_mark` is the mark of the list that the page showed, `entrants` the numbers of those who come in as a
    program has read them, best first. Raises Conflict if others would come in now.
    """
    with transaction.atomic():
        locked_event = Event.objects.select_for_update().get(pk=event.pk)
        if locked_event.phase == Phase.SWISS and (seen_mark, entrants) != (None, None):
            _refuse_changed_cut(locked_event, seen_mark, entrants)
        return stages.begin_next_stage(event, actor)


def _refuse_changed_cut(event: Event, seen_mark: str | None, entrants: Sequence[int] | None) -> None:
    decisions = list_cut_decisions(event, None)
    numbers = [each.player.number for each in decisions if each.is_in]
    if seen_mark not in (None, fingerprint_decisions(decisions)) or (
        entrants is not None and list(entrants) != numbers
    ):
        raise Conflict("cut_changed_meanwhile")


def can_decline_cut(player: Player) -> bool:
    """Return whether the player could have a place in a cut still to be made.

    No query.
    """
    event = player.event
    return event.phase == Phase.SWISS and event.has_bracket and player.is_in


def decline_cut(player: Player, actor: Actor, *, has_declined: bool = True) -> None:
    """Decline a player's place before the cut is made; an alternate moves up.

    Raises Refused if the event has no cut, before the start, and once the cut is made.
    """
    with step(player.event, actor) as recorder:
        player.refresh_from_db(fields=["declined_cut"])
        _refuse_without_cut(recorder.event)
        if recorder.update(player, declined_cut=has_declined):
            recorder.log("cut_declined" if has_declined else "cut_declined.undone", player=player)


def _refuse_without_cut(event: Event) -> None:
    if not event.has_bracket:
        raise Refused("no_cut_planned.declined")
    if event.phase in (Phase.CUT, Phase.FINISHED):
        raise Refused("cut_already_made")
    if event.phase != Phase.SWISS:
        raise Refused("not_playing_yet.cut")


TablesByMatch = Mapping[int, tuple[int | None, TableContent]]


def remake_cut(event: Event, actor: Actor, *, seen_mark: str | None = None, reason: str = "") -> None:
    """Bring the cut in line with the standings as they are now.

    Raises Refused if no cut is made or a match of it is finished, and Conflict where others would come in by
    now than the proposal with the mark `seen_mark` said. If nothing differs, nothing changes.
    """
    with step(event, actor) as recorder:
        remake_cut_in_step(recorder, seen_mark=seen_mark, reason=reason)


def remake_cut_in_step(recorder: Recorder, *, seen_mark: str | None = None, reason: str = "") -> None:
    """Seed the bracket by the current standings, within a step.

    Tables that stay keep their match.
    """
    proposal = _require_proposal(recorder)
    if seen_mark is not None and seen_mark != proposal.mark:
        raise Conflict("plan_changed_meanwhile.cut")
    if not proposal.is_different:
        return
    tables_before = bracket_tables(proposal.stage)
    _replace_entrants(recorder, proposal)
    recorder.log("cut_made_again", reason=reason, changes=proposal.reason)
    bracket_services.advance_bracket(recorder, proposal.stage)
    bracket_services.finish_or_reopen_event(recorder, proposal.stage)
    _mark_amended(recorder, proposal.stage, tables_before)


def _require_proposal(recorder: Recorder) -> CutProposal:
    proposal = propose_cut(recorder.event)
    if proposal is None:
        raise Refused("no_cut_made", field="way")
    if proposal.refusal:
        raise Refused("cut_stays", field="way", why=proposal.refusal)
    return proposal


def _replace_entrants(recorder: Recorder, proposal: CutProposal) -> None:
    stage = proposal.stage
    for match in (
        Match.objects.filter(round__stage=stage).exclude(outcome="").select_related("round", "p1", "p2")
    ):
        bracket_services.remove_match(recorder, match)
    recorder.remove(StageEntrant.objects.filter(stage=stage))
    numbered_seeds = enumerate(proposal.seeds, 1)
    recorder.create_all(StageEntrant(stage=stage, player_id=pk, seed=seed) for seed, pk in numbered_seeds)
    rounds = (len(proposal.seeds) - 1).bit_length()
    selection_data = proposal.selection.as_data() if proposal.selection else []
    recorder.update(stage, selection=selection_data, planned_rounds=rounds)


def _mark_amended(recorder: Recorder, stage: Stage, tables_before: TablesByMatch) -> None:
    """Mark rounds that players had seen where their tables have changed."""
    new_matches = Match.objects.filter(round__stage=stage).exclude(pk__in=tables_before)
    for match in new_matches.select_related("round"):
        recorder.update(match, amended_at=recorder.now)
    for round_ in Round.objects.filter(stage=stage, matches__in=new_matches).distinct():
        recorder.update(round_, amended_at=recorder.now)


def bracket_tables(stage: Stage) -> TablesByMatch:
    """Return table and players of every match of a bracket, by id."""
    matches = Match.objects.filter(round__stage=stage).select_related("p1", "p2").order_by("table")
    return {
        match.pk: (
            match.table,
            TableContent(_format_sides(match), tuple(side.player.number for side in match.sides)),
        )
        for match in matches
    }


def _format_sides(match: Match) -> str:
    return gettext("%(p1)s vs. %(p2)s") % {"p1": match.p1, "p2": match.p2}


def try_remaking_cut(event: Event, actor: Actor) -> CutProposal | None:
    """Re-make the cut to see what changes; the caller rolls it back."""
    proposal = propose_cut(event)
    if proposal is None or proposal.refusal or not proposal.is_different:
        return proposal
    tables_before = bracket_tables(proposal.stage)
    remake_cut(event, actor)
    return proposal.with_tables(_compare_tables(tables_before, bracket_tables(proposal.stage)))


def _compare_tables(before: TablesByMatch, after: TablesByMatch) -> list[TableChange]:
    old = dict(value for pk, value in before.items() if pk not in after)
    added_tables = dict(value for pk, value in after.items() if pk not in before)
    numbers = sorted({*old, *added_tables}, key=lambda n: (n is None, n or 0))
    return [
        change_table(number, old.get(number, EMPTY_TABLE), added_tables.get(number, EMPTY_TABLE))
        for number in numbers
    ]


def preview_remade_cut(event: Event, actor: Actor) -> CutProposal | None:
    """Return what re-making the cut would change, without saving; None without a cut."""
    proposal = propose_cut(event)
    if proposal is None or proposal.refusal or not proposal.is_different:
        return proposal
    with transaction.atomic():
        try:
            return try_remaking_cut(Event.objects.get(pk=event.pk), actor)
        finally:
            transaction.set_rollback(True)
