"""Parts of a TOML table, whatever else someone wrote there.

Lint reports what does not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Table = Mapping[str, object]
_Record = TypeVar("_Record", bound="DataclassInstance")


def get_words(table: Table, key: str) -> tuple[str, ...]:
    """Return a list of words; nothing if it is none."""
    value = table.get(key, ())
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def get_whole(table: Table, key: str) -> int | None:
    """Return a whole number; None if it is none."""
    value = table.get(key)
    return value if type(value) is int else None


def get_table(table: Table, key: str) -> Table:
    """Return a table in a table; an empty one where it is none."""
    value = table.get(key, {})
    return value if isinstance(value, Mapping) else {}


def get_tables(table: Table, key: str) -> list[Table]:
    """Return a list of tables, without what is none."""
    value = table.get(key, ())
    return [part for part in value if isinstance(part, Mapping)] if isinstance(value, list | tuple) else []


def to_record(shape: type[_Record], table: Table, where: str) -> _Record:
    """Return a table as a record of its fields.

    Raises ValueError naming the parts that it lacks.
    """
    lacking = [each.name for each in fields(shape) if each.default is MISSING and not table.get(each.name)]
    if lacking:
        raise ValueError(f"{where} lacks {', '.join(lacking)}.")
    make: Callable[..., _Record] = shape
    return make(**{name: _freeze(value) for name, value in pick_fields(shape, table).items()})


def pick_fields(shape: type[DataclassInstance], table: Table) -> dict[str, object]:
    """Return the values of a table that a record of this shape has.

    They are in the order of its fields.
    """
    return {each.name: table[each.name] for each in fields(shape) if each.name in table}


def _freeze(value: object) -> object:
    return tuple(map(_freeze, value)) if isinstance(value, list) else value
