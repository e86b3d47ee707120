"""Put reasons of rules and games into words, with the messages of their folders."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from rules.reason import Param, Reason
from rules.wording import SOURCE_LANGUAGE, BadMessage, Messages

# A folder of further games, laid out as the shipped ones; unset or empty: there is none.
GAMES_DIR = "RINGSIDE_GAMES_DIR"

_SHARED = Path(__file__).resolve().parent
_GAMES = _SHARED / "games"

# The messages of games in other folders, by the game's key.
_folders: dict[str, Path] = {}
# Packages that use the rules: what is below them has messages of its own.
_packages: list[Path] = []


def register_game(key: str, folder: Path) -> None:
    """Let the messages of a game be found that is not among the shipped ones."""
    messages = folder.resolve() / "messages"
    if not (_GAMES / key).is_dir():
        _folders[key] = messages


def get_messages(language: str = SOURCE_LANGUAGE) -> Messages:
    """The messages of rules, games and registered packages. Raises BadMessage where a code stands twice.

    Of a game elsewhere, what cannot be read or is taken is left out.
    """
    more = os.environ.get(GAMES_DIR)
    return _load_messages(language, (*_folders.values(), *(_find_folders(more) if more else ())))


def register_messages(package: Path) -> None:
    """Let the messages of a package and of all packages in it be found."""
    folder = package.resolve()
    if folder not in _packages:
        _packages.append(folder)
        _load_messages.cache_clear()


@cache
def _find_folders(games: str) -> tuple[Path, ...]:
    """The messages of the games in a folder."""
    return tuple(folder.resolve() for folder in sorted(Path(games).glob("*/messages")))


@cache
def _load_messages(language: str, more: tuple[Path, ...]) -> Messages:
    registered = {folder for package in _packages for folder in package.rglob("messages")}
    folders = {*shared_folders(), *_GAMES.glob("*/messages"), *registered}
    shipped = Messages.load(folders, language, is_checked=False)
    sections = {section: dict(entries) for section, entries in shipped.sections.items()}
    for folder in dict.fromkeys(more):
        with suppress(BadMessage, ValueError):
            for section, entries in Messages.load([folder], language).sections.items():
                sections[section] = {**entries, **sections.get(section, {})}
    return Messages(language, sections)


def shared_folders() -> list[Path]:
    """The folders of messages that belong to no single game."""
    return [_SHARED / "messages", *_SHARED.glob("*/messages")]


class Problem(Exception):
    """Something that cannot be used: the code of a message of its `section`, with parameters."""

    section = "problem"

    def __init__(self, code: str, /, **params: Param) -> None:
        self.reasons: tuple[Reason, ...] = (Reason(code, params),)
        super().__init__(code)

    def __str__(self) -> str:
        return render(self.section, *self.reasons)


def problem(code: str, /, **params: Param) -> Reason:
    """Why something cannot be used, by the code of its message in the section `problem`."""
    return Reason(code, params)


def say(section: str, code: str, /, **params: Param) -> str:
    """The message of a code in words."""
    return render(section, Reason(code, params))


def render(section: str, *reasons: Reason) -> str:
    """Reasons in words, one sentence after the other."""
    return " ".join(get_messages().text(section, reason) for reason in reasons)
