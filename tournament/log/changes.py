"""The row changes that a step stores as JSON.

A change is one row before and after, or many rows of one table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypedDict, final

Values = dict[str, Any]  # Any: columns of a model, by name

RowKey = tuple[str, int]

Rows: TypeAlias = "Sequence[Sequence[object]]"


@final
class ChangedRow(TypedDict):
    """One row; None if there was none."""

    table: str
    id: int
    before: Values | None
    after: Values | None


@final
class CreatedRows(TypedDict):
    """Rows that came, each as the values of the columns; the first column is the id."""

    table: str
    columns: list[str]
    created: Rows


@final
class DeletedRows(TypedDict):
    """Rows that went, as those that came."""

    table: str
    columns: list[str]
    deleted: Rows


@final
class ChangedRows(TypedDict):
    """Rows of which the same columns changed."""

    table: str
    columns: list[str]
    ids: list[int]
    before: Rows
    after: Rows


ChangeData: TypeAlias = ChangedRow | CreatedRows | DeletedRows | ChangedRows

RowConverter = Callable[[int, Values], Values]


@dataclass(frozen=True, slots=True)
class RowChange:
    """One row before and after; None for no row."""

    table: str
    id: int
    before: Values | None
    after: Values | None

    @property
    def key(self) -> RowKey:
        """The row: its table and id."""
        return self.table, self.id

    @property
    def columns(self) -> frozenset[str] | None:
        """The columns that changed; None if the row came or went."""
        return None if self.before is None or self.after is None else frozenset(self.after)


def iter_row_changes(changes: Iterable[ChangeData]) -> Iterator[RowChange]:
    """Yield every row of a step's changes, in the order they were made."""
    for change in changes:
        if "columns" not in change:
            yield RowChange(change["table"], change["id"], change["before"], change["after"])
        elif "created" in change:
            for pk, row in _name_rows(change["columns"], change["created"]):
                yield RowChange(change["table"], pk, None, row)
        elif "deleted" in change:
            for pk, row in _name_rows(change["columns"], change["deleted"]):
                yield RowChange(change["table"], pk, row, None)
        else:
            for pk, *sides in zip(change["ids"], change["before"], change["after"], strict=True):
                before, after = (dict(zip(change["columns"], row, strict=True)) for row in sides)
                yield RowChange(change["table"], pk, before, after)


def _name_rows(columns: Sequence[str], rows: Rows) -> Iterator[tuple[int, Values]]:
    """Yield the rows by the names of their columns, each with its id."""
    for row in rows:
        values: Values = dict(zip(columns, row, strict=True))
        yield values["id"], values


def convert_rows(change: ChangeData, convert: RowConverter) -> ChangeData:
    """Return the change with each row and its id passed through `convert`.

    Rows of one table keep the same columns.
    """
    if "columns" not in change:
        pk, before, after = change["id"], change["before"], change["after"]
        return {
            **change,
            "before": None if before is None else convert(pk, before),
            "after": None if after is None else convert(pk, after),
        }
    if "created" in change:
        columns, [created_rows] = _convert_tables(change["columns"], None, [change["created"]], convert)
        return {**change, "columns": columns, "created": created_rows}
    if "deleted" in change:
        columns, [deleted_rows] = _convert_tables(change["columns"], None, [change["deleted"]], convert)
        return {**change, "columns": columns, "deleted": deleted_rows}
    sides = [change["before"], change["after"]]
    columns, [old, new] = _convert_tables(change["columns"], change["ids"], sides, convert)
    return {**change, "columns": columns, "before": old, "after": new}


def _convert_tables(
    columns: list[str], ids: Sequence[int] | None, tables: Sequence[Rows], convert: RowConverter
) -> tuple[list[str], list[Rows]]:
    """Return tables of converted rows, and their columns afterwards.

    Without `ids`, the first column holds the ids.
    """
    converted_tables: list[Rows] = []
    converted_columns = columns
    for rows in tables:
        row_values: list[Values] = [dict(zip(columns, row, strict=True)) for row in rows]
        pks = ids if ids is not None else [values["id"] for values in row_values]
        converted_rows = [convert(pk, values) for pk, values in zip(pks, row_values, strict=True)]
        converted_columns = list(converted_rows[0]) if converted_rows else converted_columns
        converted_tables.append([[values[name] for name in converted_columns] for values in converted_rows])
    return converted_columns, converted_tables
