"""Reads what players answered at registration.

Covers declared fields, and who may read them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

import rules
from rules import RegistrationField
from rules.rendering import translate_text
from tournament.access.permissions import Right
from tournament.events.models.player import Player

# Rooms above register where their declarations are when the app starts.
DECLARATIONS: list[Callable[[], Iterable[RegistrationField]]] = []

# Fields that games may declare but that have a column of their own: cuts, standings and decklists read it.
COLUMN_KEYS = frozenset({"character"})


@dataclass(frozen=True, slots=True)
class DetailAnswer:
    """A player's answer to one field."""

    field: RegistrationField
    value: str | bool | int | None

    @property
    def is_own(self) -> bool:
        """Whether players can change it themselves."""
        return self.field.is_asked_of("player")

    @property
    def label(self) -> str:
        """Return what the field is called, in the reader's language."""
        return translate_declared(self.field.label)

    @property
    def text(self) -> str:
        """The value as people read it; empty for none."""
        if isinstance(self.value, bool):
            return pgettext("answer", "yes") if self.value else ""
        return translate_declared(self.cell) if self.field.kind == "choice" else self.cell

    @property
    def cell(self) -> str:
        """The value as tables hold it; empty for none."""
        if isinstance(self.value, bool):
            return "yes" if self.value else ""
        return "" if self.value is None else str(self.value)


def translate_declared(text: str) -> str:
    """Return a text of a declared field, room or game in the reader's language."""
    return translate_text(gettext(text)) if text else ""


def list_fields(game_key: str | None = None) -> list[RegistrationField]:
    """Return the fields of every game and those that one game adds.

    Without a named game, they are the fields of all games.
    """
    detail_fields = [field for declarations in DECLARATIONS for field in declarations()]
    for game in rules.games():
        if game_key in (None, game.key):
            detail_fields += [field for field in game.registration_fields if field.key not in COLUMN_KEYS]
    return detail_fields


def readable_fields(game_key: str, rights: frozenset[Right]) -> list[RegistrationField]:
    """Return the fields that someone with these rights may read.

    Without any rights, they are the public fields.
    """
    return [field for field in list_fields(game_key) if can_read(field, rights)]


def public_fields(game_key: str) -> list[RegistrationField]:
    """Return the fields that everyone may read."""
    return readable_fields(game_key, frozenset())


def can_read(field: RegistrationField, rights: frozenset[Right]) -> bool:
    """Return whether someone with these rights may read the field."""
    return field.may_read == "public" or Right(field.may_read) in rights


def own_fields(game_key: str) -> list[RegistrationField]:
    """Return the fields that a player may read of their own registration."""
    return [f for f in list_fields(game_key) if f.may_read == "public" or f.is_asked_of("player")]


def read_answers(details: Mapping[str, object], fields: Iterable[RegistrationField]) -> list[DetailAnswer]:
    """Return the answers to these fields.

    A value that is missing or does not fit is empty.
    """
    return [DetailAnswer(field, field.read(details)) for field in fields]


def given_answers(player: Player, fields: Iterable[RegistrationField]) -> list[DetailAnswer]:
    """Return the answers of a player that are not empty."""
    return [answer for answer in read_answers(player.details, fields) if answer.value != answer.field.empty]


def attach_answers(players: Iterable[Player], fields: Sequence[RegistrationField]) -> None:
    """Give each player its `answers` for a page: those that are not empty."""
    for player in players:
        vars(player)["answers"] = given_answers(player, fields)


def declared_details(player: Player) -> dict[str, object]:
    """Return the stored values that are declared for the event.

    Values left by an earlier declaration are not included.
    """
    answers = given_answers(player, list_fields(player.event.game))
    return {answer.field.key: answer.value for answer in answers}
