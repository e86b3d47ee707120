"""Preview a correction or a drop: run it, measure the impact, roll back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

from django.db import transaction
from django.utils.translation import gettext

from decks.shared.json_shapes import Published
from decks.shared.refusals import Refused
from decks.shared.stated_reasons import StatedReason, state_reason
from rules.reason import Reason
from tournament.access.permissions import Actor
from tournament.brackets.selectors.cut_proposal import CutProposal
from tournament.brackets.services import cut as cut_services
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.settings import get_sides
from tournament.log.step import step
from tournament.matches import CorrectionEntry, name_pair
from tournament.pairing.selectors.drafts import DraftWarning, find_draft_notice, load_draft_view
from tournament.pairing.selectors.repairs import RepairProposal, RoundRepairs, open_round_after
from tournament.pairing.services.draft_repair import plan_draft_repair
from tournament.results.services import drops, results, writing
from tournament.results.services.writing import RepairStrategy
from tournament.results.stated_results import state_match_with_result, state_replaced_match, state_result
from tournament.standings.selectors.standings import standings

DRY_RUN_REASON = "rehearsed"


@dataclass(frozen=True, slots=True)
class StandingsPlace:
    """A player's place and points."""

    rank: int
    points: str


@dataclass(frozen=True, slots=True)
class StandingsChange(Published):
    """A player's place and points in the standings before and after."""

    PUBLISHED = {"player": "number", "name": "name", "before": "before", "after": "after"}

    player: Player
    before: StandingsPlace
    after: StandingsPlace

    @property
    def number(self) -> int:
        """The player's number in the event."""
        return self.player.number

    @property
    def name(self) -> str:
        """The player's name."""
        return self.player.name


@dataclass(frozen=True, slots=True)
class CorrectionImpact(Published):
    """Everything a correction would touch.

    `standings_changes`: players whose place or points change. `repairs`: the two ways to change the published
    round that was paired from the old result, if there is one; `doubts`: the objections to leaving it.
    `draft`: the number of a draft that is paired again; `lost_changes`: how many manual changes it loses.
    `falls`: results of a bracket that no longer count. `tables`: open matches of a bracket that others play
    then. `stage_made`: whether a later stage was made from the old standings; `cut`: what re-making it
    changes.
    """

    PUBLISHED = {
        "before": "before",
        "after": "after",
        "needs_a_way": "needs_a_way",
        "standings": "standings_changes",
        "round": "repaired_round",
        "ways": "ways",
        "doubts": "doubts",
        "draft": "draft",
        "lost_changes": "lost_changes",
        "falls": "falls",
        "tables": "tables",
        "stage_made": "stage_made",
    }

    match: Match
    before: StatedReason
    after: StatedReason
    standings_changes: list[StandingsChange]
    repairs: RoundRepairs | None
    doubts: list[DraftWarning]
    draft: int | None
    lost_changes: int
    falls: list[StatedReason]
    tables: list[StatedReason]
    stage_made: bool
    cut: CutProposal | None

    @property
    def needs_a_way(self) -> bool:
        """Whether someone has to choose before the result can be written."""
        return bool(self.repairs or self.falls or self.stage_made)

    @property
    def recommended_way(self) -> str:
        """The way that disturbs the event least; empty if none has to be chosen."""
        if self.falls:
            return RepairStrategy.FALL
        if self.repairs:
            is_early = not self.repairs.finished_count and bool(self.repairs.swap.changes)
            return self.repairs.swap.way if self.doubts and is_early else RepairStrategy.LEAVE
        if self.stage_made:
            can_remake = self.cut is not None and self.cut.is_different and not self.cut.refusal
            return "cut" if can_remake else RepairStrategy.LEAVE
        return ""

    @property
    def ordered_ways(self) -> list[str]:
        """All ways, the recommended one first."""
        offered_ways = [way.way for way in self.ways if way.changes or way.way == "cut"]
        ways: list[str] = [RepairStrategy.LEAVE, *offered_ways] if self.repairs or self.stage_made else []
        return sorted(ways, key=lambda way: way != self.recommended_way)

    @property
    def repaired_round(self) -> int | None:
        """The number of the round whose tables could change."""
        return self.repairs.round.number if self.repairs else None

    @property
    def ways(self) -> list[RepairProposal | CutProposal]:
        """Return what could become of what was made from the old result."""
        proposals: list[RepairProposal | CutProposal] = []
        if self.repairs:
            proposals += self.repairs.proposals
        if self.cut is not None and self.cut.is_different and not self.cut.refusal:
            proposals.append(self.cut)
        return proposals


def preview_correction(match: Match, actor: Actor, **entry: Unpack[CorrectionEntry]) -> CorrectionImpact:
    """Return what giving the match this result would change; nothing is written.

    `entry` as for `enter_result`.

    Raises Refused if the result itself is refused.
    """
    with transaction.atomic():
        try:
            return _measure_impact(_reload_with_event(match), actor, entry)
        finally:
            transaction.set_rollback(True)


def _reload_with_event(match: Match) -> Match:
    return Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk)


