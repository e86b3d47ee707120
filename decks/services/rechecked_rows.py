"""Later verdicts written in bulk: everything is made ready before the database is locked for writing.

SQLite has one writer at a time, so what several workers do inside their transactions adds up; the rows are
therefore turned into plain values beforehand, and one statement without the ORM stores them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import connection

from decks.models import Rechecked

FIELDS = [field for field in Rechecked._meta.concrete_fields if not field.primary_key]
Values = Sequence[object]


def prepared(rows: Iterable[Rechecked]) -> list[tuple[int, Values]]:
    """Each row as the values of its columns, with the id of its version."""
    return [
        (
            row.version_id,
            [field.get_db_prep_save(getattr(row, field.attname), connection) for field in FIELDS],
        )
        for row in rows
    ]


def insert(rows: Sequence[Values]) -> None:
    """Store the rows. One that is there already stays: a worker taken for lost may have been faster."""
    if not rows:
        return
    columns = ", ".join(connection.ops.quote_name(field.column) for field in FIELDS)
    places = ", ".join(["%s"] * len(FIELDS))
    table = connection.ops.quote_name(Rechecked._meta.db_table)
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {table} ({columns}) VALUES ({places}) ON CONFLICT DO NOTHING",  # noqa: S608 - names only
            rows,
        )
