"""Deletion of an event for good, once its archive was downloaded.

Everything that belongs to the event alone is deleted with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from decks.jobs.models import Job
from decks.jobs.queue import delete_jobs
from decks.shared.json_shapes import Published
from decks.shared.refusals import Conflict, Refused
from decks.submissions.models import DeckList
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.log.step import lock_event

# Jobs that name a player without an event: emails to them.
PLAYER_KEYS = ("player", "second_player")


@dataclass(frozen=True, slots=True)
class Deletion(Published):
    """The rows that a deletion would remove, and the reasons that block it."""

    PUBLISHED = {
        name: name for name in ("players", "matches", "decklists", "jobs", "staff", "leagues", "is_exported")
    }
    players: int
    matches: int
    decklists: int
    jobs: int
    staff: int
    leagues: tuple[str, ...]
    is_exported: bool


def mark_exported(event: Event) -> None:
    """Record that the event was exported as it is.

    Nothing is recorded if it has changed since it was read.
    """
    Event.objects.filter(pk=event.pk, version=event.version).update(exported_version=event.version)


def preview_deletion(event: Event) -> Deletion:
    """Count what `delete_event` would take. Writes nothing."""
    return Deletion(
        players=event.players.count(),
        matches=Match.objects.filter(round__stage__event=event).count(),
        decklists=DeckList.objects.filter(player__event=event, current__isnull=False).count(),
        jobs=len(_find_jobs(event)),
        staff=event.staff.count(),
        leagues=_league_names(event),
        is_exported=event.exported_version == event.version,
    )


def delete_event(event: Event, confirmation: str) -> None:
    """Delete the event: rows, log, decklists, subscriptions, jobs and their files.

    Raises Refused unless its name was entered, the archive was downloaded since the last change, and no
    league counts it. Cards, accounts and other events stay.
    """
    with transaction.atomic():
        locked_event = lock_event(event)
        _refuse_deletion(locked_event, confirmation)
        delete_jobs(_find_jobs(locked_event))
        owners = Player.objects.filter(event=locked_event).exclude(deck_list=None)
        deck_lists = list(owners.values_list("deck_list", flat=True))
        # Seats and matches protect their players, so they go first.
        Round.objects.filter(stage__event=locked_event).delete()
        locked_event.delete()
        for some in _batches(deck_lists):
            DeckList.objects.filter(pk__in=some).delete()


def _refuse_deletion(event: Event, confirmation: str) -> None:
    if leagues := _league_names(event):
        raise Refused("deletion_in_league", leagues=leagues)
    if event.exported_version is None:
        raise Refused("deletion_not_exported")
    if event.exported_version != event.version:
        raise Conflict("deletion_changed_since_export")
    if " ".join(confirmation.split()) != " ".join(event.name.split()):
        raise Refused("deletion_not_confirmed", field="confirm", name=event.name)


def _league_names(event: Event) -> tuple[str, ...]:
    return tuple(event.league_entries.order_by("league__name").values_list("league__name", flat=True))


def _find_jobs(event: Event) -> list[UUID]:
    """Return the jobs of the event, and those for its players alone."""
    players = set(event.players.values_list("pk", flat=True))
    rows = Job.objects.values_list("pk", "payload").iterator(chunk_size=500)
    return [pk for pk, payload in rows if isinstance(payload, dict) and _is_of(payload, event, players)]


def _is_of(payload: Mapping[str, object], event: Event, players: set[int]) -> bool:
    if "event" in payload:
        return payload["event"] in (event.pk, event.slug)
    return any(isinstance(pk := payload.get(key), int) and pk in players for key in PLAYER_KEYS)


def _batches(ids: list[int], size: int = 500) -> Iterable[list[int]]:
    return (ids[start : start + size] for start in range(0, len(ids), size))
