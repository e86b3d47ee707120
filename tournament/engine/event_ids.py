"""Give numbers to players whom an event file calls by texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournament.engine.records import PlayerId

FileId = int | str


def assign_numeric_ids(data: Mapping[str, object]) -> tuple[Mapping[str, object], dict[PlayerId, FileId]]:
    """The same event with numbers for ids, in the order of its players, and each number's id in the file.

    A file whose players go by whole numbers all through comes back as it is, with nothing to translate.
    Whoever is named in matches or drops alone gets a number behind all players, for the reader to refuse.

    >>> with_numbers({"players": [{"id": "ann"}, {"id": "bob"}], "drops": {"bob": 1, "7": 2}})[1]
    {1: 'ann', 2: 'bob', 3: '7'}
    """
    players = data.get("players")
    if not isinstance(players, list) or not any(isinstance(_id(entry), str) for entry in players):
        return data, {}
    names = _IdNumbers()
    changed = {
        "players": [_renamed(entry, ("id",), names) for entry in players],
        "rounds": _numbered_rounds(data.get("rounds", []), names),
        "drops": _numbered_drops(data.get("drops"), names),
    }
    return {**data, **changed}, names.ids


class _IdNumbers:
    """The numbers given so far. What is spelled alike is one player, be it a number or a text."""

    def __init__(self) -> None:
        self._numbers: dict[str, PlayerId] = {}
        self.ids: dict[PlayerId, FileId] = {}

    def number(self, file_id: FileId) -> PlayerId:
        number = self._numbers.setdefault(str(file_id), len(self._numbers) + 1)
        self.ids.setdefault(number, file_id)
        return number


def _id(entry: object) -> object:
    return entry.get("id") if isinstance(entry, dict) else None


def _numbered_rounds(rounds: object, names: _IdNumbers) -> object:
    if not isinstance(rounds, list):
        return rounds
    return [
        [_renamed_match(match, names) for match in matches] if isinstance(matches, list) else matches
        for matches in rounds
    ]


def _renamed_match(match: object, names: _IdNumbers) -> object:
    """A match of two, or of a list of players, with numbers for their ids."""
    if not isinstance(match, dict) or not isinstance(match.get("players"), list):
        return _renamed(match, ("p1", "p2"), names)
    players = [names.number(player) if _is_name(player) else player for player in match["players"]]
    return {**_renamed(match, ("p1", "p2", "last_standing"), names), "players": players}


def _numbered_drops(drops: object, names: _IdNumbers) -> object:
    if isinstance(drops, dict):
        return {str(names.number(player)): last for player, last in drops.items()}
    if isinstance(drops, list):
        return [names.number(player) if _is_name(player) else player for player in drops]
    return drops


def _renamed(entry: Any, keys: tuple[str, ...], names: _IdNumbers) -> Any:
    if not isinstance(entry, dict):
        return entry
    return {**entry, **{key: names.number(entry[key]) for key in keys if _is_name(entry.get(key))}}


def _is_name(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)
