"""Serializers made from dataclasses, for answers that only repeat them.

    LineShape = serializer_of(CheckedLine, "LineShape", "One source line and what it became.")
    Response(LineShape(lines, many=True).data)          # or Response(to_json(lines)): both say the same

The fields are what `decks.shared.json_shapes` publishes of the dataclass, with the types of its annotations.
A dataclass inside needs its own serializer first, by which the API's description names it. What a type cannot
say is given by name: `help_texts` for words, `optional` for values that may be missing, `fields` for another
field. `names` are those of one answer among several of a class, such as a few columns of a table.
"""

from __future__ import annotations

import types
from collections.abc import Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import is_dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any, Literal, Union, get_args, get_origin
from uuid import UUID

from rest_framework import serializers

from decks.shared.api_requests import StrictSerializer
from decks.shared.json_shapes import published_names, type_of_path

_PLAIN: Mapping[type, type[serializers.Field]] = {
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    datetime: serializers.DateTimeField,
    date: serializers.DateField,
    UUID: serializers.UUIDField,
}
_serializers_by_kind: dict[type, type[StrictSerializer]] = {}


def serializer_of(
    kind: type,
    name: str,
    description: str,
    *,
    names: Mapping[str, str] | None = None,
    help_texts: Mapping[str, str] | None = None,
    optional: Collection[str] = (),
    fields: Mapping[str, serializers.Field] | None = None,
) -> type[StrictSerializer]:
    """Return the serializer of a dataclass.

    Its name is the one that it has in the API's description. `fields` replaces or adds fields. Raises
    TypeError for a type that has no field.
    """
    given_fields, words = fields or {}, help_texts or {}
    attributes: dict[str, object] = {"__doc__": description, "__module__": kind.__module__}
    for field, source in (names or published_names(kind)).items():
        options: dict[str, object] = {"help_text": words[field]} if field in words else {}
        options |= {"source": source} if source != field else {}
        options |= {"required": False} if field in optional else {}
        # A copy counts as made now, which sets the order of the fields.
        attributes[field] = (
            deepcopy(given_fields[field])
            if field in given_fields
            else field_of(type_of_path(kind, source), **options)
        )
    attributes |= {field: deepcopy(each) for field, each in given_fields.items() if field not in attributes}
    serializer = type(name, (StrictSerializer,), attributes)
    if names is None:
        _serializers_by_kind[kind] = serializer
    return serializer


class RecordSerializer(StrictSerializer):
    """Base of serializers of records that write themselves as JSON."""

    def to_representation(self, instance: Any) -> Any:
        """Return the record as it writes itself, or as it was written."""
        return instance if isinstance(instance, Mapping) else instance.to_json()


def register_serializer(kind: type, serializer: type[RecordSerializer]) -> None:
    """Let a serializer describe all fields of this type, which writes itself as JSON."""
    _serializers_by_kind[kind] = serializer


def field_of(annotation: Any, **options: Any) -> serializers.Field:
    """Make the serializer field of an annotated type.

    Raises TypeError for a type that has none.
    """
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        (one,) = (each for each in inner if each is not type(None))
        return field_of(one, allow_null=True, **options)
    if origin is Literal:
        return serializers.ChoiceField(list(inner), **options)
    if origin in (tuple, list) or (isinstance(origin, type) and issubclass(origin, Sequence)):
        return _list_of(inner[0], **options)
    kind = origin or annotation
    if isinstance(kind, type) and issubclass(kind, Mapping):
        plain = [each for each in inner[1:] if each not in (Any, object)]
        if plain:
            return serializers.DictField(child=field_of(plain[0]), **options)
        return serializers.DictField(**options)
    return _field_of_class(kind, **options)


def _list_of(inner: Any, **options: Any) -> serializers.Field:
    if _is_described(inner):
        return _serializer(inner)(many=True, **options)
    return serializers.ListField(child=field_of(inner), **options)


def _field_of_class(kind: Any, **options: Any) -> serializers.Field:
    if kind in (str, Fraction):
        return serializers.CharField(allow_blank=True, **options)
    if kind in _PLAIN:
        return _PLAIN[kind](**options)
    if _is_described(kind):
        return _serializer(kind)(**options)
    raise TypeError(f"No field describes {kind!r}; give one under `fields`.")


def _is_described(kind: type) -> bool:
    """Return whether a type has a serializer, or is a dataclass, which needs one."""
    return kind in _serializers_by_kind or is_dataclass(kind)


def _serializer(kind: Any) -> type[StrictSerializer]:
    if kind not in _serializers_by_kind:
        raise TypeError(f"{kind.__name__} has no serializer yet: make or register it first.")
    return _serializers_by_kind[kind]
