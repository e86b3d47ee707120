"""The rules of the games, as data with small named checks.

They are formats, bans, errata and timed rounds.

    from rules import Deck, Entry, CardFacts, check_deck, load_format

    verdict = check_deck(deck, load_format("ufs", "constructed", rules="1.9"))
    verdict.outcome      # "legal", "illegal" or "unknown"
    verdict.findings     # every broken rule once, with clause, cards, lines and the smallest fix

Pure: the standard library alone, no input or output, no clock. Cards are never looked up here; callers hand
over complete facts (`CardFacts`), and a fact that is not there is `UNKNOWN`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from rules.deck import UNKNOWN, CardFacts, Deck, Entry, Unknown
    from rules.finding import Change, Finding, Fix, MissingFact, Verdict
    from rules.formats import Format
    from rules.game import Game, MatchForm, Version
    from rules.judge import ListEntry, WrittenList, judge_list
    from rules.legality import check_deck, check_exchange
    from rules.library import UnknownFormat
    from rules.lists import Edition, Lists
    from rules.overlay import BadOverlay, Overlay
    from rules.registration import RegistrationField
    from rules.rule import Condition

# Loaded on first use, so that the command line starts without a noticeable delay.
_HOMES = {
    "deck": ("UNKNOWN", "CardFacts", "Deck", "Entry", "Unknown"),
    "finding": ("Change", "Finding", "Fix", "MissingFact", "Verdict"),
    "formats": ("Format",),
    "game": ("Game", "MatchForm", "Version"),
    "judge": ("ListEntry", "WrittenList", "judge_list"),
    "legality": ("check_deck", "check_exchange"),
    "library": ("UnknownFormat",),
    "lists": ("Edition", "Lists"),
    "overlay": ("BadOverlay", "Overlay"),
    "registration": ("RegistrationField",),
    "rule": ("Condition",),
}

__all__ = [
    "UNKNOWN",
    "BadOverlay",
    "CardFacts",
    "Change",
    "Condition",
    "Deck",
    "Edition",
    "Entry",
    "Finding",
    "Fix",
    "Format",
    "Game",
    "ListEntry",
    "Lists",
    "MatchForm",
    "MissingFact",
    "Overlay",
    "RegistrationField",
    "Unknown",
    "UnknownFormat",
    "Verdict",
    "Version",
    "WrittenList",
    "check_deck",
    "check_exchange",
    "format_names",
    "games",
    "get_game",
    "judge_list",
    "load_format",
    "load_lists",
    "shipped_editions",
]


def __getattr__(name: str) -> object:
    home = next((module for module, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{home}", __name__), name)
    return value


def games() -> tuple[Game, ...]:
    """Return every game that has rules here, by key."""
    from rules.library import get_shipped_library

    return get_shipped_library().games


def get_game(key: str) -> Game:
    """Return the game of that key. Raises `UnknownFormat`."""
    from rules.library import get_shipped_library

    return get_shipped_library().game(key)


def format_names(game: str) -> tuple[str, ...]:
    """Return the formats of a game. Raises `UnknownFormat` for an unknown game."""
    return get_game(game).formats


def shipped_editions(game: str) -> tuple[Edition, ...]:
    """Return the dated lists that come with a game.

    Raises `UnknownFormat` for an unknown game.
    """
    from rules.library import get_shipped_library

    return get_shipped_library().editions(get_game(game))


def load_lists(
    game: str, *, rules: str | None = None, on: date | None = None, editions: Iterable[Edition] = ()
) -> Lists:
    """Return the card lists of a game that are in force on a day.

    They belong to one version of its rules and are ready for looking up cards. `editions` are lists made at
    run time. Raises `UnknownFormat` for an unknown game or version.
    """
    from rules.library import get_shipped_library

    return get_shipped_library().lists(game, rules=rules, on=on, editions=editions)


def load_format(
    game: str,
    format: str,
    *,
    rules: str | None = None,
    on: date | None = None,
    overlay: Overlay | Mapping[str, object] | None = None,
    editions: Iterable[Edition] = (),
) -> Format:
    """Return a format under one version of the rules.

    Without `rules`, the highest version in force on the day `on` (without a day, the highest of all).
    `editions` are lists made at run time, which take part beside the shipped ones. A format with an overlay
    or editions is made again by each call: load it once to judge many decks. Raises `UnknownFormat`, whose
    message lists what exists, and `BadOverlay`.
    """
    from rules.library import get_shipped_library

    return get_shipped_library().format(game, format, rules=rules, on=on, overlay=overlay, editions=editions)
