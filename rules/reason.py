"""Reasons: a stable code with parameters.

`rules.wording` puts them into words where they are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from fractions import Fraction

REFERENCES = frozenset(
    {"player", "place", "round", "match", "table", "stage", "event", "user", "card", "entry", "sheet"}
)

LONGEST_FRACTION = 200

# The parameter of words that were not written here: another library's, or those of a row older than its code.
# Where such words name players, it is a tuple: the text between the names, and references.
TOLD = "told"


@dataclass(frozen=True, slots=True)
class Reference:
    """Something that has a name.

    It may be a player by id, a place in a ranking, or round 3 of stage 1 as `(1, 3)`. An `entry` is a line of
    the event's log.
    """

    kind: str
    key: int | str | tuple[int, ...]


@dataclass(frozen=True, slots=True, init=False)
class Reason:
    """A decision or a problem: a code, and the facts of this case by name.

    A code may have variants after a dot (`same_name.team`), each with words of its own.
    """

    code: str
    params: Mapping[str, Param]

    # The dataclass's own takes 0.34 microseconds, this one 0.21, and each verdict has several reasons.
    def __init__(self, code: str, params: Mapping[str, Param] | None = None) -> None:
        _set_code(self, code)
        _set_params(self, {} if params is None else params)

    def to_json(self) -> dict[str, object]:
        """Return code and parameters as JSON keeps them."""
        return {"code": self.code, "params": params_to_json(self.params)}

    @classmethod
    def from_json(cls, value: object) -> Reason:
        """Return the reason that `to_json` wrote. Raises ValueError for any other value."""
        if not isinstance(value, Mapping) or set(value) - {"code", "params"}:
            raise ValueError("a reason has a code and params")
        code = value.get("code")
        if not isinstance(code, str) or not code:
            raise ValueError("the code of a reason is a word")
        return cls(code, params_from_json(value.get("params", {})))


_set_code, _set_params = (vars(Reason)[name].__set__ for name in ("code", "params"))

Param: TypeAlias = "int | str | Fraction | Reference | Reason | tuple[Param, ...] | None"


def reason(code: str, /, **params: Param) -> Reason:
    """Return a reason with its parameters by name."""
    return Reason(code, params)


def quote_value(value: object) -> Param:
    """Return a value that someone entered, as a parameter.

    It is a number, or else its text.
    """
    return value if value is None or isinstance(value, int | str) else str(value)


def plain_reason(text: str) -> Reason:
    """Return words that were not written here, shown as they are."""
    return Reason(TOLD, {TOLD: text})


def join_parts(words: Param, name: Callable[[Param], str]) -> str:
    """Return words that were not written here, joined with their references.

    `name` gives the text of each reference between them.
    """
    parts = words if isinstance(words, tuple) else (str(words),)
    return "".join(each if isinstance(each, str) else name(each) for each in parts)


def reasons_to_json(reasons: Iterable[Reason]) -> list[dict[str, object]]:
    """Return several reasons as JSON keeps them."""
    return [each.to_json() for each in reasons]


def reasons_from_json(value: object) -> tuple[Reason, ...]:
    """Return the reasons that `reasons_to_json` wrote.

    Raises ValueError for any other value.
    """
    if not isinstance(value, list):
        raise ValueError("reasons are a list")
    return tuple(map(Reason.from_json, value))


def iter_references(value: Param) -> Iterator[Reference]:
    """Yield every reference in a reason or parameter, in order."""
    if isinstance(value, Reference):
        yield value
    elif isinstance(value, Reason):
        for each in value.params.values():
            yield from iter_references(each)
    elif isinstance(value, tuple):
        for each in value:
            yield from iter_references(each)


def has_references(value: Param) -> bool:
    """Return whether a reason or parameter refers to anything."""
    return any(True for _ in iter_references(value))


def replace_references(value: Reason, new: Callable[[Reference], Param]) -> Reason:
    """Return the same reason with what `new` returns in place of each reference."""
    return Reason(value.code, {name: _replace(each, new) for name, each in value.params.items()})


def _replace(value: Param, new: Callable[[Reference], Param]) -> Param:
    if isinstance(value, Reference):
        return new(value)
    if isinstance(value, Reason):
        return replace_references(value, new)
    if isinstance(value, tuple):
        return tuple(_replace(each, new) for each in value)
    return value


def params_to_json(params: Mapping[str, Param]) -> dict[str, object]:
    """Return parameters in the form in which JSON stores them.

    References are `{"player": 12}` and fractions are `{"fraction": "1/3"}`.
    """
    return {name: _to_json(value) for name, value in params.items()}


def params_from_json(value: object) -> dict[str, Param]:
    """Return the parameters that `params_to_json` wrote.

    Raises ValueError for any other value.
    """
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise ValueError("parameters have names")
    return {name: _from_json(each) for name, each in value.items()}


def _to_json(value: Param) -> object:
    if isinstance(value, Reference):
        return {value.kind: list(value.key) if isinstance(value.key, tuple) else value.key}
    if isinstance(value, Reason):
        return value.to_json()
    if isinstance(value, tuple):
        return [_to_json(each) for each in value]
    return value if value is None or isinstance(value, int | str) else {"fraction": str(value)}


def _from_json(value: object) -> Param:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, list):
        return tuple(_from_json(each) for each in value)
    if isinstance(value, Mapping):
        return _tagged_from_json(value)
    raise ValueError(f"a parameter cannot be {type(value).__name__}")


def _tagged_from_json(value: Mapping[object, object]) -> Param:
    if "code" in value:
        return Reason.from_json(value)
    [(kind, key)] = value.items() if len(value) == 1 else [(None, None)]
    if kind == "fraction" and isinstance(key, str):
        return _fraction(key)
    if isinstance(key, list) and key and all(type(part) is int for part in key):
        key = tuple(key)
    if isinstance(kind, str) and kind in REFERENCES and isinstance(key, int | str | tuple):
        return Reference(kind, key)
    raise ValueError("a parameter names one thing of a known kind")


def _fraction(text: str) -> Fraction:
    from fractions import Fraction  # loads slowly, and few parameters are one

    if len(text) > LONGEST_FRACTION or "e" in text.casefold():
        raise ValueError("a fraction is written with digits and a slash")
    try:
        return Fraction(text)
    except ZeroDivisionError as error:
        raise ValueError("a fraction is not over zero") from error
