"""Begin the stages of an event in the order of its plan."""

from __future__ import annotations

from collections.abc import Sequence

from decks.shared.refusals import Refused
from tournament.access.permissions import Actor
from tournament.brackets.selectors.cut_proposal import order_seeds
from tournament.brackets.services import bracket as bracket_services
from tournament.engine.brackets.groups_of_four import ROUNDS, build_elimination_groups, can_fill_groups
from tournament.engine.pairing.model import PairingError
from tournament.engine.pairing.round_plan import suggest_round_count
from tournament.engine.pairing.round_robin import berger_table, split_into_groups
from tournament.events import selectors
from tournament.events.models.event import Event, Stage, StageEntrant
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.events.settings import StagePlan, get_plan
from tournament.log.step import Recorder, step
from tournament.pairing.selectors import pairing_context
from tournament.pairing.selectors.round_count import suggest_swiss_rounds
from tournament.standings.selectors import qualifying
from tournament.standings.selectors.exits import get_exit_rule, has_everyone_left, list_active_players
from tournament.standings.selectors.qualifying import CutDecisionData

Phase = Event.Phase


def begin_first_stage(recorder: Recorder, starting_players: Sequence[Player]) -> Stage:
    """Begin the first stage of the plan with these players.

    A bracket is paired at once.
    """
    plan = get_plan(recorder.event)[0]
    if plan.kind == Stage.Kind.SWISS:
        rounds = plan.most_rounds or suggest_swiss_rounds(recorder.event, len(starting_players))
        return _create_stage(recorder, plan, 1, rounds)
    playing_ids = {player.pk for player in starting_players}
    seeded_ids = [pk for pk in pairing_context.seeded_players(recorder.event) if pk in playing_ids]
    return _begin_stage(recorder, plan, 1, seeded_ids, [])


def begin_next_stage(event: Event, actor: Actor) -> Stage:
    """Select who plays on and begin the next stage of the plan.

    A bracket is paired at once. Pressing twice begins it once: while nothing of it is played, it is returned
    as it is. Raises Refused while the present stage is unfinished, if nothing follows it, and with fewer than
    two players.
    """
    with step(event, actor) as recorder:
        now = selectors.get_current_stage(recorder.event)
        if now is not None and now.position > 1 and _is_fresh(now):
            return now
        planned_stage = _refuse_too_early(recorder.event, now)
        selection = qualifying.select_qualifiers(recorder.event, planned_stage)
        if len(selection.places) < 2:
            raise Refused("cut_too_small")
        return _begin_stage(
            recorder,
            planned_stage,
            1 + (now.position if now else 0),
            order_seeds(now, planned_stage, [place.player for place in selection.places]),
            selection.as_data(),
        )


def update_planned_rounds(recorder: Recorder) -> None:
    """Adapt the table stage in play to a changed number of rounds."""
    stage = selectors.get_standings_stage(recorder.event) if recorder.event.phase == Phase.SWISS else None
    if stage is None:
        return
    wanted_rounds = get_plan(recorder.event)[stage.position - 1].rounds
    if stage.kind == Stage.Kind.SWISS and wanted_rounds is not None:
        recorder.update(stage, planned_rounds=wanted_rounds)
    total = selectors.count_rounds_before(stage) + (stage.planned_rounds or 0)
    recorder.update(recorder.event, swiss_rounds=total)


def refuse_late_entry(event: Event) -> None:
    """Raise Refused if no player can join: groups, later stages, the end."""
    if event.phase in (Phase.CUT, Phase.FINISHED):
        raise Refused("too_late_to_enter.rounds_over", phase=event.phase)
    now = selectors.get_current_stage(event) if event.phase == Phase.SWISS else None
    if now is not None and now.has_schedule:
        raise Refused("schedule_made", kind=now.kind)
    if now is not None and now.position > 1:
        raise Refused("too_late_to_enter.later_stage")


def _is_fresh(stage: Stage) -> bool:
    return stage.is_elimination or not stage.rounds.exists()


def is_next_stage_due(event: Event) -> bool:
    """Return whether the present stage is finished and another follows it."""
    try:
        _refuse_too_early(event, selectors.get_current_stage(event))
    except Refused:
        return False
    return True


def can_finish_early(event: Event) -> bool:
    """Return whether no next round or stage can begin.

    None can if too few players are left, or too few qualify.
    """
    now = selectors.get_current_stage(event)
    if event.phase != Phase.SWISS or now is None:
        return False
    if now.kind == Stage.Kind.SWISS and list_active_players(now).count() < (1 if get_exit_rule(now) else 2):
        return True
    try:
        planned_stage = _refuse_too_early(event, now)
        return len(qualifying.select_qualifiers(event, planned_stage).places) < 2
    except Refused:
        return False


