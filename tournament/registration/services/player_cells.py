"""The cells of a line of a player table, each in its kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import pgettext_lazy

from decks.shared.refusals import Refused
from rules import RegistrationField
from tournament.events.models.player import Player
from tournament.registration.detail_cells import YES_WORDS, read_cells
from tournament.registration.player_csv import CsvPlayer
from tournament.registration.services.entry import RegistrationEntry
from tournament.shared.text import fold_name

NUMBER_COLUMNS = ("seed", "rating", "fixed_table", "first_byes")
COLUMN_LABELS = {
    "email": pgettext_lazy("column", "e-mail"),
    "character": pgettext_lazy("column", "character"),
    "members": pgettext_lazy("column", "members"),
    "club": pgettext_lazy("column", "club"),
    "seed": pgettext_lazy("column", "seed"),
    "rating": pgettext_lazy("column", "rating"),
    "fixed_table": pgettext_lazy("column", "fixed table"),
    "first_byes": pgettext_lazy("column", "first-round byes"),
    "has_paid": pgettext_lazy("column", "paid"),
}


@dataclass(frozen=True, slots=True)
class PlayerCells:
    """The cells of a line in their kinds; an empty cell says nothing."""

    name: str
    email: str
    character: str
    club: str
    number: str
    members: list[str]
    is_namesake: bool
    has_paid: bool | None
    numbers: Mapping[str, int | None]
    details: Mapping[str, object]

    @property
    def entry(self) -> RegistrationEntry:
        """The registration of someone new."""
        return RegistrationEntry(
            self.name, self.email, self.character, self.members, self.is_namesake, self.details
        )

    @property
    def facts(self) -> dict[str, object]:
        """Return what the line says beside a registration, by column."""
        columns: dict[str, object] = {"club": self.club, "has_paid": self.has_paid, **self.numbers}
        return {name: value for name, value in columns.items() if value not in (None, "")}

    @property
    def columns(self) -> dict[str, object]:
        """Return what the line says of a known player, by column.

        The spelling of the name stays.
        """
        texts = {"email": self.email, "character": self.character, "members": self.members}
        return {**{name: value for name, value in texts.items() if value}, **self.facts}


def read_player_cells(
    line: CsvPlayer, fields: Iterable[RegistrationField]
) -> tuple[PlayerCells, list[Refused]]:
    """Return a line's values in their kinds, and what cannot be read."""
    texts = line.values
    details, problems = read_cells(texts, fields)
    numbers = {name: _parse_number(texts.get(name, "")) for name in NUMBER_COLUMNS}
    problems += [
        Refused("number_wrong", field=name, text=texts[name][:20], column=str(COLUMN_LABELS[name]))
        for name, number in numbers.items()
        if number is None and texts.get(name)
    ]
    if fold_name(texts.get("state", "")) == Player.Status.WITHDRAWN:
        problems.append(Refused("withdrawn_in_file"))
    members = [member.strip() for member in texts.get("members", "").split("+")]
    cells = PlayerCells(
        name=texts.get("name", ""),
        email=texts.get("email", ""),
        character=texts.get("character", ""),
        club=texts.get("club", ""),
        number=texts.get("number", ""),
        members=[member for member in members if member],
        is_namesake=texts.get("namesake", "").casefold() in YES_WORDS,
        has_paid=texts["has_paid"].casefold() in YES_WORDS if texts.get("has_paid") else None,
        numbers=numbers,
        details=details,
    )
    return cells, problems


def _parse_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None
