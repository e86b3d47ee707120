"""Immutable records that load faster than dataclasses."""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn, Self


class Frozen:
    """A value made of the fields that its class names in `_fields`, in the order of its constructor."""

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *values: Any) -> None:
        for name, value in zip(self._fields, values, strict=True):
            object.__setattr__(self, name, value)

    def replaced(self, **changes: Any) -> Self:
        """The same value with some fields changed."""
        return type(self)(*(changes.get(name, getattr(self, name)) for name in self._fields))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is set once: make another with `replaced`.")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is set once.")

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self._fields)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Frozen) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._fields and getattr(self, self._fields[0]))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({fields})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._values()
