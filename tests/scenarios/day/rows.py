"""Every row of all events as the database holds it, read without the models.

These rows are the state of the day.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from django.apps import apps
from django.db import connection

from tests.scenarios.event_rows import COUNTERS, NOT_STATE

Rows = dict[str, list[tuple[Any, ...]]]


def all_rows() -> Rows:
    """Return all rows of all tables of events, and which version of each list counts.

    Counters are left out.
    """
    tables = apps.get_app_config("tournament").get_models()
    rows_by_table = {
        model._meta.db_table: _read(model._meta.db_table, [f.column for f in model._meta.concrete_fields])
        for model in tables
        if model._meta.model_name not in NOT_STATE - {"event"}
    }
    return {**rows_by_table, "lists": _read("decks_decklist", ["id", "current_id", "locked_at"], _HELD)}


_HELD = " WHERE id IN (SELECT deck_list_id FROM tournament_player)"


def _read(table: str, columns: list[str], only: str = "") -> list[tuple[Any, ...]]:
    text = ", ".join(f'"{column}"' for column in columns if column not in COUNTERS)
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT {text} FROM "{table}"{only} ORDER BY 1')
        return [tuple(map(_plain, row)) for row in cursor.fetchall()]


def _plain(value: Any) -> Any:
    """Return stored JSON without the spaces between its parts.

    The database writes those spaces or leaves them out.
    """
    if isinstance(value, str) and value[:1] in ("[", "{"):
        with suppress(ValueError):
            return json.dumps(json.loads(value))
    return value


def difference(now: Rows, then: Rows) -> dict[str, tuple[list[Any], list[Any]]]:
    """Return the rows added and removed since then, by table."""
    both = {table: ([r for r in now[table] if r not in then[table]], then[table]) for table in now}
    news_by_table = {
        table: (new, [r for r in old if r not in now[table]]) for table, (new, old) in both.items()
    }
    return {table: sides for table, sides in news_by_table.items() if sides != ([], [])}
