"""Translation of the references of reasons.

It converts between the ids of an installation and the numbers of an archive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# References by the id of a row; others name a place, a number or a key that is the same everywhere.
KINDS_WITH_IDS = frozenset({"player", "match", "event", "user", "card"})

# The number of a player who is gone.
GONE = 0


def map_references(value: Any, new: Callable[[str, int], int]) -> Any:
    """Return the same JSON with the references of its reasons to rows replaced.

    `new(kind, id)` takes the place of each. Raises ValueError for a reference to a row that is not a number.
    """
    if isinstance(value, list):
        return [map_references(each, new) for each in value]
    if not isinstance(value, dict):
        return value
    if "code" in value and isinstance(value.get("params"), dict):
        params = {name: _map_param(each, new) for name, each in value["params"].items()}
        return {**value, "params": params}
    return {name: map_references(each, new) for name, each in value.items()}


def _map_param(value: Any, new: Callable[[str, int], int]) -> Any:
    if isinstance(value, list):
        return [_map_param(each, new) for each in value]
    if not isinstance(value, dict) or "code" in value:
        return map_references(value, new)
    [(kind, key)] = value.items() if len(value) == 1 else [("", None)]
    if kind not in KINDS_WITH_IDS or (kind == "card" and isinstance(key, str)):
        return value
    if type(key) is not int:
        raise ValueError(f"a {kind} is no number")
    return {kind: new(kind, key)}
