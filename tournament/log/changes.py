"""What a step changed, as its log entry keeps it: rows before and after, in plain JSON.

A change has one of four shapes. One row: `{"table", "id", "before", "after"}`, with None for no row. Many
rows that came or went: `{"table", "columns", "created"}` or `{"table", "columns", "deleted"}` with a list of
values for each row, the id first. Many rows that changed: `{"table", "columns", "ids", "before", "after"}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache
from typing import Any

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

Values = dict[str, Any]
Change = Mapping[str, Any]
Key = tuple[str, int]
ENCODER = DjangoJSONEncoder()
SECRET = frozenset({"token", "drawn"})
COUNTED = frozenset({"version", "revision"})
SCRATCH = frozenset({"ticks"})
UNLOGGED = SECRET | COUNTED | SCRATCH


@dataclass(frozen=True, slots=True)
class RowChange:
    """One row before and after; None for no row."""

    table: str
    id: int
    before: Values | None
    after: Values | None

    @property
    def key(self) -> Key:
        """The row: its table and id."""
        return self.table, self.id

    @property
    def columns(self) -> frozenset[str] | None:
        """The columns that changed; None where the row came or went."""
        return None if self.before is None or self.after is None else frozenset(self.after)


def row_changes(changes: Iterable[Change]) -> Iterator[RowChange]:
    """Every row of a step's changes, in the order they were made."""
    for change in changes:
        if "columns" not in change:
            yield RowChange(change["table"], change["id"], change["before"], change["after"])
            continue
        yield from _many(change)


def _many(change: Change) -> Iterator[RowChange]:
    table, columns = change["table"], change["columns"]
    if "created" in change:
        for row in change["created"]:
            yield RowChange(table, row[0], None, dict(zip(columns, row, strict=True)))
    elif "deleted" in change:
        for row in change["deleted"]:
            yield RowChange(table, row[0], dict(zip(columns, row, strict=True)), None)
    else:
        for pk, before, after in zip(change["ids"], change["before"], change["after"], strict=True):
            yield RowChange(
                table, pk, dict(zip(columns, before, strict=True)), dict(zip(columns, after, strict=True))
            )


def as_json(value: Any) -> Any:
    """The value as JSON keeps it; moments to the microsecond, so that they come back as they were."""
    return json.loads(json.dumps(value, default=_plain))


def _plain(value: Any) -> Any:
    if isinstance(value, models.Model):
        return value.pk
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return ENCODER.default(value)


def row_values(row: models.Model, *, whole: bool = False) -> Values:
    """All stored values of a row but counters; what is secret only of a `whole` row, one that goes."""
    left_out = frozenset() if whole else UNLOGGED
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if field.attname not in left_out
    }


@cache
def model_of(table: str) -> type[models.Model]:
    """The model of a table named in a change. Raises LookupError for one that is unknown."""
    try:
        return apps.get_model("tournament", table)
    except LookupError:
        return apps.get_model("decks", table)


@cache
def links(model: type[models.Model], to: str) -> tuple[str, ...]:
    """The columns of a table that point to the rows of another, by the other's name."""
    return tuple(
        field.attname
        for field in model._meta.concrete_fields
        if field.is_relation and field.related_model._meta.model_name == to
    )


def concerned(model: type[models.Model], values: Mapping[str, Any]) -> Iterator[str]:
    """The players and rounds that a row is about, as words of `LogEntry.about`."""
    for table, letter in (("player", "p"), ("round", "r")):
        columns = ("id",) if model._meta.model_name == table else links(model, table)
        for column in columns:
            if values.get(column) is not None:
                yield f"{letter}{values[column]}"
