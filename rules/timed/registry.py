"""Finds a game's procedure: the class that its module `timed` registers, with the data in `timed.toml`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

from ..game import Game, Version
from ..library import BadData, Library, UnknownFormat, load_game_module, shipped
from .defaults import OurDefault
from .procedure import Procedure

DEFAULTS = Path(__file__).with_name("defaults.toml")

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

    Raises `UnknownFormat` for an unknown game or version.
    """
    return build(shipped(), game, version)


def build(library: Library, game: str, version: str | None) -> Procedure:
    """The procedure of a game of any library; a game that brings none has our default."""
    found = library.game(game)
    chosen = _version(found, version)
    load_game_module(found, "timed")
    made = _classes.get(game, OurDefault)
    return made(found, chosen.number, chosen.document, _tables(library, found))


def _version(game: Game, asked: str | None) -> Version:
    version = game.newest if asked is None else game.version(asked)
    if version is None:
        known = ", ".join(version.number for version in game.versions)
        raise UnknownFormat(f"{game.name} has no version {asked}; there are: {known}.")
    return version


def _tables(library: Library, game: Game) -> Mapping[str, Mapping[str, object]]:
    own = game.folder / "timed.toml"
    data = library.read(own if own.exists() else DEFAULTS)
    strange = [name for name, table in data.items() if not isinstance(table, Mapping)]
    if strange:
        raise BadData(f"{game.key}/timed.toml: {', '.join(strange)} must be tables.")
    return {name: table for name, table in data.items() if isinstance(table, Mapping)}
