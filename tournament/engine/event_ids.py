"""Give numbers to players whom an event file calls by texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournament.engine.records import PlayerId

FileId = int | str


def assign_numeric_ids(
    data: Mapping[str, object], *, has_pods: bool = False
) -> tuple[Mapping[str, object], IdNumbers | None]:
    """Return the same event with numbers for ids, and these numbers.

    The numbers follow the order of its players. A file whose players go by whole numbers all through comes
    back as it is, with nothing to translate. A player who is named only in matches or drops gets a number
    behind all players, for the reader to refuse. Matches of two keep their ids: they are renamed while they
    are read.

    >>> assign_numeric_ids({"players": [{"id": "ann"}, {"id": "bob"}], "drops": {"bob": 1, "7": 2}})[1].ids
    {1: 'ann', 2: 'bob', 3: '7'}
    """
    players = data.get("players")
    if not isinstance(players, list) or not any(isinstance(_get_id(entry), str) for entry in players):
        return data, None
    names, numbered_data = IdNumbers(), dict(data)
    numbered_data["players"] = [_number_names(entry, ("id",), names) for entry in players]
    if has_pods:
        numbered_data["rounds"] = _numbered_rounds(data.get("rounds", []), names)
    numbered_data["drops"] = _numbered_drops(data.get("drops"), names)
    return numbered_data, names


class IdNumbers:
    """The numbers given so far.

    What is spelled alike is one player, be it a number or a text.
    """

    def __init__(self) -> None:
        self.by_text: dict[str, PlayerId] = {}
        self.ids: dict[PlayerId, FileId] = {}

    def number(self, file_id: FileId) -> PlayerId:
        """Return the number of a player; a new one for a new player."""
        number = self.by_text.setdefault(str(file_id), len(self.by_text) + 1)
        self.ids.setdefault(number, file_id)
        return number

    def rename_match(self, match: object) -> object:
        """Return a match of two, or of a list of players, with numbers for their ids."""
        if not isinstance(match, dict) or not isinstance(match.get("players"), list):
            return _number_names(match, ("p1", "p2"), self)
        players = [self.number(player) if _is_name(player) else player for player in match["players"]]
        return {**_number_names(match, ("p1", "p2", "last_standing"), self), "players": players}


def _get_id(entry: object) -> object:
    return entry.get("id") if isinstance(entry, dict) else None


def _numbered_rounds(rounds: object, names: IdNumbers) -> object:
    if not isinstance(rounds, list):
        return rounds
    return [
        [names.rename_match(match) for match in matches] if isinstance(matches, list) else matches
        for matches in rounds
    ]


def _numbered_drops(drops: object, names: IdNumbers) -> object:
    if isinstance(drops, dict):
        return {str(names.number(player)): last for player, last in drops.items()}
    if isinstance(drops, list):
        return [names.number(player) if _is_name(player) else player for player in drops]
    return drops


def _number_names(entry: Any, keys: tuple[str, ...], names: IdNumbers) -> Any:
    if not isinstance(entry, dict):
        return entry
    return {**entry, **{key: names.number(entry[key]) for key in keys if _is_name(entry.get(key))}}


def _is_name(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)
