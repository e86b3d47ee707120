"""Rows that are named by a unique value, and many rows that get new values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, TypeVar

from django.db import connection, models, transaction
from django.db.models import QuerySet

Row = TypeVar("Row")


def find_row(rows: QuerySet[Any, Row]) -> Row | None:
    """Return the only row, None if there is none.

    `first` orders one row too, and for that compares all columns: a third of the time for a wide table.
    """
    return next(iter(rows.order_by()), None)


def update_rows(
    model: type[models.Model], columns: Sequence[models.Field[Any, Any]], rows: Sequence[Sequence[Any]]
) -> None:
    """Set the columns of many rows with one prepared statement.

    Each row is the new values, then the id.
    """
    if not columns or not rows:
        return
    quote = connection.ops.quote_name
    setting = ", ".join(f"{quote(str(field.column))} = %s" for field in columns)
    key = model._meta.pk
    kinds = [*columns, key]
    prepared_rows = [
        [field.get_db_prep_save(value, connection) for field, value in zip(kinds, row, strict=True)]
        for row in rows
    ]
    with connection.cursor() as cursor:
        sql = f"UPDATE {quote(model._meta.db_table)} SET {setting} WHERE {quote(str(key.column))} = %s"  # noqa: S608
        cursor.executemany(sql, prepared_rows)


def save_fields(rows: Sequence[models.Model], names: Collection[str]) -> None:
    """Save these fields of many rows of one table.

    Raises KeyError for a field that it does not have. Django's own bulk update compiles a condition for each
    value, which took most of an import of cards.
    """
    if not rows:
        return
    fields = {field.name: field for field in rows[0]._meta.concrete_fields}
    columns = [fields[name] for name in names]
    values = [[*(getattr(row, each.attname) for each in columns), row.pk] for row in rows]
    with transaction.atomic(savepoint=False):
        update_rows(type(rows[0]), columns, values)
