"""Decklists of an event: a player's list, its deadline and lock, and who may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone

from decks import checking
from decks import services as decks
from decks.models import DeckList, DeckVersion
from tournament.errors import Refused
from tournament.models import Event, Player
from tournament.services.actor import Actor
from tournament.services.recorder import Recorder, step

if TYPE_CHECKING:
    from datetime import datetime

STARTED = (Event.Phase.SWISS, Event.Phase.CUT, Event.Phase.FINISHED)


def new_list(event: Event) -> DeckList:
    """An empty list for one player of the event, judged under the event's format and rules version."""
    return decks.create_list(game=event.game, format_key=event.format, rules_version=event.rules_version)


def options(event: Event, character: str = "") -> dict[str, Any]:
    """What the event adds to a deck check: the diversity cut and the declared character (UFS 100.5.1)."""
    asked: dict[str, Any] = {"diversity": event.cut == Event.Cut.DIVERSITY}
    if character:
        asked["declared_character"] = character
    return asked


def check(event: Event, text: str, *, character: str = "") -> checking.CheckedList:
    """The verdict on a list as typed; nothing is kept."""
    return checking.check_text(
        event.game,
        event.format,
        text,
        rules_version=event.rules_version,
        on=event.starts_local.date(),
        overlay=event.overlay or None,
        options=options(event, character),
    )


def submit(
    player: Player, actor: Actor, text: str, *, by_staff: bool = False, reason: str = ""
) -> DeckVersion:
    """Keep a list as submitted, with its verdict, as the player's next version; that one counts.

    Players can until the deadline, staff can always, with a reason once it is past.
    Raises Refused when the list is empty, late or locked.
    """
    if not text.strip():
        raise Refused("list_empty", "The list is empty.", fix="Paste your deck first.", field="text")
    with step(player.event, actor) as recorder:
        closed = closed_because(recorder.event)
        if closed and not by_staff:
            raise Refused("list_closed", closed, fix="Ask the organizer.", field="text")
        if closed and not reason.strip():
            raise Refused("reason_needed", f"{closed} A late list needs a reason.", field="reason")
        version = decks.submit(
            player.deck_list,
            text,
            actor=actor.label,
            by_staff=by_staff,
            reason=reason,
            due_at=recorder.event.decklists_due_at,
            on=recorder.event.starts_local.date(),
            overlay=recorder.event.overlay or None,
            options=options(recorder.event, player.character),
        )
        whose = "a list" if actor.player else f"a list for {player.name}"
        recorder.say("list_submitted", f"{actor.label} submitted {whose}: {version.outcome}.", reason=reason)
    return version


def due_at(event: Event) -> datetime | None:
    """The deadline, in UTC; None means until round 1 starts."""
    return event.decklists_due_at


def closed_because(event: Event) -> str:
    """Why players can no longer submit, in a sentence; empty while they can."""
    if event.phase in STARTED:
        return "Lists are locked since round 1 started."
    if event.decklists_due_at is not None and timezone.now() > event.decklists_due_at:
        due = event.decklists_due_at.astimezone(event.zone)
        return f"The deadline for lists was {due:%d %B %Y, %H:%M}."
    return ""


def lock_all(recorder: Recorder) -> None:
    """Lock every list of the event; called when round 1 starts."""
    lists = DeckList.objects.filter(player__event=recorder.event, locked_at__isnull=True)
    for deck_list in lists:
        recorder.update(deck_list, locked_at=recorder.now)


def open_lists(event: Event, actor: Actor, to: str) -> None:
    """Let more people see the lists: owner and staff, everyone in the cut, or everyone."""
    with step(event, actor) as recorder:
        if to not in Event.ListsOpen.values:
            raise Refused("unknown_audience", f"“{to}” is not one of {', '.join(Event.ListsOpen.values)}.")
        if recorder.update(recorder.event, lists_open=to):
            label = recorder.event.get_lists_open_display().lower()
            recorder.say("lists_opened", f"{actor.label} opened the lists to: {label}.")
