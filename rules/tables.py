"""Parts of a TOML table, whatever else somebody wrote there; what does not fit is told by lint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

Table = Mapping[str, object]
_Record = TypeVar("_Record", bound=NamedTuple)


def get_words(table: Table, key: str) -> tuple[str, ...]:
    """A list of words; nothing where it is none."""
    value = table.get(key, ())
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def get_whole(table: Table, key: str) -> int | None:
    """A whole number; None where it is none."""
    value = table.get(key)
    return value if type(value) is int else None


def get_table(table: Table, key: str) -> Table:
    """A table in a table; an empty one where it is none."""
    value = table.get(key, {})
    return value if isinstance(value, Mapping) else {}


def get_tables(table: Table, key: str) -> list[Table]:
    """A list of tables, without what is none."""
    value = table.get(key, ())
    return [part for part in value if isinstance(part, Mapping)] if isinstance(value, list | tuple) else []


def to_record(shape: type[_Record], table: Table, where: str) -> _Record:
    """A table as a named tuple of its fields. Raises ValueError naming the parts that it lacks."""
    defaults: Mapping[str, Any] = shape._field_defaults
    lacking = [name for name in shape._fields if name not in defaults and not table.get(name)]
    if lacking:
        raise ValueError(f"{where} lacks {', '.join(lacking)}.")
    make: Callable[..., _Record] = shape
    return make(**{name: _settled(value) for name, value in table.items() if name in shape._fields})


def _settled(value: object) -> object:
    return tuple(map(_settled, value)) if isinstance(value, list) else value
