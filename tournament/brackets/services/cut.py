"""The cut: who plays on after the rounds, and who would rather not."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.brackets.services import stages
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.log.step import step
from tournament.shared.refusals import Conflict
from tournament.standings.selectors.qualifying import decisions, mark

Phase = Event.Phase


def make_cut(
    event: Event, actor: Actor, *, seen: str | None = None, entrants: Sequence[int] | None = None
) -> Stage:
    """Select who plays on, seed them and begin the next stage of the plan, as `stages.next_stage` does.

    `seen` is the mark of the list that the page showed, `entrants` the numbers of those who come in as a
    program has read them, best first. Raises Conflict where others would come in now.
    """
    with transaction.atomic():
        standing = Event.objects.select_for_update().get(pk=event.pk)
        if standing.phase == Phase.SWISS and (seen, entrants) != (None, None):
            _refuse_unseen(standing, seen, entrants)
        return stages.next_stage(event, actor)


def _refuse_unseen(event: Event, seen: str | None, entrants: Sequence[int] | None) -> None:
    listed = decisions(event, None)
    numbers = [row["player"].number for row in listed if row["in"]]
    if seen not in (None, mark(listed)) or (entrants is not None and list(entrants) != numbers):
        raise Conflict(
            "cut_changed_meanwhile",
            "Somebody else would come into the cut now, or in another order.",
            fix="Look at the list, then make the cut.",
        )


def can_be_declined(player: Player) -> bool:
    """Whether a cut is still to be made in which the player could have a place. No query."""
    event = player.event
    return event.phase == Phase.SWISS and event.has_bracket and player.is_in


def decline_cut(player: Player, actor: Actor, *, declined: bool = True) -> None:
    """Before the cut is made a player may decline his place; the next one moves up.

    Raises Refused where the event has no cut, before the start, and once the cut is made.
    """
    with step(player.event, actor) as recorder:
        player.refresh_from_db(fields=["declined_cut"])
        _refuse_without_cut(recorder.event)
        if recorder.update(player, declined_cut=declined):
            word = "declined" if declined else "takes back declining"
            recorder.say("cut_declined", f"{player.name} {word} a place in the cut.")


def _refuse_without_cut(event: Event) -> None:
    if not event.has_bracket:
        raise Refused("no_cut_planned", "This event has no cut that could be declined.")
    if event.phase in (Phase.CUT, Phase.FINISHED):
        raise Refused(
            "cut_already_made", "The cut is already made.", fix="Drop instead; staff may make the cut anew."
        )
    if event.phase != Phase.SWISS:
        raise Refused("not_playing_yet", "The event has not started.", fix="Withdraw instead.")
