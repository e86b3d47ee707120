"""Set the prizes of an event."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tournament.access.permissions import Actor
from tournament.engine.prizes import Prize
from tournament.events.models.event import Event
from tournament.log.step import step
from tournament.shared.awards import load_prizes, validate_prizes


def set_prizes(event: Event, actor: Actor, entries: Iterable[Any]) -> list[Prize]:
    """Announce the prizes of an event, or change them, even after its end.

    Each entry has `words`, and `first` and `last` place or the `best` of which character. Raises
    Refused with everything that is wrong with them at once.
    """
    valid_prizes = validate_prizes(entries)
    with step(event, actor) as recorder:
        if recorder.update(recorder.event, prizes=valid_prizes):
            recorder.log("prizes_set", prizes=len(valid_prizes))
    return load_prizes(valid_prizes)
