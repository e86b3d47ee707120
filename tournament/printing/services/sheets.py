"""Asking for sheets: made by the worker, kept until the event changes; and the paper they are made for."""

from __future__ import annotations

from hashlib import sha256

from decks.jobs.models import Job
from decks.jobs.queue import enqueue, latest
from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.log.step import step

KIND = "print_sheet"


def ask_for_sheet(
    event: Event,
    actor: Actor,
    sheet: str,
    shown: Round | None,
    paper: str,
    *,
    player: Player | None = None,
    is_blank: bool = False,
    base: str = "",
) -> Job:
    """The job that makes the sheet; one that was made for the same state of the event is used again.

    `base` is the address of this installation, to which codes on the sheet lead.
    """
    where = (shown.stage.position, shown.number) if shown else (None, None)
    version = Event.objects.values_list("version", flat=True).get(pk=event.pk)
    whose = "blank" if is_blank else player.number if player else ""
    host = sha256(base.encode()).hexdigest()[:8]
    key = f"{event.pk}/{sheet}/{where[0]}/{where[1]}/{paper}/{whose}/{host}/{version}"
    made = latest(KIND, key)
    if made is not None and made.state == Job.State.DONE and made.file_path and made.file_path.exists():
        return made
    payload = {
        "event": event.pk,
        "sheet": sheet,
        "stage": where[0],
        "round": where[1],
        "paper": paper,
        "player": player.number if player else None,
        "blank": is_blank,
        "base": base,
    }
    return enqueue(KIND, payload, key=key, requested_by=actor.label)


def set_paper(event: Event, actor: Actor, paper: str) -> None:
    """Choose the paper of an event; empty is that of the installation. Raises Refused for an unknown one."""
    if paper not in ("", *Event.Paper.values):
        raise Refused("unknown_paper", f"There is no paper “{paper[:20]}”.", fix="Choose A4 or Letter.")
    with step(event, actor) as recorder:
        if recorder.event.paper == paper:
            return
        recorder.update(recorder.event, paper=paper)
        words = Event.Paper(paper).label if paper else "the paper of the installation"
        recorder.say("paper_chosen", f"{actor.label} chose {words} for the sheets.")
