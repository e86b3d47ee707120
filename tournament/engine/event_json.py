"""Read JSON with exact numbers, and refuse keys that are given twice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rules.text import truncate
from tournament.engine.garbage import paused_collector
from tournament.engine.problems import make_error, problem, raise_problems
from tournament.engine.records import Score
from tournament.engine.standings.systems.loading import exact_number


class NumberText(str):
    """A number of a file that is not exact, as it is written there."""

    __slots__ = ()


def parse_number(text: str) -> Score | str:
    """Return a number as it is written; a text if it is not exact."""
    number = exact_number(text)
    return NumberText(text) if number is None else number


def read_json(text: str) -> Mapping[str, object]:
    """Return the JSON object in a text, its numbers exact.

    Raises EngineError for anything else.
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise make_error("input-empty")
    data = _load(text)
    if not isinstance(data, dict):
        raise make_error("input-not-object")
    # Each key has a colon right behind it. If there are more, or a blank between, a key may occur twice.
    if _count_keys(data) != text.count('":') or any(f"{blank}:" in text for blank in " \t\r\n"):
        _refuse_keys_twice(text)
    return data


def _load(text: str, **options: Any) -> object:
    try:
        with paused_collector():
            return json.loads(text, parse_float=parse_number, parse_constant=NumberText, **options)
    except RecursionError:
        raise make_error("input-deep") from None
    except json.JSONDecodeError as fault:
        raise make_error("input-not-json", line=fault.lineno, column=fault.colno) from None
    except ValueError:
        raise make_error("input-number-long") from None


def _count_keys(value: object) -> int:
    """Return the number of keys of an object and of the objects below it.

    The depth is that of an event file.
    """
    if isinstance(value, dict):
        return len(value) + sum(_count_keys(each) for each in value.values() if isinstance(each, dict | list))
    if isinstance(value, list):
        plain = not value or isinstance(value[0], dict)
        return sum(len(each) if plain and isinstance(each, dict) else _count_keys(each) for each in value)
    return 0


def _refuse_keys_twice(text: str) -> None:
    twice: dict[str, None] = {}

    def read_object(pairs: list[tuple[str, object]]) -> None:
        keys = [key for key, _ in pairs]
        twice.update(dict.fromkeys(key for key in keys if keys.count(key) > 1))

    _load(text, object_pairs_hook=read_object)
    raise_problems(problem("key-twice", key=truncate(key)) for key in twice)
