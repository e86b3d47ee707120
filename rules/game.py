"""A game as its `game.toml` describes it: versions of its rules, formats, match forms, zones."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple


class Version(NamedTuple):
    """One version of a game's rules. `number` orders versions; the day only says since when it holds."""

    number: str
    document: str
    in_force: date | None = None
    also_called: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[int | str, ...]:
        """The key by which versions are ordered: 1.10 comes after 1.9."""
        return tuple(int(part) if part.isdigit() else part for part in self.number.split("."))


class MatchForm(NamedTuple):
    """How many games decide a match and how long a round takes; `is_ours` where no document says so."""

    key: str
    name: str
    games_to_win: int
    minutes: int | None
    warning_minutes_left: int | None
    clause: str
    is_ours: bool = False


class Game(NamedTuple):
    """A game that has rules here. `folder` holds its data; `zones` are the parts of its deck lists."""

    key: str
    name: str
    formats: tuple[str, ...]
    versions: tuple[Version, ...]
    match_forms: tuple[MatchForm, ...]
    zones: tuple[str, ...]
    folder: Path
    declares_character: bool = False
    knows_draws: bool = True
    rank_attribute: str | None = None
    ranked_types: frozenset[str] = frozenset()
    case_defaults: Mapping[str, object] = MappingProxyType({})
    data: Mapping[str, object] = MappingProxyType({})

    @classmethod
    def from_mapping(cls, folder: Path, data: Mapping[str, object]) -> "Game":
        """A game from its `game.toml`. Raises ValueError naming every part that is missing."""
        lacking = [part for part in ("key", "name", "formats", "versions", "zones") if not data.get(part)]
        if lacking:
            raise ValueError(f"{folder.name}/game.toml lacks {', '.join(lacking)}.")
        identity = _table(data, "identity")
        rank = identity.get("rank")
        return cls(
            str(data["key"]),
            str(data["name"]),
            _words(data, "formats"),
            _versions(data),
            tuple(_match_form(form) for form in _tables(data, "match_forms")),
            _words(data, "zones"),
            folder,
            data.get("declares_character") is True,
            data.get("knows_draws") is not False,
            str(rank) if rank else None,
            frozenset(_words(identity, "ranked_types")),
            _table(data, "case_defaults"),
            data,
        )

    @property
    def newest(self) -> Version:
        """The version with the highest number."""
        return self.versions[-1]

    def version(self, number: str) -> Version | None:
        """The version of that number or other name."""
        return next((v for v in self.versions if number == v.number or number in v.also_called), None)

    def version_on(self, day: date) -> Version | None:
        """The highest version that is in force on a day."""
        return next((v for v in reversed(self.versions) if v.in_force is None or v.in_force <= day), None)


def _versions(data: Mapping[str, object]) -> tuple[Version, ...]:
    versions = []
    for table in _tables(data, "versions"):
        day = table.get("in_force")
        since = day if isinstance(day, date) else None
        also = _words(table, "also_called")
        versions.append(Version(str(table["number"]), str(table.get("document", "")), since, also))
    return tuple(sorted(versions, key=lambda version: version.order))


def _match_form(table: Mapping[str, object]) -> MatchForm:
    return MatchForm(
        str(table["key"]),
        str(table["name"]),
        _whole(table, "games_to_win") or 1,
        _whole(table, "minutes"),
        _whole(table, "warning_minutes_left"),
        str(table.get("clause", "")),
        table.get("is_ours") is True,
    )


def _whole(table: Mapping[str, object], key: str) -> int | None:
    value = table.get(key)
    return value if type(value) is int else None


def _words(table: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = table.get(key, ())
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def _table(data: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = data.get(key, {})
    return value if isinstance(value, Mapping) else {}


def _tables(data: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    value = data.get(key, ())
    return [part for part in value if isinstance(part, Mapping)] if isinstance(value, list | tuple) else []
