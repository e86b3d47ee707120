"""Copy an event for its next night: settings and plan, and its staff if asked.

Players and rounds are never copied.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from decks.shared.refusals import refuse_all
from tournament.access.permissions import Actor
from tournament.events.models.event import Event, StaffRole
from tournament.log.changes import iter_row_changes
from tournament.log.step import Recorder, step
from tournament.setup.services.events import (
    EDITABLE_FIELDS,
    Phase,
    refuse_invalid_settings,
    unused_slug,
)
from tournament.setup.services.settings import normalize_settings, year_problems
from tournament.shared.hashes import new_seed

# Parts of an event's setup besides its settings.
FURTHER_FIELDS = ("overlay", "own_system", "prizes", "paper", "clock_options", "screen")
WEEK = timedelta(days=7)
LAST_NUMBER = re.compile(r"(?<=[\s#])\d{1,3}$", re.ASCII)


def suggest_name(event: Event) -> str:
    """Return a name for the next event.

    If the name ends in a number, it has the next number (“Tuesday 12”).
    """
    match = LAST_NUMBER.search(event.name)
    if match is None:
        return event.name
    return f"{event.name[: match.start()]}{int(match[0]) + 1:0{len(match[0])}}"[:120]


def suggest_start(event: Event) -> datetime:
    """Return the same weekday and hour at the venue, a week later; never in the past."""
    local_start, zone = event.starts_local, event.zone
    weeks = max(1, -(-(timezone.now() - event.starts_at) // WEEK))
    return _move_local(local_start, weeks * WEEK, zone)


def copy_event(
    event: Event,
    actor: Actor,
    *,
    name: str,
    starts_at: datetime,
    with_staff: bool = False,
    open_registration: bool = False,
) -> Event:
    """Create an event with the settings of another, owned by the actor.

    The decklist deadline moves by as much as the start. Raises Refused with every wrong value.
    """
    copied_event = _build_copy(event, name, starts_at)
    refuse_invalid_settings(copied_event)
    copied_event.phase = Phase.REGISTRATION if open_registration else Phase.PREPARING
    with transaction.atomic():
        copied_event.slug = unused_slug(copied_event.name, copied_event.starts_local.year)
        copied_event.save(force_insert=True)
        with step(copied_event, actor) as recorder:
            for user_id, kind in _list_roles(event, actor, with_staff).items():
                recorder.create(StaffRole(event=copied_event, user_id=user_id, kind=kind))
            _copy_embedding_sites(recorder, event)
            recorder.log("event_copied", source=event.name)
    return copied_event


def _build_copy(event: Event, name: str, starts_at: datetime) -> Event:
    values = {field: getattr(event, field) for field in (*EDITABLE_FIELDS, *FURTHER_FIELDS)}
    refuse_all(list(year_problems({"starts_at": starts_at})))
    values |= {"name": name.strip(), "starts_at": starts_at, **normalize_settings(_planned_rounds(event))}
    if event.decklists_due_at is not None:
        due = event.decklists_due_at.astimezone(event.zone).replace(tzinfo=None)
        lead = event.starts_local.replace(tzinfo=None) - due
        values["decklists_due_at"] = _move_local(starts_at.astimezone(event.zone), -lead, event.zone)
    return Event(**values, seed=new_seed())


def _move_local(moment: datetime, shift: timedelta, zone: ZoneInfo) -> datetime:
    """Return a moment moved by local time at the venue.

    This is also right where summer time begins in between.
    """
    return (moment.replace(tzinfo=None) + shift).replace(tzinfo=zone)


def _planned_rounds(event: Event) -> Mapping[str, object]:
    """Return the rounds and stages as they were planned.

    The start fixes their number, and rounds are added.
    """
    lines = event.log.filter(action__in=("event_started", "round_added"), undone_by=None).order_by("pk")
    planned_values: dict[str, object] = {}
    for line in lines:
        for change in iter_row_changes(line.changes):
            before = (change.before or {}) if change.table == "event" else {}
            planned_values = {
                name: before[name] for name in ("swiss_rounds", "plan") if name in before
            } | planned_values
    return planned_values


def _list_roles(event: Event, actor: Actor, with_staff: bool) -> dict[int, str]:
    """Return the roles of the copy by account: the actor owns it."""
    roles = dict(event.staff.values_list("user_id", "kind")) if with_staff else {}
    if actor.user is not None:
        roles[actor.user.pk] = StaffRole.Kind.OWNER
    return roles


def _copy_embedding_sites(recorder: Recorder, event: Event) -> None:
    for site in event.embedding_sites.all():
        recorder.create(type(site)(event=recorder.event, origin=site.origin))
