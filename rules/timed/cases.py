"""Answer worked examples of timed rounds by game and kind.

A game's module `timed_cases` registers an answer for each kind of example it knows. What cannot be read gives
an `error` with a sentence, never an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from rules.library import UnknownFormat, get_shipped_library, load_game_module
from rules.rendering import Problem
from rules.text import truncate

CaseAnswer = Callable[["CaseInput"], Mapping[str, object]]
_A = TypeVar("_A", bound=CaseAnswer)
_answers: dict[tuple[str, str], CaseAnswer] = {}


class InvalidCase(Problem, ValueError):
    """An example that cannot be read; the message says why."""


class CaseInput:
    """The input of an example, read by what a value should be.

    Every reader raises `InvalidCase`.
    """

    def __init__(self, values: Mapping[str, object], *, game: str = "", version: str | None = None) -> None:
        self._values = values
        self.game = game
        self.version = version

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def raw(self, key: str) -> object:
        """Return what is there, None for nothing."""
        return self._values.get(key)

    def text(self, key: str) -> str | None:
        """Return a text without surrounding blanks, or None."""
        value = self._values.get(key)
        if value is not None and not isinstance(value, str):
            raise InvalidCase("case-value", key=key, kind="text", value=truncate(repr(value)))
        return value.strip() if value is not None else None

    def flag(self, key: str) -> bool | None:
        """Return True, False or None."""
        value = self._values.get(key)
        if value is not None and not isinstance(value, bool):
            raise InvalidCase("case-value", key=key, kind="yes_no", value=truncate(repr(value)))
        return value

    def whole(self, key: str) -> int | None:
        """Return a whole number or None."""
        value = self._values.get(key)
        if value is not None and type(value) is not int:
            raise InvalidCase("case-value", key=key, kind="whole", value=truncate(repr(value)))
        return value

    def require(self, key: str) -> int:
        """Return a whole number that must be there."""
        value = self.whole(key)
        if value is None:
            raise InvalidCase("case-value-missing", key=key)
        return value

    def inner(self, key: str) -> CaseInput | None:
        """Return a record inside the input, or None."""
        value = self._values.get(key)
        if value is not None and not isinstance(value, Mapping):
            raise InvalidCase("case-value", key=key, kind="record", value=truncate(repr(value)))
        return CaseInput(value, game=self.game, version=self.version) if value is not None else None

    def inners(self, key: str) -> tuple[CaseInput, ...]:
        """Return a list of records; empty if there is nothing."""
        value = self._values.get(key)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or not all(isinstance(part, Mapping) for part in value):
            raise InvalidCase("case-no-records", key=key)
        return tuple(CaseInput(part, game=self.game, version=self.version) for part in value)

    def pair(self, key: str) -> tuple[int, int] | None:
        """Return two whole numbers, from a list or a record of A and B, or None."""
        value = self._values.get(key)
        if value is None:
            return None
        values = [value.get("A"), value.get("B")] if isinstance(value, Mapping) else value
        if (
            not isinstance(values, list | tuple)
            or len(values) != 2
            or any(type(n) is not int for n in values)
        ):
            raise InvalidCase("case-value", key=key, kind="pair", value=truncate(repr(value)))
        return values[0], values[1]


def register_answer(game: str, kind: str) -> Callable[[_A], _A]:
    """Register the answer to a kind of example of a game."""

    def register(answer: _A) -> _A:
        _answers[game, kind] = answer
        return answer

    return register


def answer_case(case: Mapping[str, object]) -> Mapping[str, object]:
    """Answer an example with every key that its kind can have.

    If that fails, the answer is `{"error": sentence}`.
    """
    try:
        return _answer(case)
    except (ValueError, UnknownFormat) as problem:
        return {"error": str(problem)}


def _answer(case: Mapping[str, object]) -> Mapping[str, object]:
    if not isinstance(case, Mapping):
        raise InvalidCase("case-no-record")
    outer = CaseInput(case)
    game, kind, version = outer.text("game") or "", outer.text("kind") or "", outer.text("rules_version")
    case_input = outer.inner("input")
    if case_input is None:
        raise InvalidCase("case-no-input")
    load_game_module(get_shipped_library().game(game), "timed_cases")
    answer = _answers.get((game, kind))
    if answer is None:
        known_kinds = tuple(sorted(k for g, k in _answers if g == game))
        key = "case-kind-unknown" if kind else "case-kind-missing"
        raise InvalidCase(key, kind=truncate(kind), game=truncate(game), known=known_kinds)
    inner = outer.raw("input")
    values = inner if isinstance(inner, Mapping) else {}
    return answer(CaseInput(values, game=game, version=version))
