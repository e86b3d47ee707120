"""Dataclasses published as JSON.

The value and its description come from one place.

    @dataclass(frozen=True, slots=True)
    class CardTotal(Published):
        PUBLISHED = {"card": "key", "copies": "copies"}    # name in JSON: field, property or path
        key: str
        copies: int

    CardTotal("ken", 4).to_json()       # {"card": "ken", "copies": 4}

Without `PUBLISHED` every field is published under its own name. A path such as "player.number" reads through
the values inside. It is None if one of them is None. `decks.shared.dataclass_serializers` makes the
serializer of the same names and types. Pure: the standard library alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import date, datetime
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, get_args, get_type_hints
from uuid import UUID

# The values in the columns of a table, by the kind of column.
COLUMN_TYPES: Mapping[str, type] = {
    "BigAutoField": int,
    "BooleanField": bool,
    "CharField": str,
    "DateField": date,
    "DateTimeField": datetime,
    "PositiveIntegerField": int,
    "PositiveSmallIntegerField": int,
    "SlugField": str,
    "TextField": str,
    "UUIDField": UUID,
}


class Published:
    """Base of dataclasses that go out as JSON.

    `PUBLISHED` tells what, if it is not every field.
    """

    __slots__ = ()
    PUBLISHED: ClassVar[Mapping[str, str] | tuple[str, ...]] = ()

    def to_json(self) -> dict[str, object]:
        """Return the published fields as JSON, for programs and for storing."""
        kind: type = type(self)
        names = published_names(kind)
        return {name: to_json(_read_path(self, source)) for name, source in names.items()}


@cache
def published_names(kind: type) -> Mapping[str, str]:
    """Return the names in JSON of what a dataclass publishes.

    Each name has the path of its field or property.
    """
    names = getattr(kind, "PUBLISHED", ()) or tuple(field.name for field in fields(kind))
    return names if isinstance(names, Mapping) else {name: name for name in names}


def type_of_path(kind: Any, path: str) -> Any:
    """Return the annotated type of a value inside a class.

    The value is a field, property or column, or is inside one.
    """
    name, _, rest = path.partition(".")
    annotation = _type_of_attribute(kind, name)
    if not rest:
        return annotation
    options = get_args(annotation)
    inner = type_of_path(next((each for each in options if each is not type(None)), annotation), rest)
    return inner | None if type(None) in options else inner


def _read_path(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = None if value is None else getattr(value, name)
    return value


def _type_of_attribute(kind: type, name: str) -> Any:
    """Return the annotated type of a field or property, or that of a column's values."""
    attribute = getattr(kind, name, None)
    if isinstance(attribute, property):
        return get_type_hints(attribute.fget)["return"]
    column = getattr(attribute, "field", None)
    if column is None:
        return get_type_hints(kind)[name]
    value = column.related_model or COLUMN_TYPES[column.get_internal_type()]
    return value | None if column.null else value


def to_json(value: Any) -> Any:
    """Return a value as JSON holds it; a record by its own `to_json`."""
    if value is None or isinstance(value, str | int | float):
        return value
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, Mapping):
        return {str(key): to_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(each) for each in value]
    if isinstance(value, Fraction | UUID):
        return str(value)
    return value.isoformat() if isinstance(value, date) else value
