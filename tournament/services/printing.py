"""Asking for sheets: made by the worker, kept until the event changes."""

from __future__ import annotations

from decks.jobs import enqueue, latest
from decks.models import Job
from tournament.models import Event, Round
from tournament.services.actor import Actor


def ask_for_sheet(event: Event, actor: Actor, sheet: str, shown: Round | None, paper: str) -> Job:
    """The job that makes the sheet; one that was made for the same state of the event is used again."""
    where = (shown.stage.position, shown.number) if shown else (None, None)
    version = Event.objects.values_list("version", flat=True).get(pk=event.pk)
    key = f"{event.pk}/{sheet}/{where[0]}/{where[1]}/{paper}/{version}"
    made = latest("print_sheet", key)
    if made is not None and made.state == Job.State.DONE and made.file_path and made.file_path.exists():
        return made
    payload = {"event": event.pk, "sheet": sheet, "stage": where[0], "round": where[1], "paper": paper}
    return enqueue("print_sheet", payload, key=key, requested_by=actor.label)
