"""Load games from their folders: `game.toml`, `formats/` and `lists/`."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from rules.checks import Check, find_check
from rules.formats import Format
from rules.game import Game, Version
from rules.limited import parse_limited_play
from rules.lists import Edition, Lists, in_force, join_in_force
from rules.overlay import Overlay
from rules.reason import Reason, reason
from rules.rendering import GAMES_DIR, Problem, register_game
from rules.rule import BASES, EVERY_GAME, REGISTRATION, SEVERITIES, Condition, Rule
from rules.sides import parse_sides
from rules.text import truncate

_Word = TypeVar("_Word", bound=str)

SHIPPED = Path(__file__).parent / "games"

# Keys that the table of a rule may have besides the parameters of its check.
RULE_KEYS = frozenset(
    {"check", "rule", "clause", "document", "basis", "severity", "at", "follows", "readings", "words", "off"}
)


class UnknownFormat(Problem, LookupError):
    """No such game, format or version; the message lists what there is."""


class BadData(Problem, ValueError):
    """A data file that cannot be used; the message says which and why."""


class Library:
    """The games below one folder, and below the folders of `more`."""

    def __init__(self, folder: Path, *more: Path) -> None:
        self.folder = folder
        self._folders = (folder, *more)
        self._tables_by_file: dict[Path, Mapping[str, object]] = {}
        self._formats_by_terms: dict[tuple[object, ...], Format] = {}
        self._games: dict[str, Game] = {}
        self._editions: dict[str, tuple[Edition, ...]] = {}

    @cached_property
    def games(self) -> tuple[Game, ...]:
        """Every game, in the order in which games are offered, then by key."""
        keys = {file.parent.name for folder in self._folders for file in folder.glob("*/game.toml")}
        return tuple(sorted(map(self.game, keys), key=lambda game: (game.order, game.key)))

    def game(self, key: str) -> Game:
        """Return the game of that key. Raises `UnknownFormat`."""
        if key not in self._games:
            is_key = re.fullmatch(r"\w{1,40}", key)
            files = (folder / key / "game.toml" for folder in self._folders if is_key)
            file = next((file for file in files if file.is_file()), None)
            if file is None:
                raise UnknownFormat("no-game", game=truncate(key), games=_names(g.key for g in self.games))
            cards = file.parent / "cards.toml"
            self._games[key] = Game.from_mapping(
                file.parent, self.read_table(file), self.read_table(cards) if cards.is_file() else {}
            )
            register_game(key, file.parent)
        return self._games[key]

    def read_table(self, file: Path) -> Mapping[str, object]:
        """Return a data file, read once. Raises `BadData` if it is no TOML."""
        if file not in self._tables_by_file:
            try:
                self._tables_by_file[file] = tomllib.loads(file.read_text(encoding="utf-8"))
            except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
                place = f"{file.parent.name}/{file.name}"
                raise BadData("bad-file", place=place, problem=str(problem)) from problem
        return self._tables_by_file[file]

    def editions(self, game: Game) -> tuple[Edition, ...]:
        """Return every dated list that is shipped with a game. Raises `BadData`."""
        if game.key not in self._editions:
            files = sorted((game.folder / "lists").glob("*.toml"))
            try:
                shipped_editions = tuple(
                    Edition.from_mapping(game.key, self.read_table(file)) for file in files
                )
            except ValueError as problem:
                raise BadData("bad-file", place=game.key, problem=str(problem)) from problem
            self._editions[game.key] = shipped_editions
        return self._editions[game.key]

    def format(
        self,
        game: str,
        key: str,
        *,
        rules: str | None = None,
        on: date | None = None,
        overlay: Overlay | Mapping[str, object] | None = None,
        editions: Iterable[Edition] = (),
    ) -> Format:
        """Load a format as `rules.load_format` does."""
        known_game = self.game(game)
        version = self._version(known_game, rules, on)
        editions_in_force = in_force(self.editions(known_game), version.number, version.clamp(on))
        place = (game, key, version.number, tuple((kind, e.number) for kind, e in editions_in_force.items()))
        if place not in self._formats_by_terms:
            self._formats_by_terms[place] = self._build(known_game, key, version, editions_in_force)
        built_format = self._formats_by_terms[place]
        given_editions = tuple(editions)
        if given_editions:
            built_format = built_format.with_lists(given_editions, on=on)
        return built_format.with_overlay(overlay) if overlay is not None else built_format

    def lists(
        self,
        game: str,
        *,
        rules: str | None = None,
        on: date | None = None,
        editions: Iterable[Edition] = (),
    ) -> Lists:
        """Load the lists as `rules.load_lists` does."""
        known_game = self.game(game)
        version = self._version(known_game, rules, on)
        shipped_editions = in_force(self.editions(known_game), version.number, version.clamp(on))
        editions_in_force = join_in_force(shipped_editions, editions, version.number, on)
        return Lists(editions_in_force, known_game.rank_attribute, known_game.ranked_types)

    def _version(self, game: Game, rules: str | None, on: date | None) -> Version:
        current = game.version_on(on) if on else game.newest
        version = current if rules is None else game.version(rules)
        if version is None:
            versions = tuple(_version_reason(version) for version in game.versions)
            if rules is None:
                raise UnknownFormat("no-version.on", game=game.name, day=str(on), versions=versions)
            raise UnknownFormat("no-version", game=game.name, version=truncate(rules), versions=versions)
        return version

    def _build(self, game: Game, key: str, version: Version, editions: Mapping[str, Edition]) -> Format:
        if key not in game.formats:
            raise UnknownFormat(
                "no-format", game=game.name, format=truncate(key), formats=_names(game.formats)
            )
        data = self.format_data(game, f"{key}-{version.number}")
        document, team_size = str(data.get("document", version.document)), data.get("team_size")
        return Format(
            game,
            key,
            str(data["name"]),
            version.number,
            document,
            tuple(self._rule(game, name, table, document, version) for name, table in _tables(data, "rules")),
            tuple(_condition(name, table) for name, table in _tables(data, "conditions")),
            editions,
            str(data.get("summary", "")),
            data.get("sanctioned") is not False,
            None,
            team_size if type(team_size) is int else None,
            str(data.get("match_form", "")),
            parse_sides(data.get("sides")),
            parse_limited_play(data.get("limited")),
        )

    def format_data(self, game: Game, stem: str) -> Mapping[str, object]:
        """Load a format file merged with what it extends and the rules of every game."""
        file = game.folder / "formats" / f"{stem}.toml"
        data = self.read_table(file)
        base = data.get("extends")
        under = self.format_data(game, str(base)) if base else self._common
        return {
            **under,
            **data,
            "rules": _merge_tables(under, data, "rules", stem),
            "conditions": _merge_tables(under, data, "conditions", stem),
        }

    @cached_property
    def _common(self) -> Mapping[str, object]:
        data = self.read_table(SHIPPED / f"{EVERY_GAME}.toml")
        return {"rules": _merge_tables({}, data, "rules", EVERY_GAME)}

    def _rule(
        self, game: Game, name: str, table: Mapping[str, object], document: str, version: Version
    ) -> Rule:
        check = self.find_check(game, str(table.get("check")))
        readings = table.get("readings", {})
        return Rule(
            name,
            check.name,
            str(table.get("rule", "")),
            str(table.get("clause", "")),
            str(table.get("document", document)),
            version.number,
            get_check_parameters(table),
            check.judge,
            _one_of(BASES, table.get("basis", "stated")),
            _one_of(SEVERITIES, table.get("severity", "error")),
            frozenset(_words(table, "at")) or frozenset({REGISTRATION}),
            _words(table, "follows"),
            readings if isinstance(readings, Mapping) else {},
            str(table.get("words", "")),
            check.says,
            str(table.get("origin", "")),
        )

    def find_check(self, game: Game, name: str) -> Check:
        """Return a check by name.

        A name with a dot is looked up in the game's own module `checks`.
        """
        if "." in name:
            load_game_module(game, "checks")
        return find_check(name)


def load_game_module(game: Game, name: str) -> ModuleType | None:
    """Import a module of a game so that it registers what it holds.

    The module is `checks`, `cases` or `document`.
    """
    from importlib import import_module, util

    file = next(
        (f for f in (game.folder / f"{name}.py", game.folder / name / "__init__.py") if f.exists()), None
    )
    if file is None:
        return None
    if game.folder.parent == SHIPPED:
        return import_module(f"rules.games.{game.folder.name}.{name}")
    title = f"rules_of_{game.key}_{name}"
    loaded_module = sys.modules.get(title)
    spec = util.spec_from_file_location(title, file)
    if spec is None or spec.loader is None or (loaded_module and loaded_module.__file__ == str(file)):
        return loaded_module
    module = sys.modules[title] = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def get_check_parameters(table: Mapping[str, object]) -> dict[str, object]:
    """Return what a rule's table gives to its check."""
    return {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in table.items()
        if key not in RULE_KEYS and key != "origin"
    }


