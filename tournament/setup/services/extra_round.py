"""Add a Swiss round to an event whose rounds are being played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from decks.shared.refusals import Refused
from rules.reason import Reason, reason
from tournament.access.permissions import Actor
from tournament.events import selectors
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.settings import get_plan
from tournament.log.step import step
from tournament.standings.selectors.exits import has_everyone_left

MOST_ROUNDS = 30


def find_extra_round(event: Event) -> int:
    """Return the number of the round that would come after the planned ones.

    Raises Refused if none can.
    """
    if event.phase == Event.Phase.CUT:
        raise Refused("no_extra_round.cut")
    stage = selectors.get_standings_stage(event) if event.phase == Event.Phase.SWISS else None
    if stage is None or stage.kind != Stage.Kind.SWISS:
        raise Refused("no_extra_round")
    if stage.planned_rounds is None:
        raise Refused("no_extra_round.open")
    if has_everyone_left(stage):
        raise Refused("no_extra_round.everyone_left")
    if stage.planned_rounds >= MOST_ROUNDS:
        raise Refused("rounds_out_of_range", field="swiss_rounds")
    return selectors.count_rounds_before(stage) + stage.planned_rounds + 1


def add_round(event: Event, actor: Actor, *, why: str = "", seen_number: int | None = None) -> int:
    """Plan one more Swiss round; return its number.

    `seen_number` is the number that the page showed. If someone added that round meanwhile, nothing changes.
    Raises Refused if no round can be added.
    """
    with step(event, actor) as recorder:
        number = find_extra_round(recorder.event)
        if seen_number is not None and seen_number != number:
            return number - 1
        stage = selectors.get_standings_stage(recorder.event)
        if stage is None:
            raise Refused("no_extra_round")
        rounds = (stage.planned_rounds or 0) + 1
        recorder.update(stage, planned_rounds=rounds)
        recorder.update(recorder.event, swiss_rounds=number, **_change_plan(recorder.event, stage, rounds))
        recorder.log("round_added", reason=why, number=number)
    return number


def _change_plan(event: Event, stage: Stage, rounds: int) -> dict[str, object]:
    """Return the stages of an event's own plan with the new number of rounds."""
    if not event.plan:
        return {}
    plan = [
        replace(each, rounds=rounds) if position == stage.position else each
        for position, each in enumerate(get_plan(event), 1)
    ]
    return {"plan": [each.as_data() for each in plan]}


def list_extra_round_effects(event: Event, number: int) -> Iterator[Reason]:
    """Yield what an extra round means for the event. Two queries."""
    yield reason("extra_round", round=number, minutes=event.round_minutes)
    next_stage = "cut" if event.cut != Event.Cut.NONE else "more" if len(get_plan(event)) > 1 else "end"
    yield reason("extra_round.waits", next=next_stage, round=number)
    player_count = event.players.filter(status=Player.Status.REGISTERED, dropped_after__isnull=True).count()
    if number >= player_count > 0:
        yield reason("extra_round.rematches", players=player_count)
    yield reason("extra_round.kept")
