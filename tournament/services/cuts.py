"""The cut: who plays on after the rounds, and who would rather not."""

from __future__ import annotations

from tournament.errors import Refused
from tournament.models import Event, Player, Stage
from tournament.services import stages
from tournament.services.actor import Actor
from tournament.services.recorder import step

Phase = Event.Phase


def make_cut(event: Event, actor: Actor) -> Stage:
    """Select who plays on, seed them and begin the next stage of the plan, as `stages.next_stage` does."""
    return stages.next_stage(event, actor)


def decline_cut(player: Player, actor: Actor, *, declined: bool = True) -> None:
    """Before the cut is made a player may decline his place; the next one moves up."""
    with step(player.event, actor) as recorder:
        player.refresh_from_db(fields=["declined_cut"])
        if recorder.event.phase != Phase.SWISS:
            raise Refused("cut_already_made", "The cut is already made.")
        if recorder.update(player, declined_cut=declined):
            word = "declined" if declined else "takes back declining"
            recorder.say("cut_declined", f"{player.name} {word} a place in the cut.")