def _one_of(words: Mapping[str, _Word], written_word: object) -> _Word:
    """Return a word that must be one of a few. Raises `BadData`."""
    if written_word not in words:
        raise BadData("none-of", written=str(written_word), known=tuple(sorted(words)))
    return words[str(written_word)]


def _merge_tables(
    under: Mapping[str, object], data: Mapping[str, object], part: str, origin: str
) -> dict[str, Mapping[str, object]]:
    merged_tables = dict(_tables(under, part))
    for name, table in _tables(data, part):
        merged_tables[name] = {**merged_tables.get(name, {}), **table, "origin": origin}
        if table.get("off") is True:
            del merged_tables[name]
    return merged_tables


def _condition(key: str, table: Mapping[str, object]) -> Condition:
    table_keys = {"rule", "clause", "words", "basis", "is_adjustable", "origin"}
    params = {name: value for name, value in table.items() if name not in table_keys}
    return Condition(
        key,
        str(table.get("rule", "")),
        str(table.get("clause", "")),
        str(table.get("words", "")),
        params,
        str(table.get("basis", "stated")),
        is_adjustable=table.get("is_adjustable") is True,
    )


def _tables(data: Mapping[str, object], part: str) -> list[tuple[str, Mapping[str, object]]]:
    tables = data.get(part, {})
    if not isinstance(tables, Mapping):
        return []
    return [(name, table) for name, table in tables.items() if isinstance(table, Mapping)]


def _words(table: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = table.get(key, ())
    return (value,) if isinstance(value, str) else tuple(map(str, value)) if isinstance(value, list) else ()


def _names(names: Iterable[str]) -> tuple[str, ...] | None:
    return tuple(names) or None


def _version_reason(version: Version) -> Reason:
    since = str(version.in_force) if version.in_force else None
    return reason("version-since", version=version.number, since=since)


def get_shipped_library() -> Library:
    """Return the library of the games that come with this package.

    It includes the games in the folder that `GAMES_DIR` names.
    """
    return _library(os.environ.get(GAMES_DIR, ""))


@cache
def _library(more: str) -> Library:
    if more and not Path(more).is_dir():
        raise BadData("no-games-folder", setting=GAMES_DIR, folder=truncate(more))
    return Library(SHIPPED, *([Path(more)] if more else []))
