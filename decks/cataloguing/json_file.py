"""The project's own catalogue file: `{"game": …, "sets": {CODE: {…}}, "cards": {KEY: {…}}}`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from decks.cataloguing.content import Content
from decks.cataloguing.describe import Problem, Record
from decks.errors import Refused


def read(text: str) -> Content:
    """Records of a JSON catalogue. Raises Refused (catalogue_unreadable) when the text is none."""
    try:
        data = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_Repeats.of)
    except (ValueError, RecursionError) as error:
        raise Refused("catalogue_unreadable", f"The JSON cannot be read: {error}.") from error
    cards = data.get("cards") if isinstance(data, dict) else None
    if not isinstance(cards, dict):
        raise Refused("catalogue_unreadable", "The JSON has no “cards”, an object of keys and cards.")
    game, sets = data.get("game"), data.get("sets", {})
    content = Content(game=str(game) if game else None, sets=_sets(sets))
    for key in getattr(cards, "repeated", ()):
        content.problems.append(
            Problem(f"card {key}", "key_repeated", f"The key {key} stands twice; the last counts.")
        )
    for key, facts in cards.items():
        if isinstance(facts, Mapping):
            content.records.append(Record(f"card {key}", key, facts))
        else:
            content.problems.append(
                Problem(f"card {key}", "card_not_an_object", "A card is a JSON object of facts.")
            )
    return content


class _Repeats(dict[str, Any]):
    """A JSON object that remembers the keys that stood in it more than once."""

    repeated: tuple[str, ...] = ()

    @classmethod
    def of(cls, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = cls(pairs)
        if len(made) == len(pairs):
            return dict(made)
        seen: set[str] = set()
        made.repeated = tuple(key for key, _ in pairs if key in seen or seen.add(key))
        return made


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _sets(data: object) -> dict[str, dict[str, Any]]:
    return dict(_each_set(data)) if isinstance(data, Mapping) else {}


def _each_set(data: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for code, facts in data.items():
        if isinstance(facts, Mapping) and 0 < len(code) <= 32:
            size = facts.get("size")
            yield (
                code,
                {
                    "name": str(facts.get("name") or "")[:120],
                    "size": size if type(size) is int and 0 < size < 10**6 else None,
                    "is_hidden": facts.get("is_hidden") is True,
                },
            )
