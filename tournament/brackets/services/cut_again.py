"""Make a cut anew that no longer follows from the standings, as long as no match of it is finished."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.brackets.selectors.cut_again import CutAgain, cut_again
from tournament.brackets.services import bracket as brackets
from tournament.events.models.event import Event, Stage, StageEntrant
from tournament.events.models.round import Match, Round
from tournament.log.step import Recorder, step
from tournament.pairing.selectors.repairs import Change
from tournament.shared.refusals import Conflict

Tables = Mapping[int, tuple[int | None, str]]


def make_cut_again(event: Event, actor: Actor, *, seen: str | None = None, reason: str = "") -> None:
    """Bring the cut in line with the standings as they are now.

    Raises Refused where no cut is made or a match of it is finished, and Conflict where others would come
    in by now than the proposal with the mark `seen` said. Where nothing differs, nothing changes.
    """
    with step(event, actor) as recorder:
        remake(recorder, seen=seen, reason=reason)


def remake(recorder: Recorder, *, seen: str | None = None, reason: str = "") -> None:
    """Within a step: seed the bracket by the standings as they are now; tables that stay keep their match."""
    found = _possible(recorder)
    if seen is not None and seen != found.mark:
        raise Conflict(
            "plan_changed_meanwhile",
            "Something happened since you looked; others would come into the cut now.",
            fix="Look at the cut again, and choose once more.",
        )
    if not found.is_other:
        return
    stood = tables_of(found.stage)
    _seed(recorder, found)
    recorder.say(
        "cut_made_again", f"{recorder.actor.label} made the cut anew: {found.sentence}", reason=reason
    )
    brackets.advance(recorder, found.stage)
    brackets.crown(recorder, found.stage)
    _mark_amended(recorder, found.stage, stood)


def _possible(recorder: Recorder) -> CutAgain:
    found = cut_again(recorder.event)
    if found is None:
        raise Refused("no_cut_made", "No cut is made that could be made anew.", field="way")
    if found.refusal:
        raise Refused(
            "cut_stays",
            found.refusal,
            fix="Leave it, or take what was played back in the log first.",
            field="way",
        )
    return found


def _seed(recorder: Recorder, found: CutAgain) -> None:
    stage = found.stage
    for match in (
        Match.objects.filter(round__stage=stage).exclude(outcome="").select_related("round", "p1", "p2")
    ):
        brackets.unseat(recorder, match)
    recorder.remove(StageEntrant.objects.filter(stage=stage))
    seeded = enumerate(found.seeds, 1)
    recorder.create_all(StageEntrant(stage=stage, player_id=pk, seed=seed) for seed, pk in seeded)
    rounds = (len(found.seeds) - 1).bit_length()
    chosen = found.chosen.as_data() if found.chosen else []
    recorder.update(stage, selection=chosen, planned_rounds=rounds)


def _mark_amended(recorder: Recorder, stage: Stage, stood: Tables) -> None:
    """Rounds that players had seen are marked where their tables are others now."""
    fresh = Match.objects.filter(round__stage=stage).exclude(pk__in=stood)
    for match in fresh.select_related("round"):
        recorder.update(match, amended_at=recorder.now)
    for amended in Round.objects.filter(stage=stage, matches__in=fresh).distinct():
        recorder.update(amended, amended_at=recorder.now)


def tables_of(stage: Stage) -> Tables:
    """Table and players of every match of a bracket, by id."""
    matches = Match.objects.filter(round__stage=stage).select_related("p1", "p2").order_by("table")
    return {match.pk: (match.table, f"{match.p1} – {match.p2}") for match in matches}


def tried_out(event: Event, actor: Actor) -> CutAgain | None:
    """What making the cut anew would change, tables included. It writes: the caller takes everything back."""
    found = cut_again(event)
    if found is None or found.refusal or not found.is_other:
        return found
    stood = tables_of(found.stage)
    make_cut_again(event, actor)
    return found.with_tables(_changes(stood, tables_of(found.stage)))


def _changes(before: Tables, after: Tables) -> list[Change]:
    old = dict(value for pk, value in before.items() if pk not in after)
    new = dict(value for pk, value in after.items() if pk not in before)
    numbers = sorted({*old, *new}, key=lambda n: (n is None, n or 0))
    return [Change(number, old.get(number, ""), new.get(number, "")) for number in numbers]


def preview_cut_again(event: Event, actor: Actor) -> CutAgain | None:
    """What making the cut anew would change; None where no cut is made. Nothing is written."""
    found = cut_again(event)
    if found is None or found.refusal or not found.is_other:
        return found
    with transaction.atomic():
        try:
            return tried_out(Event.objects.get(pk=event.pk), actor)
        finally:
            transaction.set_rollback(True)
