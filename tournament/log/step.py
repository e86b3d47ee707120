"""Run one step of an event: transaction, event lock, logged changes, version.

Services write rows only through the recorder, so the log knows each row before and after, and
the event's version rises exactly when something changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import connection, models, transaction
from django.db.models import Value
from django.db.models.deletion import Collector
from django.db.models.functions import Cast
from django.utils import timezone

from decks.shared.refusals import Conflict
from decks.shared.rows import find_row, update_rows
from rules.reason import Param, params_to_json
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.log.bulk_rows import insert_rows, reserve_ids
from tournament.log.changes import ChangeData, Values
from tournament.log.facts import LogParam, iter_subject_words, to_param
from tournament.log.models import (
    EVENT_TABLES,
    UNLOGGED_COLUMNS,
    LogEntry,
    get_row_values,
    get_subject_columns,
    get_subject_words,
    to_json_text,
)

PLAIN_FIELDS = (
    models.AutoField,
    models.IntegerField,
    models.CharField,
    models.TextField,
    models.BooleanField,
    models.DateTimeField,
    models.ForeignKey,
)

Row = TypeVar("Row", bound=models.Model)

# Gets the event before a step, and returns what is called with its recorder afterwards.
ChangeWatcher = Callable[[Event], Callable[["Recorder"], None]]

# Rooms above register theirs when the app starts.
CHANGE_WATCHERS: list[ChangeWatcher] = []


@dataclass(frozen=True, slots=True)
class Note:
    """The changes of a step, as the log stores them."""

    action: str
    variant: str
    params: Mapping[str, Param]
    reason: str


class Recorder:
    """Writes rows of one step and remembers them."""

    def __init__(self, event: Event, actor: Actor) -> None:
        self.event = event
        self.actor = actor
        self.now = timezone.now()
        self.changes: list[ChangeData] = []
        self.notes: list[Note] = []
        self.about: set[str] = set()
        self.takes_back: list[int] = []
        self.entry: LogEntry | None = None
        self.afterwards: list[Callable[[LogEntry], None]] = []
        # Everyone sees the version: a step that a stranger must not hear of leaves it as it is.
        self.raises_version = True

    def log(self, code: str, /, *, reason: str = "", **params: LogParam) -> None:
        """Name the step; without a call nothing is logged.

        `code` is the action, with a variant after a dot where its words differ. Rows among the parameters
        become references, and the entry is about the players and rounds among them. `reason` is what a
        person wrote.
        """
        action, _, variant = code.partition(".")
        facts = {name: to_param(value) for name, value in params.items()}
        for value in params.values():
            self.about.update(iter_subject_words(value))
        self.notes.append(Note(action, variant, facts, reason[:400]))

    def has_changed(self, *kinds: type[models.Model]) -> bool:
        """Return whether the step changed rows of one of these models."""
        names = {_table_name(model) for model in kinds}
        return any(change["table"] in names for change in self.changes)

    def get_entry(self) -> LogEntry:
        """Return the entry of a step that is over.

        Raises LookupError if nothing was logged.
        """
        if self.entry is None:
            raise LookupError("The step has logged nothing.")
        return self.entry

    def create(self, row: Row) -> Row:
        """Insert a row."""
        row.save(force_insert=True)
        self.remember(row, None, get_row_values(row))
        return row

    def create_all(self, rows: Iterable[Row]) -> list[Row]:
        """Insert many rows of one table with one statement."""
        created_rows = list(rows)
        if created_rows:
            type(created_rows[0])._base_manager.bulk_create(created_rows, batch_size=1000)
            for row in created_rows:
                self.remember(row, None, get_row_values(row))
        return created_rows

    def insert(self, model: type[models.Model], rows: Sequence[Mapping[str, object]]) -> list[int]:
        """Insert many rows with two statements and return their ids in order.

        Absent values get the defaults. Rows name links by column (`player_id`) and hold plain values and
        JSON, no files.
        """
        if not rows:
            return []
        ids = reserve_ids(model, len(rows))
        columns = list(model._meta.concrete_fields)
        defaults = [(field.attname, field.get_default()) for field in columns[1:]]
        table = [
            [pk, *[row.get(name, default) for name, default in defaults]]
            for pk, row in zip(ids, rows, strict=True)
        ]
        insert_rows(model, columns, table)
        self._remember_created(model, columns, table)
        return ids

    def update(self, row: models.Model, **values: Any) -> bool:
        """Set the given fields of a row; return whether a value changed.

        The old values are read from the database, for the caller's row may be older than the step.
        Raises Conflict when the row is gone.
        """
        fields = {name: row._meta.get_field(name) for name in values}
        stored_rows = type(row)._base_manager.filter(pk=row.pk).only(*(f.name for f in fields.values()))
        current_row = find_row(stored_rows)
        if current_row is None:
            raise Conflict("row_gone")
        for name, value in values.items():
            setattr(row, name, value)
        names = [f.attname for f in fields.values() if isinstance(f, models.Field)]
        columns = [name for name in names if getattr(current_row, name) != getattr(row, name)]
        if not columns:
            return False
        row.save(update_fields=columns)
        before, after = ({name: getattr(one, name) for name in columns} for one in (current_row, row))
        self.remember(row, before, after)
        return True

    def update_all(
        self,
        model: type[models.Model],
        rows: Mapping[int, Mapping[str, object]],
        *,
        current_rows: Mapping[int, models.Model] | None = None,
    ) -> None:
        """Set columns of many rows of one table, by id; every row names the same columns.

        `current_rows` are the rows as they are now, where the caller has read them in this step.
        """
        if not rows:
            return
        names = set(next(iter(rows.values())))
        fields = [field for field in model._meta.concrete_fields if field.attname in names]
        logged_columns = [field.attname for field in fields if field.attname not in UNLOGGED_COLUMNS]
        before = current_rows if current_rows is not None else model._base_manager.in_bulk(list(rows))
        update_rows(model, fields, [[*(rows[pk][f.attname] for f in fields), pk] for pk in rows])
        for pk in rows:
            self.about.update(get_subject_words(model, get_row_values(before[pk])))
        change: ChangeData = {
            "table": _table_name(model),
            "columns": logged_columns,
            "ids": list(rows),
            "before": [[getattr(before[pk], name) for name in logged_columns] for pk in rows],
            "after": [[rows[pk][name] for name in logged_columns] for pk in rows],
        }
        self.changes.append(change)

    def bring_back(self, model: type[models.Model], rows: Sequence[Mapping[str, object]]) -> None:
        """Insert rows under the ids they had, from what the log kept of them."""
        columns = list(model._meta.concrete_fields)
        defaults = {field.attname: field.get_default() for field in columns}
        table = [
            [f.to_python(row[f.attname]) if f.attname in row else defaults[f.attname] for f in columns]
            for row in rows
        ]
        names = [field.attname for field in columns]
        if all(isinstance(field, PLAIN_FIELDS) for field in columns):
            insert_rows(model, columns, table)
        else:
            restored_rows = [model(**dict(zip(names, row, strict=True))) for row in table]
            model._base_manager.bulk_create(restored_rows, batch_size=500)
        self._remember_created(model, columns, table)

    def delete(self, row: models.Model) -> None:
        """Delete a row, and what goes with it, which is remembered too."""
        collector = Collector(using="default", origin=row)
        collector.collect([row])
        for rows in collector.fast_deletes:
            self.remove(rows)
        for model, related_rows in collector.data.items():
            self.remove(model._base_manager.filter(pk__in=[one.pk for one in related_rows]))

    def remove(self, rows: models.QuerySet[Any]) -> int:
        """Delete rows of one table with two statements.

        Rows that point to them must be deleted in the same step.
        """
        model = rows.model
        columns = list(model._meta.concrete_fields)
        deleted_values = [list(values) for values in rows.values_list(*(field.attname for field in columns))]
        if not deleted_values:
            return 0
        model._base_manager.filter(pk__in=[values[0] for values in deleted_values])._raw_delete("default")
        names = [field.attname for field in columns]
        self._note_subjects(model, names, deleted_values)
        self.changes.append({"table": _table_name(model), "columns": names, "deleted": deleted_values})
        return len(deleted_values)

    def remember(
        self, row: models.Model, before: Mapping[str, object] | None, after: Mapping[str, object] | None
    ) -> None:
        """Record a change of a row that was written elsewhere."""
        self.about.update(get_subject_words(type(row), get_row_values(row)))
        before, after = _logged_values(before), _logged_values(after)
        if before != after:
            table = _table_name(type(row))
            self.changes.append({"table": table, "id": row.pk, "before": before, "after": after})

    def _remember_created(
        self,
        model: type[models.Model],
        columns: Sequence[models.Field[Any, Any]],
        table: Sequence[Sequence[object]],
    ) -> None:
        places = [n for n, field in enumerate(columns) if field.attname not in UNLOGGED_COLUMNS]
        names = [columns[n].attname for n in places]
        rows = [[row[n] for n in places] for row in table]
        self._note_subjects(model, names, rows)
        self.changes.append({"table": _table_name(model), "columns": names, "created": rows})

    def _note_subjects(
        self, model: type[models.Model], names: Sequence[str], rows: Sequence[Sequence[object]]
    ) -> None:
        """Note the players and rounds that rows are about, each once, by column."""
        for letter, column in get_subject_columns(model):
            if column in names:
                place = names.index(column)
                self.about.update(f"{letter}{pk}" for pk in {row[place] for row in rows} if pk is not None)

    def close(self) -> None:
        """Write the log and raise the version, if anything happened."""
        if not self.changes and not self.notes:
            return
        if not self.notes:
            raise AssertionError("a step changed rows without saying what it did")
        if self.raises_version:
            increment_version(self.event)
        first, *further = self.notes
        if self.actor.player is not None:
            self.about.add(f"p{self.actor.player.pk}")
        about = f" {' '.join(sorted(self.about))} " if self.about else ""
        # The changes of a large round are megabytes: they are encoded once, and decoded only on request.
        changes = Cast(Value(to_json_text(self.changes)), models.JSONField())
        entry = self._line(first, changes=changes, about=about, takes_back=self.takes_back)
        del entry.changes
        for note in further:
            self._line(note, head=entry)
        for callback in self.afterwards:
            callback(entry)
        self.entry = entry

    def _line(self, note: Note, **values: Any) -> LogEntry:
        player = self.actor.player
        return LogEntry.objects.create(
            event=self.event,
            at=self.now,
            user=self.actor.user,
            by_player=player.pk if player else None,
            actor="" if self.actor.user or player else self.actor.label[:120],
            action=note.action,
            variant=note.variant,
            params=params_to_json(note.params),
            reason=note.reason,
            **values,
        )


def _table_name(model: type[models.Model]) -> str:
    """Return the name of a table in a change.

    Raises AssertionError for one that no event owns.
    """
    name = str(model._meta.model_name)
    if name not in EVENT_TABLES:
        raise AssertionError(f"a step wrote rows of {name}, which belong to no event")
    return name


def _logged_values(values: Mapping[str, object] | None) -> Values | None:
    if values is None:
        return None
    return {name: value for name, value in values.items() if name not in UNLOGGED_COLUMNS}


def lock_event(event: Event) -> Event:
    """Return the row of an event under its lock, inside a transaction.

    Raises Conflict if it was deleted.
    """
    locked_event = find_row(Event.objects.select_for_update().filter(pk=event.pk))
    if locked_event is None:
        raise Conflict("row_gone")
    return locked_event


@contextmanager
def step(event: Event, actor: Actor) -> Iterator[Recorder]:
    """Run one step alone.

    The event's row is locked, so two people pressing one button take turns. Yields a recorder whose `event`
    is the row as it is under the lock. Rolls everything back when the block raises.
    """
    with transaction.atomic():
        locked_event = lock_event(event)
        recorder = Recorder(locked_event, actor)
        end_callbacks = [watch(locked_event) for watch in CHANGE_WATCHERS]
        yield recorder
        recorder.close()
        if recorder.has_changed(Event):
            locked_event.refresh_from_db()
        for end in end_callbacks:
            end(recorder)
        _copy_values(event, locked_event)


def _copy_values(event: Event, locked_event: Event) -> None:
    """Copy the current values to the caller's instance."""
    for field in Event._meta.concrete_fields:
        setattr(event, field.attname, getattr(locked_event, field.attname))


EVENT_CHANNEL = "ringside_event"


def increment_version(event: Event) -> None:
    """Increment the version of an event and of its row.

    Listeners are notified when the running transaction commits. Raises AssertionError if the row has another
    version, which a step within this one must have given it.
    """
    table = Event._meta.db_table
    with connection.cursor() as cursor:
        # Django's own update would compile it again for each step, which takes ten times as long.
        cursor.execute(
            f"UPDATE {table} SET version = version + 1 WHERE id = %s AND version = %s",  # noqa: S608
            [event.pk, event.version],
        )
        if cursor.rowcount != 1:
            raise AssertionError("the version changed under the lock of the event")
        event.version += 1
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_notify(%s, %s)", [EVENT_CHANNEL, str(event.pk)])
