"""Choose what the venue screen shows."""

from __future__ import annotations

from collections.abc import Iterable

from decks.shared.refusals import Refused
from rules.reason import Reason
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.log.step import step
from tournament.screens.selectors import VIEW_LABELS, known_views


def choose_views(event: Event, actor: Actor, views: Iterable[str]) -> None:
    """Choose what the venue screen shows in turn; nothing for what fits the moment.

    Raises Refused for a view that there is not.
    """
    requested = list(views)
    strange = [view for view in requested if view not in VIEW_LABELS]
    if strange:
        raise Refused("view_unknown", field="views", view=str(strange[0])[:40], views=tuple(VIEW_LABELS))
    chosen = known_views(requested)
    with step(event, actor) as recorder:
        if recorder.update(recorder.event, screen=chosen):
            recorder.log(
                "screen_changed",
                views=[Reason("screen_view", {"view": view}) for view in chosen],
                count=len(chosen),
            )
