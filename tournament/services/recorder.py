"""One step of an event: a transaction, a lock on the event, the rows it changes, a line in the log.

Services write rows only through the recorder, so the log knows each row before and after, and
the event's version rises exactly when something changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.utils import timezone

from tournament.models import Event, LogEntry
from tournament.services import live
from tournament.services.actor import Actor
from tournament.services.bulk import insert_rows, reserve_ids

Row = TypeVar("Row", bound=models.Model)
UNLOGGED = {"token", "version"}
ENCODER = DjangoJSONEncoder()


def row_values(row: models.Model) -> dict[str, Any]:
    """All stored values of a row but those that are secret or counted."""
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if field.attname not in UNLOGGED
    }


class Recorder:
    """Writes rows of one step and remembers them."""

    def __init__(self, event: Event, actor: Actor) -> None:
        self.event = event
        self.actor = actor
        self.now = timezone.now()
        self.changes: list[dict[str, Any]] = []
        self.notes: list[tuple[str, str, str]] = []

    def say(self, action: str, sentence: str, *, reason: str = "") -> None:
        """Name the step; without a call nothing is logged."""
        self.notes.append((action, sentence[:400], reason[:400]))

    def create(self, row: models.Model) -> Any:
        """Insert a row."""
        row.save(force_insert=True)
        self._remember(row, None, row_values(row))
        return row

    def create_all(self, rows: Iterable[Row]) -> list[Row]:
        """Insert many rows of one table with one statement."""
        made = list(rows)
        if made:
            type(made[0])._default_manager.bulk_create(made, batch_size=1000)
            for row in made:
                self._remember(row, None, row_values(row))
        return made

    def insert(self, model: type[models.Model], rows: Sequence[Mapping[str, Any]]) -> list[int]:
        """Insert many rows with two statements and return their ids in order; absent values are the defaults.

        Rows name links by column (`player_id`) and hold plain values only: no JSON, no files.
        """
        if not rows:
            return []
        ids = reserve_ids(model, len(rows))
        columns = list(model._meta.concrete_fields)
        defaults = {field.attname: field.get_default() for field in columns}
        table = [
            [pk, *({**defaults, **row}[field.attname] for field in columns[1:])]
            for pk, row in zip(ids, rows, strict=True)
        ]
        insert_rows(model, columns, table)
        names = [field.attname for field in columns]
        self.changes.append({"table": model._meta.model_name, "columns": names, "created": table})
        return ids

    def update(self, row: models.Model, **values: Any) -> bool:
        """Set the given fields; rows that already hold the values are left alone. Says whether it changed."""
        before = {name: getattr(row, name) for name in values}
        changed = {name: value for name, value in values.items() if before[name] != value}
        if not changed:
            return False
        for name, value in changed.items():
            setattr(row, name, value)
        row.save(update_fields=list(changed))
        self._remember(row, {k: before[k] for k in changed}, changed)
        return True

    def delete(self, row: models.Model) -> None:
        """Delete a row (and what the database deletes with it must be deleted before, by its own call)."""
        before, pk = row_values(row), row.pk
        row.delete()
        row.pk = pk
        self._remember(row, before, None)

    def _remember(self, row: models.Model, before: dict | None, after: dict | None) -> None:
        self.changes.append({"table": row._meta.model_name, "id": row.pk, "before": before, "after": after})

    def close(self) -> None:
        """Write the log and raise the version, if anything happened."""
        if not self.changes and not self.notes:
            return
        if not self.notes:
            raise AssertionError("a step changed rows without saying what it did")
        live.touch(self.event.pk)
        for index, (action, sentence, reason) in enumerate(self.notes):
            LogEntry.objects.create(
                event=self.event,
                at=self.now,
                user=self.actor.user,
                actor=self.actor.label[:120],
                action=action,
                sentence=sentence,
                reason=reason,
                changes=_as_json(self.changes) if index == 0 else [],
            )


def _as_json(changes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return json.loads(json.dumps(changes, default=_plain))


def _plain(value: Any) -> Any:
    return value.pk if isinstance(value, models.Model) else ENCODER.default(value)


@contextmanager
def step(event: Event, actor: Actor) -> Iterator[Recorder]:
    """Run one step alone: the event's row is locked, so two people pressing one button take turns.

    Yields a recorder whose `event` is the row as it stands under the lock. Rolls everything back
    when the block raises.
    """
    with transaction.atomic():
        locked = Event.objects.select_for_update().get(pk=event.pk)
        recorder = Recorder(locked, actor)
        yield recorder
        recorder.close()
        locked.refresh_from_db()
        _take_over(event, locked)


def _take_over(event: Event, locked: Event) -> None:
    """Give the caller's instance the values that now stand."""
    for field in Event._meta.concrete_fields:
        setattr(event, field.attname, getattr(locked, field.attname))
