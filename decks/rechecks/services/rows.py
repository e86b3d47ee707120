"""Later verdicts written in bulk: everything is made ready before the database is locked for writing.

SQLite has one writer at a time, so what several workers do inside their transactions adds up; the rows are
therefore turned into plain values beforehand, and one statement without the ORM stores them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import connection
from django.db.models import Field

from decks.submissions.models import Rechecked

FIELDS = [field for field in Rechecked._meta.concrete_fields if not field.primary_key]
Values = Sequence[object]


def prepared(rows: Iterable[Rechecked]) -> list[tuple[int, Values]]:
    """Each row as the values of its columns, with the id of its version."""
    columns = [_Column(field) for field in FIELDS]
    return [(row.version_id, [column.of(row) for column in columns]) for row in rows]


class _Column:
    """A column, and what its last value became: the rows of one recheck share most of theirs."""

    def __init__(self, field: Field) -> None:
        self.field, self.name = field, field.attname
        self.last: object = self
        self.stored: object = None

    def of(self, row: Rechecked) -> object:
        """The value of this column in a row, as the database takes it."""
        value = getattr(row, self.name)
        if value is not self.last:
            self.last, self.stored = value, self.field.get_db_prep_save(value, connection)
        return self.stored


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
