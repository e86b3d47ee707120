"""What the lists of an event are held to: its day, format, rules and local rules. When that changes, they
are checked again.
"""

from __future__ import annotations

from collections.abc import Callable

from decks.checking.judge import Terms
from decks.rechecks.services import rechecks as rechecking
from tournament.access.actor import Actor
from tournament.decklists.selectors.upcoming import STILL_TO_COME, terms_of
from tournament.events.models.event import Event


def check_again_if_changed(event: Event, before: Terms, *, asked_by: str) -> None:
    """Ask for a recheck of the event's lists when they would be judged under other terms than before.

    Called at the end of every step, inside its transaction, so that a change, its undo and the change made
    again are all followed. Locked lists, and events that have begun, keep their verdicts.
    """
    now = terms_of(event)
    if now == before or event.phase not in STILL_TO_COME:
        return
    if event.players.filter(deck_list__current__isnull=False).exists():
        rechecking.start_for(event.pk, event.game, cause(before, now), asked_by=asked_by)


def watch(event: Event) -> Callable[[Event, Actor], None]:
    """Remember the terms before a step, and hold those after it against them."""
    before = terms_of(event)
    return lambda now, actor: check_again_if_changed(now, before, asked_by=actor.label)


def cause(before: Terms, now: Terms) -> str:
    """What changed, as a sentence without its full stop, for the people whose lists are checked again."""
    parts = []
    if (now.format_key, now.rules_version) != (before.format_key, before.rules_version):
        parts.append("the event is played by another format or version of the rules")
    if now.on != before.on:
        parts.append(f"the event is on {now.on:%d %B %Y} now")
    if now.overlay != before.overlay:
        parts.append("the local rules of the event changed")
    told = "; ".join(parts)
    return told[:1].upper() + told[1:]