def _refuse_too_early(event: Event, now: Stage | None) -> StagePlan:
    plan = get_plan(event)
    if now is None or event.phase != Phase.SWISS:
        raise Refused("not_in_swiss")
    if now.position >= len(plan):
        raise Refused("no_cut_planned")
    finished_rounds = now.rounds.filter(state=Round.State.FINISHED).count()
    is_played = finished_rounds >= (now.planned_rounds or 1) or has_everyone_left(now)
    if not is_played or now.rounds.exclude(state=Round.State.FINISHED).exists():
        raise Refused(
            "swiss_unfinished",
            finished_rounds=finished_rounds,
            planned_rounds=now.planned_rounds or 1,
        )
    return plan[now.position]


def _begin_stage(
    recorder: Recorder,
    planned_stage: StagePlan,
    position: int,
    seeded_ids: Sequence[int],
    decisions: Sequence[CutDecisionData],
) -> Stage:
    """Begin a stage with these players, best seed first."""
    groups = _divide_groups(planned_stage, seeded_ids)
    stage = _create_stage(
        recorder, planned_stage, position, _count_rounds(planned_stage, seeded_ids, groups), decisions
    )
    group_of = {player: group_number for group_number, group in enumerate(groups, 1) for player in group}
    recorder.create_all(
        StageEntrant(stage=stage, player_id=player, seed=seed, group=group_of.get(player, 0))
        for seed, player in enumerate(seeded_ids, 1)
    )
    if stage.is_elimination:
        bracket_services.advance_bracket(recorder, stage)
    return stage


def _divide_groups(planned_stage: StagePlan, seeded_ids: Sequence[int]) -> Sequence[Sequence[int]]:
    if planned_stage.kind == Stage.Kind.GROUPS:
        return _divide_into_fours(seeded_ids)
    if planned_stage.kind != Stage.Kind.ROBIN:
        return ()
    if 2 * planned_stage.groups > len(seeded_ids):
        raise Refused(
            "too_few_for_groups",
            player_count=len(seeded_ids),
            groups=planned_stage.groups,
            most_groups=max(len(seeded_ids) // 2, 1),
        )
    try:
        return split_into_groups(seeded_ids, planned_stage.groups)
    except PairingError as error:
        raise Refused("groups_impossible", why=str(error)) from error


def _divide_into_fours(seeded_ids: Sequence[int]) -> Sequence[Sequence[int]]:
    if not can_fill_groups(len(seeded_ids)):
        raise Refused("groups_not_filled", player_count=len(seeded_ids))
    groups = build_elimination_groups(len(seeded_ids))
    return [[seeded_ids[seed - 1] for seed in group.seeds] for group in groups]


def _count_rounds(
    planned_stage: StagePlan, seeded_ids: Sequence[int], groups: Sequence[Sequence[int]]
) -> int:
    if planned_stage.kind == Stage.Kind.ROBIN:
        return max(len(berger_table(len(group))) for group in groups) * (2 if planned_stage.twice else 1)
    if planned_stage.kind == Stage.Kind.SWISS:
        return planned_stage.most_rounds or suggest_round_count(len(seeded_ids))
    if planned_stage.kind == Stage.Kind.GROUPS:
        return ROUNDS
    return (len(seeded_ids) - 1).bit_length()


def _create_stage(
    recorder: Recorder,
    planned_stage: StagePlan,
    position: int,
    rounds: int,
    decisions: Sequence[CutDecisionData] = (),
) -> Stage:
    stage = recorder.create(
        Stage(
            event=recorder.event,
            position=position,
            kind=planned_stage.kind,
            planned_rounds=rounds,
            groups=planned_stage.groups,
            twice=planned_stage.twice,
            third_place=planned_stage.third_place,
            consolation=planned_stage.consolation,
            reset=planned_stage.reset,
            wins_in=planned_stage.wins_in,
            losses_out=planned_stage.losses_out,
            selection=list(decisions),
        )
    )
    _enter_stage(recorder, stage)
    return stage


def _enter_stage(recorder: Recorder, stage: Stage) -> None:
    """Put the event into the phase of its stage.

    Table rounds are counted through all stages.
    """
    event = recorder.event
    if stage.is_elimination:
        recorder.update(event, phase=Phase.CUT)
    else:
        total = selectors.count_rounds_before(stage) + (stage.planned_rounds or 0)
        recorder.update(event, phase=Phase.SWISS, swiss_rounds=total)
    if stage.position > 1:
        players = len([row for row in stage.selection if row["in"]])
        recorder.log("cut_made" if stage.is_elimination else "cut_made.next_stage", players=players)
