"""Local rules: what an organizer lays over the format for one event, and says so beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import rules
from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.decklists.services.lists import STARTED
from tournament.events.models.event import Event
from tournament.log.step import step


def set_local_rules(event: Event, actor: Actor, overlay: Mapping[str, Any]) -> tuple[str, ...]:
    """Lay the overlay over the event's format, or take it away with an empty one; returns it in words.

    Lists handed in before keep the verdict of their moment. Raises Refused once round 1 has started, and when
    the overlay does not fit the format, with every reason.
    """
    with step(event, actor) as recorder:
        if recorder.event.phase in STARTED:
            raise Refused("local_rules_fixed", "Local rules cannot change once round 1 has started.")
        words = _words(recorder.event, overlay)
        if recorder.update(recorder.event, overlay=dict(overlay)):
            said = " ".join(words) or "none any more."
            recorder.say("local_rules_changed", f"{actor.label} set the local rules: {said}")
    return words


def _words(event: Event, overlay: Mapping[str, Any]) -> tuple[str, ...]:
    try:
        laid = rules.load_format(event.game, event.format, rules=event.rules_version, overlay=overlay or None)
    except rules.BadOverlay as error:
        raise Refused("local_rules_wrong", str(error)) from error
    return laid.overlay_in_words()
