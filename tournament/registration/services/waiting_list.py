"""Waiting list: count free places, place new players, move players up in order."""

from __future__ import annotations

from decks.shared.refusals import Refused
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.log.step import Recorder
from tournament.registration.selectors import waiting_players
from tournament.registration.services import contact
from tournament.registration.services.validation import BEFORE_START


def free_places(event: Event) -> int | None:
    """Return how many places are left; None if there is no limit. One query."""
    if event.capacity is None:
        return None
    registered_count = event.players.filter(
        status=Player.Status.REGISTERED, dropped_after__isnull=True
    ).count()
    return max(event.capacity - registered_count, 0)


def entry_statuses(recorder: Recorder, count: int) -> list[dict[str, object]]:
    """Return the status of a number of new players.

    Players who wait also get the time since when. No one overtakes the waiting list. In check-in, a player in
    the venue goes before one who waits somewhere else. While rounds run no one waits: a player who waited for
    the start has stayed out, and one who is let in late is in.
    """
    places = min(_open_places(recorder.event, count), count)
    registered_values: dict[str, object] = {"status": Player.Status.REGISTERED, "waiting_since": None}
    waiting_values: dict[str, object] = {"status": Player.Status.WAITING, "waiting_since": recorder.now}
    return [registered_values] * places + [waiting_values] * (count - places)


def entry_status(recorder: Recorder) -> dict[str, object]:
    """Return the status of one new player, as `entry_statuses` does."""
    return entry_statuses(recorder, 1)[0]


def _open_places(event: Event, count: int) -> int:
    """Return how many of so many who come now have a place."""
    free = free_places(event) if event.phase in BEFORE_START else None
    if free is None:
        return count
    line = waiting_players(event)
    if event.phase == Event.Phase.CHECK_IN:
        line = line.filter(checked_in_at__isnull=False)
    return 0 if line.exists() else free


def move_up(recorder: Recorder, *, only_here: bool = False) -> list[Player]:
    """Give free places to those who wait longest, before the start; each is notified.

    Returns who moved up. `only_here`: to those alone who are in the venue, when the others would be missing
    in round 1.
    """
    if recorder.event.phase not in BEFORE_START:
        return []
    line = waiting_players(recorder.event)
    if only_here:
        line = line.filter(checked_in_at__isnull=False)
    free = free_places(recorder.event)
    moved_players = list(line if free is None else line[:free])
    for player in moved_players:
        recorder.update(player, status=Player.Status.REGISTERED, waiting_since=None, moved_up_at=recorder.now)
        recorder.log("moved_up", player=player)
        contact.queue_place_free_email(player)
    return moved_players


def refuse_if_full(event: Event) -> None:
    """Raise Refused if all places are taken: while rounds run no one waits for one."""
    if free_places(event) == 0:
        raise Refused("event_full", capacity=event.capacity)
