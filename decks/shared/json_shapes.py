"""What a dataclass publishes as JSON: the value and its description come from one place.

    @dataclass(frozen=True, slots=True)
    class CardTotal(Published):
        PUBLISHED = {"card": "key", "copies": "copies"}    # name in JSON: field or property
        key: str
        copies: int

    CardTotal("ken", 4).to_json()       # {"card": "ken", "copies": 4}

Without `PUBLISHED` every field is published under its own name. `decks.shared.dataclass_serializers` makes
the serializer of the same names and types. Pure: the standard library alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from functools import cache
from typing import Any, ClassVar, get_type_hints


class Published:
    """Base of dataclasses that go out as JSON. `PUBLISHED` tells what, where it is not every field."""

    __slots__ = ()
    PUBLISHED: ClassVar[Mapping[str, str] | tuple[str, ...]] = ()

    def to_json(self) -> dict[str, object]:
        """The published fields as JSON, for programs and for storing."""
        kind: type = type(self)
        names = published_names(kind)
        return {name: to_json(getattr(self, source)) for name, source in names.items()}


@cache
def published_names(kind: type) -> Mapping[str, str]:
    """The names in JSON of what a dataclass publishes, with its field or property."""
    names = getattr(kind, "PUBLISHED", ()) or tuple(field.name for field in fields(kind))
    return names if isinstance(names, Mapping) else {name: name for name in names}


def published_types(kind: type) -> dict[str, object]:
    """The annotated type of everything that a dataclass publishes, by its name in JSON."""
    hints = get_type_hints(kind)
    return {name: _type_of(kind, source, hints) for name, source in published_names(kind).items()}


def _type_of(kind: type, source: str, hints: Mapping[str, object]) -> Any:
    attribute = getattr(kind, source, None)
    return get_type_hints(attribute.fget)["return"] if isinstance(attribute, property) else hints[source]


def to_json(value: Any) -> Any:
    """A value as JSON holds it; a record by its own `to_json`."""
    if value is None or isinstance(value, str | int | float):
        return value
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, Mapping):
        return {str(key): to_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(each) for each in value]
    return value.isoformat() if isinstance(value, date) else value
