"""Put reasons of rules and games into words, with the messages of their folders."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from rules.reason import Param, Reason
from rules.wording import SOURCE_LANGUAGE, BadMessage, Messages

# A folder of further games, laid out as the shipped ones; unset or empty: there is none.
GAMES_DIR = "RINGSIDE_GAMES_DIR"

_SHARED = Path(__file__).resolve().parent
_GAMES = _SHARED / "games"

# The function that returns the language of the reader.
_language_source: list[Callable[[], str]] = []
# The games that were opened; the messages of those in other folders, by the game's key.
_read_games: set[str] = set()
_folders: dict[str, Path] = {}
# Packages that use the rules: what is below them has messages of its own.
_packages: list[Path] = []


def register_game(key: str, folder: Path) -> None:
    """Let the messages of a game be found."""
    if (_GAMES / key).is_dir():
        _read_games.add(key)
    else:
        _folders[key] = folder.resolve() / "messages"


def set_language_source(get_language: Callable[[], str]) -> None:
    """Let a function give the language of the reader whenever something is shown.

    The language is a code such as "de".
    """
    _language_source[:] = [get_language]


def get_language() -> str:
    """Return the language of the reader; English if nothing says it."""
    return _language_source[0]() if _language_source else SOURCE_LANGUAGE


def get_messages(language: str = "") -> Messages:
    """Return the messages of rules, games and registered packages.

    They are in the reader's language unless a language is named. What the language lacks is said in English.
    Of a game elsewhere, what cannot be read or is taken is left out. Without registered packages, which may
    show what someone stored, the messages of games come with the games: a command has few of them. Raises
    BadMessage if a code occurs twice.
    """
    more = os.environ.get(GAMES_DIR)
    folders = (*_folders.values(), *(_find_folders(more) if more else ()))
    return _load_messages(language or get_language(), _needed_games(), folders)


def _needed_games() -> tuple[str, ...]:
    """Return the shipped games that this process has used.

    It has opened them or imported their package.
    """
    if _packages:
        return _shipped_games()
    return tuple(key for key in _shipped_games() if key in _read_games or f"rules.games.{key}" in sys.modules)


@cache
def _shipped_games() -> tuple[str, ...]:
    return tuple(sorted(folder.parent.name for folder in _GAMES.glob("*/messages")))


def translate_text(text: str) -> str:
    """Return a text of a game's data in the reader's language.

    This is the message of the section `text` under the text.
    """
    language = get_language()
    if language == SOURCE_LANGUAGE or not text:
        return text
    return get_messages(language).text_of_data(text)


def register_messages(package: Path) -> None:
    """Let the messages of a package and of all packages in it be found."""
    folder = package.resolve()
    if folder not in _packages:
        _packages.append(folder)
        _load_messages.cache_clear()


@cache
def _find_folders(games: str) -> tuple[Path, ...]:
    """Return the messages of the games in a folder."""
    return tuple(folder.resolve() for folder in sorted(Path(games).glob("*/messages")))


@cache
def _load_messages(language: str, games: tuple[str, ...], more: tuple[Path, ...]) -> Messages:
    messages = _read_messages(language, more)
    if language == SOURCE_LANGUAGE:
        return messages
    base = language.rpartition("-")[0] or SOURCE_LANGUAGE
    return messages.over(_load_messages(base, games, more))


def _read_messages(language: str, more: tuple[Path, ...]) -> Messages:
    """Return what the files of one language say, and nothing else."""
    shipped_messages = _read_shipped_messages(language, _needed_games(), tuple(_packages))
    sections = {section: dict(entries) for section, entries in shipped_messages.sections.items()}
    for folder in dict.fromkeys(more):
        with suppress(BadMessage, ValueError):
            for section, entries in Messages.load([folder], language).sections.items():
                sections[section] = {**entries, **sections.get(section, {})}
    return Messages(language, sections)


@cache
def _read_shipped_messages(language: str, games: tuple[str, ...], packages: tuple[Path, ...]) -> Messages:
    """Return what the rules, these games and these packages say in one language."""
    message_folders = {folder for package in packages for folder in package.rglob("messages")}
    folders = {*shared_folders(), *(_GAMES / game / "messages" for game in games), *message_folders}
    return Messages.load(folders, language, is_checked=False)


def shared_folders() -> list[Path]:
    """Return the folders of messages that belong to no single game."""
    return [_SHARED / "messages", *_SHARED.glob("*/messages")]


class Problem(Exception):
    """Something that cannot be used.

    Holds the code of a message of its `section`, with parameters.
    """

    section = "problem"

    def __init__(self, code: str, /, **params: Param) -> None:
        self.reasons: tuple[Reason, ...] = (Reason(code, params),)
        super().__init__(code)

    def __str__(self) -> str:
        return render(self.section, *self.reasons)


def problem(code: str, /, **params: Param) -> Reason:
    """Return why something cannot be used.

    The reason is given by the code of its message in the section `problem`.
    """
    return Reason(code, params)


def say(section: str, code: str, /, **params: Param) -> str:
    """Return the message of a code in words."""
    return render(section, Reason(code, params))


def render(section: str, *reasons: Reason) -> str:
    """Return reasons in words, one sentence after the other."""
    messages = get_messages()
    return " ".join(messages.text(section, reason) for reason in reasons)
