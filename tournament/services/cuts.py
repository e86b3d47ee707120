"""The cut after the Swiss rounds and the bracket that follows it."""

from __future__ import annotations

from tournament.engine.bracket_play import Seated
from tournament.errors import Refused
from tournament.models import Event, Match, Player, Round, Seat, Stage, StageEntrant
from tournament.selectors import cut as cut_selectors
from tournament.services import rounds
from tournament.services.actor import Actor
from tournament.services.recorder import Recorder, step
from tournament.services.seeds import derive

Phase = Event.Phase


def make_cut(event: Event, actor: Actor) -> Stage:
    """Select who plays on, seed the bracket and pair its first round. A second press changes nothing.

    Raises Refused while the Swiss rounds are unfinished or fewer than two players qualify.
    """
    with step(event, actor) as recorder:
        existing = event.stages.filter(kind=Stage.Kind.SINGLE).first()
        if existing is not None:
            return existing
        _refuse_too_early(recorder.event)
        selection = cut_selectors.select(recorder.event)
        if len(selection.places) < 2:
            raise Refused(
                "cut_too_small", "Fewer than two players qualify for the cut.", fix="Finish the event."
            )
        stage = _seed(recorder, selection)
        recorder.update(recorder.event, phase=Phase.CUT)
        recorder.say("cut_made", f"{actor.label} made the cut to {len(selection.places)} players.")
        advance(recorder, stage)
    return stage


def _refuse_too_early(event: Event) -> None:
    if event.cut == Event.Cut.NONE:
        raise Refused(
            "no_cut_planned", "This event has no cut.", fix="Choose one in the settings, or finish the event."
        )
    stage = rounds.swiss_stage(event)
    played = stage.rounds.filter(state=Round.State.FINISHED).count()
    if played < (stage.planned_rounds or 1) or stage.rounds.exclude(state=Round.State.FINISHED).exists():
        raise Refused(
            "swiss_unfinished",
            f"{played} of {stage.planned_rounds} Swiss rounds are finished.",
            fix="Play the rest first, or plan fewer rounds.",
        )


def _seed(recorder: Recorder, selection: cut_selectors.Selection) -> Stage:
    stage = recorder.create(
        Stage(
            event=recorder.event,
            position=2,
            kind=Stage.Kind.SINGLE,
            planned_rounds=(len(selection.places) - 1).bit_length(),
            selection=selection.as_data(),
        )
    )
    recorder.create_all(
        StageEntrant(stage=stage, player_id=place.player, seed=place.seed) for place in selection.places
    )
    return stage


def decline_cut(player: Player, actor: Actor, *, declined: bool = True) -> None:
    """Before the cut is made a player may decline his place; the next one moves up."""
    with step(player.event, actor) as recorder:
        player.refresh_from_db(fields=["declined_cut"])
        if recorder.event.phase != Phase.SWISS:
            raise Refused("cut_already_made", "The cut is already made.")
        if recorder.update(player, declined_cut=declined):
            word = "declined" if declined else "takes back declining"
            recorder.say("cut_declined", f"{player.name} {word} a place in the cut.")


def advance(recorder: Recorder, stage: Stage) -> None:
    """Bring the bracket in line with the results: seat who is known, take back what no longer follows.

    A match that falls takes its result along, which can make later matches fall: so until nothing falls.
    """
    while _advance_once(recorder, stage):
        pass


def _advance_once(recorder: Recorder, stage: Stage) -> bool:
    players = dict(stage.entrants.values_list("seed", "player_id"))
    matches = Match.objects.filter(round__stage=stage).select_related("round", "p1", "p2")
    existing = {match.bracket_match: match for match in matches}
    fell = False
    for ready in cut_selectors.seated(stage):
        pair = (players[ready.p1], players[ready.p2])
        match = existing.pop(ready.id, None)
        if match is not None and (match.p1_id, match.p2_id) != pair:
            _unseat(recorder, match)
            match, fell = None, True
        if match is None:
            _seat(recorder, stage, ready, pair)
    for stale in existing.values():
        _unseat(recorder, stale)
    return fell or bool(existing)


def _seat(recorder: Recorder, stage: Stage, ready: Seated, pair: tuple[int, int]) -> None:
    playing = Round.objects.filter(stage=stage, number=ready.round).first() or recorder.create(
        Round(
            stage=stage,
            number=ready.round,
            state=Round.State.PUBLISHED,
            seed=derive(recorder.event.seed, stage.position, ready.round),
            paired_at=recorder.now,
            published_at=recorder.now,
        )
    )
    if playing.state == Round.State.FINISHED:
        recorder.update(playing, state=Round.State.PUBLISHED, finished_at=None)
    table = 1 + max((m.table or 0 for m in playing.matches.all()), default=0)
    match = {"table": table, "bracket_match": ready.id, "p1_id": pair[0], "p2_id": pair[1], "why": ready.why}
    rounds.place(recorder, playing, [match])


def _unseat(recorder: Recorder, match: Match) -> None:
    played = match.round
    if match.is_finished:
        recorder.say(
            "bracket_match_fell",
            f"{match.p1.name} against {match.p2.name} ({match.score}) no longer counts: "
            "an earlier result changed.",
        )
    for report in match.reports.all():
        recorder.delete(report)
    for seat in Seat.objects.filter(match=match):
        recorder.delete(seat)
    recorder.delete(match)
    if not played.matches.exists():
        recorder.delete(played)
    else:
        rounds.settle(recorder, played)


def crown(recorder: Recorder, stage: Stage) -> None:
    """End the event when the bracket has a champion, and reopen it when the final is taken back."""
    champion = cut_selectors.champion(stage)
    if champion is not None and recorder.event.phase != Phase.FINISHED:
        recorder.update(recorder.event, phase=Phase.FINISHED)
        recorder.say("champion", f"{champion.name} is the champion.")
    elif champion is None and recorder.event.phase == Phase.FINISHED:
        recorder.update(recorder.event, phase=Phase.CUT)