def _measure_impact(match: Match, actor: Actor, entry: CorrectionEntry) -> CorrectionImpact:
    event, stage = match.round.stage.event, match.round.stage
    before = rank_players(event)
    manual_changes = count_manual_changes(event)
    results_before = _state_bracket_results(stage)
    open_matches = _open_bracket_matches(stage)
    old_result = state_result(match) if match.is_finished else state_reason(Reason("no_result"))
    strategy = RepairStrategy.FALL if stage.is_elimination else RepairStrategy.LEAVE
    reason = entry.get("reason") or DRY_RUN_REASON
    entry |= {"way": strategy, "reason": reason, "seen_revision": None, "seen_plan": None}
    changed_match = results.enter_result(match, actor, **entry)
    results_after = _state_bracket_results(stage)
    later_round = open_round_after(match.round) if changed_match.outcome != match.outcome else None
    stage_made = not stage.is_elimination and writing.find_next_stage(stage) is not None
    return CorrectionImpact(
        match=match,
        before=old_result,
        after=state_result(changed_match),
        standings_changes=compare_standings(event, before),
        repairs=_plan_repairs_or_none(later_round),
        doubts=list_doubts(later_round),
        draft=find_draft_number(event),
        lost_changes=manual_changes - count_manual_changes(event),
        falls=[result for pk, result in results_before.items() if pk not in results_after],
        tables=_compare_open_matches(open_matches, _open_bracket_matches(stage)),
        stage_made=stage_made,
        cut=cut_services.try_remaking_cut(event, actor) if stage_made else None,
    )


def _state_bracket_results(stage: Stage) -> dict[int, StatedReason]:
    """Return the matches of a bracket with their results, by id.

    There are none of another stage.
    """
    if not stage.is_elimination:
        return {}
    return {match.pk: state_match_with_result(match) for match in writing.load_bracket_results(stage)}


def _open_bracket_matches(stage: Stage) -> dict[int | None, Match]:
    """Return the open matches of a bracket, by their place in it."""
    if not stage.is_elimination:
        return {}
    open_matches = Match.objects.filter(round__stage=stage, outcome="").select_related("p1", "p2")
    return {match.bracket_match: match for match in open_matches.order_by("pk")}


def _compare_open_matches(
    before: dict[int | None, Match], after: dict[int | None, Match]
) -> list[StatedReason]:
    pairs = ((match, after.get(place)) for place, match in before.items())
    return [
        state_replaced_match(old, new)
        for old, new in pairs
        if new is None or name_pair(new) != name_pair(old)
    ]


def rank_players(event: Event) -> dict[int, tuple[Player, StandingsPlace]]:
    """Return everyone's current place and points, by the id of the player."""
    return {
        line.player.pk: (line.player, StandingsPlace(line.rank, str(line.row.points)))
        for line in standings(event)
    }


def compare_standings(
    event: Event, before: dict[int, tuple[Player, StandingsPlace]]
) -> list[StandingsChange]:
    """Return whose place or points are others now."""
    after = rank_players(event)
    return [
        StandingsChange(player, place, after[pk][1])
        for pk, (player, place) in before.items()
        if pk in after and after[pk][1] != place
    ]


def _plan_repairs_or_none(later_round: Round | None) -> RoundRepairs | None:
    try:
        return writing.plan_repairs(later_round) if later_round else None
    except Refused:
        return None


def list_doubts(later_round: Round | None) -> list[DraftWarning]:
    """Return the objections to the open tables as they are published.

    The bye is included.
    """
    if later_round is None:
        return []
    finished_ids = set(
        later_round.matches.exclude(outcome__in=("", Match.Outcome.BYE)).values_list("pk", flat=True)
    )
    return [warning for warning in load_draft_view(later_round).warnings if warning.match not in finished_ids]


def find_draft_number(event: Event) -> int | None:
    """Return the number of the round that is a draft now."""
    drafts = Round.objects.filter(stage__event=event, state=Round.State.DRAFT)
    return drafts.values_list("number", flat=True).first()


def count_manual_changes(event: Event) -> int:
    """Return how many changes by hand a draft has now."""
    notice = find_draft_notice(event)
    return notice.manual_changes if notice else 0


def preview_drop(player: Player, actor: Actor) -> RoundRepairs | None:
    """Return the published tables that could change if this player left.

    The player has an open match.
    """
    if not get_sides(player.event).is_duel:
        return None
    with transaction.atomic():
        try:
            with step(Event.objects.get(pk=player.event_id), actor) as recorder:
                locked_player = Player.objects.get(pk=player.pk)
                open_match = drops.find_open_match(locked_player)
                if open_match is None or not drops.drop_in_step(recorder, locked_player):
                    return None
                return writing.plan_repairs(
                    Round.objects.select_related("stage__event").get(pk=open_match.round_id)
                )
        except Refused:
            return None
        finally:
            transaction.set_rollback(True)


@dataclass(frozen=True, slots=True)
class DraftEffect:
    """The effect of a drop on a draft: the changed tables, in one sentence."""

    number: int
    sentence: str


def preview_draft_change(player: Player) -> DraftEffect | None:
    """Return what happens to a standing draft if the player drops.

    It is None without a draft. Nothing is written.
    """
    drafts = Round.objects.select_related("stage__event").filter(stage__event=player.event_id)
    draft = drafts.filter(state=Round.State.DRAFT).first()
    if draft is None:
        return None
    if draft.stage.has_schedule:
        return DraftEffect(draft.number, gettext("It follows its schedule."))
    if not get_sides(draft.stage.event).is_duel:
        return DraftEffect(draft.number, gettext("All its tables are seated again."))
    with transaction.atomic():
        try:
            Player.objects.filter(pk=player.pk).update(dropped_after=draft.number - 1)
            return DraftEffect(draft.number, plan_draft_repair(draft).sentence)
        except Refused:
            sentence = gettext("It is discarded, because its players cannot be paired.")
            return DraftEffect(draft.number, sentence)
        finally:
            transaction.set_rollback(True)
