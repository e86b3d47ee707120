"""The kinds of lists that a game has, and what the entries of each are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import rules

# Every game may have these, also where its documents hold none (CFC-L04: empty, but open to the organizer).
EVERYWHERE = {"bans": "Banned cards", "errata": "Errata", "identities": "Card identities"}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of list: its key, its name for people, and, where entries are plain, their parts.

    A part is a word, or a list of words where `many` holds it.
    """

    key: str
    name: str
    parts: tuple[str, ...] = ()
    many: frozenset[str] = frozenset()

    @property
    def is_plain(self) -> bool:
        """Whether entries are records of words, without a card, as lists of a game's own are."""
        return self.key not in EVERYWHERE


def kinds_of(game: str) -> tuple[Kind, ...]:
    """Every kind of list that a game may have. Raises `rules.UnknownFormat`."""
    shipped = rules.shipped_editions(game)
    own = {edition.kind: edition for edition in shipped if edition.kind not in EVERYWHERE}
    return (
        *(Kind(key, name) for key, name in EVERYWHERE.items()),
        *(_plain(kind, edition.name, edition.entries) for kind, edition in sorted(own.items())),
    )


def kind_of(game: str, key: str) -> Kind | None:
    """The kind of that key; None where the game has no such list."""
    return next((kind for kind in kinds_of(game) if kind.key == key), None)


def _plain(kind: str, name: str, entries: Any) -> Kind:
    parts = dict.fromkeys(part for entry in entries for part in entry)
    many = frozenset(part for entry in entries for part, value in entry.items() if isinstance(value, list))
    return Kind(kind, name, tuple(parts), many)
