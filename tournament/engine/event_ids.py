"""Event files whose players go by text: the engine counts on whole numbers, so each gets one meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournament.engine.records import PlayerId

FileId = int | str


def with_numbers(data: Mapping[str, Any]) -> tuple[Mapping[str, Any], dict[PlayerId, FileId]]:
    """The same event with numbers for ids, in the order of its players, and each number's id in the file.

    A file whose ids are whole numbers all through comes back as it is, with nothing to translate. An id that
    no player has is left for the reader to refuse.

    >>> with_numbers({"players": [{"id": "ann"}, {"id": "bob"}], "drops": {"bob": 1}})[1]
    {1: 'ann', 2: 'bob'}
    """
    players = data.get("players")
    if not isinstance(players, list) or not any(isinstance(_id(entry), str) for entry in players):
        return data, {}
    ids = [found for entry in players if isinstance(found := _id(entry), str | int)]
    numbers = {str(found): number for number, found in reversed(list(enumerate(ids, 1)))}
    changed = {
        "players": [_renamed(entry, ("id",), numbers) for entry in players],
        "rounds": _rounds(data.get("rounds", []), numbers),
        "drops": _drops(data.get("drops"), numbers),
    }
    return {**data, **changed}, {numbers[str(found)]: found for found in ids}


def _id(entry: object) -> object:
    return entry.get("id") if isinstance(entry, dict) else None


def _rounds(rounds: object, numbers: Mapping[str, PlayerId]) -> object:
    if not isinstance(rounds, list):
        return rounds
    return [
        [_renamed(match, ("p1", "p2"), numbers) for match in matches]
        if isinstance(matches, list)
        else matches
        for matches in rounds
    ]


def _drops(drops: object, numbers: Mapping[str, PlayerId]) -> object:
    if isinstance(drops, dict):
        return {str(numbers.get(player, player)): last for player, last in drops.items()}
    if isinstance(drops, list):
        return [numbers.get(str(player), player) for player in drops]
    return drops


def _renamed(entry: object, keys: tuple[str, ...], numbers: Mapping[str, PlayerId]) -> object:
    if not isinstance(entry, dict):
        return entry
    named = {key: str(entry[key]) for key in keys if isinstance(entry.get(key), str | int)}
    return {**entry, **{key: numbers[name] for key, name in named.items() if name in numbers}}
