"""Finds a game's procedure: the class that its module `timed` registers, with the data in `timed.toml`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeVar

from ..game import Game, Version
from ..library import BadData, UnknownFormat, load_game_module, shipped
from .procedure import Procedure

_P = TypeVar("_P", bound=type[Procedure])
_classes: dict[str, type[Procedure]] = {}


def procedure(game: str) -> Callable[[_P], _P]:
    """Register the class that holds a game's procedure."""

    def register(cls: _P) -> _P:
        _classes[game] = cls
        return cls

    return register


@cache
def procedure_of(game: str, version: str | None = None) -> Procedure:
    """The procedure of a game under a version of its rules (None: the highest).

    Raises `UnknownFormat` for an unknown game or version and for a game without a procedure.
    """
    found = shipped().game(game)
    chosen = _version(found, version)
    load_game_module(found, "timed")
    if game not in _classes:
        raise UnknownFormat(f"{found.name} has no procedure for timed rounds.")
    return _classes[game](found, chosen.number, chosen.document, _tables(found))


def _version(game: Game, asked: str | None) -> Version:
    version = game.newest if asked is None else game.version(asked)
    if version is None:
        known = ", ".join(version.number for version in game.versions)
        raise UnknownFormat(f"{game.name} has no version {asked}; there are: {known}.")
    return version


def _tables(game: Game) -> Mapping[str, Mapping[str, object]]:
    data = shipped().read(game.folder / "timed.toml")
    strange = [name for name, table in data.items() if not isinstance(table, Mapping)]
    if strange:
        raise BadData(f"{game.key}/timed.toml: {', '.join(strange)} must be tables.")
    return {name: table for name, table in data.items() if isinstance(table, Mapping)}
