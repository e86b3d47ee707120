"""Write a result and update everything that was made from the old one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import F, QuerySet

from decks.shared.refusals import Conflict, Refused
from decks.shared.rows import find_row
from rules.reason import Reason, Reference, reason
from tournament.brackets.services import bracket as bracket_services
from tournament.brackets.services import cut
from tournament.events.models.event import Stage
from tournament.events.models.match_result import MatchResult
from tournament.events.models.round import Match, Round, Seat
from tournament.log.step import Recorder
from tournament.matches import enter_penalty_results, name_match, name_pair, name_result
from tournament.pairing.selectors.repairs import (
    RepairProposal,
    RoundRepairs,
    open_round_after,
    propose_repairs,
)
from tournament.pairing.services import rounds
from tournament.shared.coded_texts import format_coded_text
from tournament.shared.hashes import derive_seed


def reload_match(recorder: Recorder, match: Match) -> Match:
    """Return the match of a step as it is under the event's lock.

    Raises Conflict when it is gone.
    """
    locked_match = find_row(Match.objects.select_related("round__stage", "p1", "p2").filter(pk=match.pk))
    if locked_match is None:
        raise Conflict("match_gone")
    locked_match.round.stage.event = recorder.event
    return locked_match


def refuse_stale_revision(match: Match, seen_revision: int | None) -> None:
    """Raise Conflict if the match changed since the page was shown.

    The page showed revision `seen_revision`.
    """
    if seen_revision is not None and seen_revision != match.revision:
        heading = name_match(match, "named_match.heading")
        if not match.is_finished:
            raise Conflict("result_changed_meanwhile.cleared", heading=heading)
        result, result_by = name_result(match), format_coded_text(match.result_by)
        raise Conflict("result_changed_meanwhile", heading=heading, result=result, result_by=result_by)


def refuse_other_result(match: Match, wanted_result: MatchResult) -> None:
    """Raise Conflict if another result is entered already.

    Then two slips of one table differ.
    """
    if match.is_finished and not match.is_bye:
        raise Conflict(
            "another_result_stands",
            heading=name_match(match, "named_match.heading"),
            result=name_result(match),
            result_by=format_coded_text(match.result_by),
            written=wanted_result.score,
        )


def write_result(recorder: Recorder, match: Match, result: MatchResult, author: str) -> None:
    """Write the result and its author.

    Raises Conflict when someone else wrote since the match was read.
    """
    is_finished = result.outcome != Match.Outcome.PLAYING
    _write_values(
        recorder,
        match,
        {
            **result.values(),
            "result_by": author[:120] if is_finished else "",
            "result_at": recorder.now if is_finished else None,
        },
    )
    if match.is_pod and not is_finished:
        for seat in Seat.objects.filter(match=match, place__isnull=False):
            recorder.update(seat, place=None)
        forget_sides(match)


def _write_values(recorder: Recorder, match: Match, values: Mapping[str, object]) -> None:
    """Set fields of a match with one statement.

    At the same revision, the values of the match are still those of its row.
    """
    stored_matches = Match.objects.filter(pk=match.pk, revision=match.revision)
    if not stored_matches.update(revision=F("revision") + 1, **values):
        refuse_stale_revision(reload_match(recorder, match), match.revision)
    match.revision += 1
    changed_names = [name for name, value in values.items() if getattr(match, name) != value]
    old_values = {name: getattr(match, name) for name in changed_names}
    for name in changed_names:
        setattr(match, name, values[name])
    if changed_names:
        recorder.remember(match, old_values, {name: values[name] for name in changed_names})


def forget_sides(match: Match) -> None:
    """Read the sides of a match again when they are requested next."""
    match.__dict__.pop("sides", None)
    getattr(match, "_prefetched_objects_cache", {}).pop("seats", None)


def update_round_and_bracket(recorder: Recorder, match: Match) -> None:
    """Let the bracket go on and the round finish or reopen."""
    if not match.round.stage.is_elimination:
        rounds.update_round_state(recorder, match.round)
        return
    bracket_services.advance_bracket(recorder, match.round.stage)
    if Match.objects.filter(pk=match.pk).exists():
        rounds.update_round_state(recorder, match.round)
    bracket_services.finish_or_reopen_event(recorder, match.round.stage)


class RepairStrategy(StrEnum):
    """The effect on what was made from the old result."""

    LEAVE = "leave"
    SWAP = "swap"
    ALL = "all"
    FALL = "fall"
    CUT = "cut"


def apply_consequences(
    recorder: Recorder, match: Match, old_values: MatchResult, *, way: str = "", seen_mark: str | None = None
) -> None:
    """Bring everything in line with a result that was just written.

    It replaces the result `old_values`. Raises Refused if someone has to choose a way first and `way` is
    empty, and Conflict where the proposal of that way is another by now than the one with the mark
    `seen_mark`.
    """
    _refuse_unknown_strategy(way)
    if match.round.stage.is_elimination:
        _follow_in_bracket(recorder, match, way)
        return
    update_round_and_bracket(recorder, match)
    if old_values.outcome != match.outcome:
        _follow_in_later_rounds(recorder, match, way, seen_mark, is_new=not old_values.outcome)


def _refuse_unknown_strategy(way: str) -> None:
    if way and way not in set(RepairStrategy):
        raise Refused("way_unknown", field="way", way=way[:20], choices=tuple(RepairStrategy))


def _follow_in_bracket(recorder: Recorder, match: Match, way: str) -> None:
    results_before = describe_bracket_results(match.round.stage)
    update_round_and_bracket(recorder, match)
    results_after = describe_bracket_results(match.round.stage)
    removed_results = tuple(
        result for pk, result in results_before.items() if pk not in results_after and pk != match.pk
    )
    if removed_results and way != RepairStrategy.FALL:
        raise Refused("way_needed.bracket", field="way", removed_results=removed_results)


def describe_bracket_results(stage: Stage) -> Mapping[int, Reason]:
    """Return the results of a bracket, by match."""
    return {
        match.pk: reason("match_with_result", match=name_pair(match), result=name_result(match))
        for match in load_bracket_results(stage)
    }


def load_bracket_results(stage: Stage) -> QuerySet[Match]:
    """Return the matches of a bracket that have a result.

    They come with all that identifies them.
    """
    finished_matches = Match.objects.filter(round__stage=stage).exclude(outcome="")
    return finished_matches.select_related("p1", "p2", "round__stage__event").order_by("pk")


def _follow_in_later_rounds(
    recorder: Recorder, match: Match, way: str, seen_mark: str | None, *, is_new: bool
) -> None:
    """Bring a result into later rounds.

    `is_new`: the match had no result, so no draft was made from it; a later round may still be out.
    """
    _refuse_group_round_after(match)
    if match.round.stage.kind in (Stage.Kind.SWISS, Stage.Kind.GROUPS) and not is_new:
        _pair_draft_again(recorder, match)
    later_round = open_round_after(match.round)
    stage = find_next_stage(match.round.stage)
    if later_round is None and stage is None:
        return
    if not way:
        raise _strategy_needed(match, later_round, is_new=is_new)
    if later_round is not None and way in (RepairStrategy.SWAP, RepairStrategy.ALL):
        amend_round(recorder, later_round, way, seen_mark=seen_mark)
    elif stage is not None and stage.is_elimination and way == RepairStrategy.CUT:
        cut.remake_cut_in_step(recorder, seen_mark=seen_mark)
    elif way != RepairStrategy.LEAVE:
        raise Refused("way_impossible", field="way")


def _refuse_group_round_after(match: Match) -> None:
    """Raise Refused where a later round of groups of four follows from the result."""
    if match.round.stage.kind != Stage.Kind.GROUPS:
        return
    later = match.round.stage.rounds.exclude(state=Round.State.DRAFT).filter(number__gt=match.round.number)
    number = later.order_by("number").values_list("number", flat=True).first()
    if number is not None:
        raise Refused("group_round_follows", round=match.round.number, later_round=number)


def find_next_stage(stage: Stage) -> Stage | None:
    """Return the stage that was made from this one, if it has begun."""
    return (
        Stage.objects.filter(event=stage.event_id, position__gt=stage.position).order_by("position").first()
    )


def _strategy_needed(match: Match, later_round: Round | None, *, is_new: bool) -> Refused:
    return Refused(
        "way_needed",
        field="way",
        round=later_round.number if later_round else None,
        is_new=is_new,
        p1=match.p1.name,
        p2=match.p2.name if match.p2 else "",
    )


def _pair_draft_again(recorder: Recorder, match: Match) -> None:
    why = reason(
        "result_changed",
        p1=Reference("player", match.p1_id),
        p2=Reference("player", match.p2_id) if match.p2_id else None,
        round=match.round.number,
    )
    renew_draft(recorder, match.round.stage, why)


def renew_draft(recorder: Recorder, stage: Stage, why: Reason) -> None:
    """Renew a draft by the current results of the rounds before it.

    Discard it if one of these rounds is open again.
    """
    if Match.objects.filter(round__stage=stage, round__state="published", outcome="").exists():
        rounds.discard_draft(recorder, why)
    else:
        rounds.pair_draft_again(recorder, why)


@dataclass(frozen=True, slots=True)
class RepairLimits:
    """The input of a repair.

    It has the ids of settled matches, and pairs of players that stay apart.
    """

    settled_matches: tuple[int, ...] = ()
    separate_pairs: tuple[tuple[int, int], ...] = ()


NO_LIMITS = RepairLimits()


def plan_repairs(later_round: Round, limits: RepairLimits = NO_LIMITS) -> RoundRepairs:
    """Return both ways to change a published round.

    They are the same whenever they are requested in the same state.
    """
    attempt = later_round.pairing.get("amended", 0)
    seed = derive_seed(
        later_round.stage.event.seed, later_round.stage.position, later_round.number, "repair", attempt
    )
    return propose_repairs(later_round, seed, settled_ids=limits.settled_matches, apart=limits.separate_pairs)


def amend_round(
    recorder: Recorder,
    later_round: Round,
    way: str,
    *,
    seen_mark: str | None = None,
    limits: RepairLimits = NO_LIMITS,
) -> RepairProposal:
    """Change the unfinished tables of a published round and mark the changes."""
    later_round = Round.objects.select_related("stage__event").get(pk=later_round.pk)
    if later_round.stage.kind != Stage.Kind.SWISS:
        raise Refused("schedule_fixed.repair", field="way")
    proposal = plan_repairs(later_round, limits).of(way)
    if seen_mark is not None and seen_mark != proposal.mark:
        raise Conflict("plan_changed_meanwhile.round", round=later_round.number)
    _apply_repair(recorder, later_round, proposal)
    return proposal


def _apply_repair(recorder: Recorder, later_round: Round, proposal: RepairProposal) -> None:
    if not proposal.removed_matches and not proposal.added_tables:
        recorder.log("round_kept", round=later_round)
        return
    for match in proposal.removed_matches:
        recorder.delete(match)
    rounds.insert_matches(
        recorder,
        later_round,
        [
            {
                **rounds.pair_values(recorder, each.p1, each.p2, each.why),
                "table": each.table,
                "amended_at": recorder.now,
            }
            for each in proposal.added_tables
        ],
    )
    mark_amended(recorder, later_round)
    recorder.log("round_amended", round=later_round, changes=proposal.reason)
    enter_penalty_results(recorder, later_round)
    rounds.update_round_state(recorder, later_round)


def mark_amended(recorder: Recorder, round_: Round) -> None:
    """Mark that tables of a published round changed.

    Nothing that was known of its pairing still holds.
    """
    kept_pairing = {
        name: value for name, value in round_.pairing.items() if name not in ("proved", "method", "by_hand")
    }
    amended_pairing = {**kept_pairing, "amended": round_.pairing.get("amended", 0) + 1}
    recorder.update(round_, amended_at=recorder.now, pairing=amended_pairing)
