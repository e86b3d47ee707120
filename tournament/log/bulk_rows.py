"""Insert many rows at once, and let rows exchange unique values.

Django's own bulk insert needs a statement for every few dozen rows on SQLite, and most of a second for
the pairings of thousands of players. The rows travel as one JSON text, which both databases take apart.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, TypeAlias

from django.db import connection, models

from decks.shared.rows import update_rows

Columns: TypeAlias = "Sequence[models.Field[Any, Any]]"


def reserve_ids(model: type[models.Model], count: int) -> list[int]:
    """Reserve ids that no row of the table ever had.

    On SQLite the transaction must hold the write lock.
    """
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)", [table, count]
            )
            return [row[0] for row in cursor.fetchall()]
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        last = (cursor.fetchone() or (0,))[0]
    return list(range(last + 1, last + 1 + count))


def use_up_ids(model: type[models.Model], count: int) -> list[int]:
    """Use up ids that no row ever had or will get by itself.

    They are for rows that may come later under them.
    """
    ids = reserve_ids(model, count) if count else []
    if ids and connection.vendor != "postgresql":
        table = model._meta.db_table
        with connection.cursor() as cursor:
            cursor.execute("UPDATE sqlite_sequence SET seq = %s WHERE name = %s", [ids[-1], table])
            if cursor.rowcount == 0:
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, ids[-1]])
    return ids


def insert_rows(model: type[models.Model], columns: Columns, rows: Iterable[Sequence[Any]]) -> None:
    """Write rows, each with a value for every column.

    Columns hold numbers, texts, times or nothing.
    """
    body = json.dumps(_as_columns(columns, rows), default=_text)
    fields = ", ".join(connection.ops.quote_name(str(field.column)) for field in columns)
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({fields}) {_select(columns)}", [body])


def _select(columns: Columns) -> str:
    if connection.vendor == "postgresql":
        casts = ", ".join(
            f"(r->>{number})::{field.db_type(connection)}" for number, field in enumerate(columns)
        )
        return f"SELECT {casts} FROM jsonb_array_elements(%s::jsonb) AS r"  # noqa: S608 - our own names
    parts = ", ".join(f"json_extract(value, '$[{number}]')" for number in range(len(columns)))
    return f"SELECT {parts} FROM json_each(%s)"  # noqa: S608 - our own names


def _as_columns(columns: Columns, rows: Iterable[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Return the rows with every value as the database keeps it.

    Equal values of a column are converted once.
    """
    prepared_rows = [
        _prepare_values(field, values) for field, values in zip(columns, zip(*rows, strict=True), strict=True)
    ]
    return list(zip(*prepared_rows, strict=True))


def _prepare_values(field: models.Field[Any, Any], values: Sequence[Any]) -> list[Any]:
    if isinstance(field, models.DateTimeField):
        prepared_by_value = {value: field.get_db_prep_save(value, connection) for value in set(values)}
        return [prepared_by_value[value] for value in values]
    return list(values)


def _text(value: Any) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no place in a row of plain values.")


SMALL_INTEGER_MAXIMUM, INTEGER_MAXIMUM = 32_767, 2_147_483_647


def free_unique_values(model: type[models.Model], rows: Mapping[int, dict[str, object]]) -> None:
    """Give every row that is to change a unique value one that no one has.

    `rows` are the new values by id. Where only the condition of a constraint changes, the value that was set
    aside is added to the new ones.
    """
    for constraint_columns, column in _constraints(model):
        field = _get_column(model, column)
        changing_ids = [pk for pk, values in rows.items() if constraint_columns & set(values)]
        if not changing_ids:
            continue
        current_values = model._base_manager.filter(pk__in=changing_ids).values_list("pk", field.attname)
        for pk, value in current_values:
            rows[pk].setdefault(field.attname, value)
        update_rows(
            model, [field], [[_temporary_value(field, number), pk] for number, pk in enumerate(changing_ids)]
        )


def _constraints(model: type[models.Model]) -> Iterator[tuple[set[str], str]]:
    """Yield the columns that decide each unique constraint.

    Each comes with the column that can be set aside.
    """
    for field in model._meta.concrete_fields:
        if field.unique and not field.primary_key:
            yield {field.attname}, field.name
    for constraint in model._meta.constraints:
        if isinstance(constraint, models.UniqueConstraint):
            names = [*constraint.fields, *_column_names(constraint.expressions)]
            condition = constraint.condition
            column_names = [*names, *(name for name, _ in _condition_leaves(condition) if condition)]
            yield {_get_column(model, name).attname for name in column_names}, names[-1]


def _get_column(model: type[models.Model], name: str) -> models.Field[Any, Any]:
    return next(field for field in model._meta.concrete_fields if name in (field.name, field.attname))


def _column_names(expressions: Iterable[Any]) -> Iterator[str]:
    for expression in expressions:
        sources = [expression] if isinstance(expression, models.F) else expression.get_source_expressions()
        yield from (str(vars(part)["name"]) for part in sources if isinstance(part, models.F))


def _condition_leaves(condition: models.Q | None) -> Iterator[tuple[str, Any]]:
    for child in condition.children if condition else ():
        if isinstance(child, models.Q):
            yield from _condition_leaves(child)
        elif isinstance(child, tuple):
            name, value = child
            yield name.split("__")[0], value


def _temporary_value(field: models.Field[Any, Any], number: int) -> Any:
    if field.null:
        return None
    if field.is_relation:
        return 2**62 - number
    if isinstance(field, models.IntegerField):
        return (SMALL_INTEGER_MAXIMUM if _is_small(field) else INTEGER_MAXIMUM) - number
    return f"~{number}"


def _is_small(field: models.Field[Any, Any]) -> bool:
    return isinstance(field, models.SmallIntegerField | models.PositiveSmallIntegerField)
