"""Manual choices for an import: what a column is read as, whom a line is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypedDict

from tournament.registration.player_csv import ChosenColumns
from tournament.shared.text import fold_name

NEW_PERSON = "new"
MOST_DIGITS = 5


class ChoicesData(TypedDict):
    """The choices as a job keeps them."""

    columns: dict[str, list[str]]
    has_header: bool | None
    persons: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class ImportChoices:
    """Choices by column and by line.

    Each carries the heading or the name that was on the page, and counts only where the table still has it.
    """

    columns: ChosenColumns = field(default_factory=ChosenColumns)
    persons: Mapping[int, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def from_form(cls, form_values: Mapping[str, object]) -> ImportChoices:
        """Return the choices of the page; what makes no sense is left out."""
        header = {"yes": True, "no": False}.get(str(form_values.get("header")))
        columns = ChosenColumns(dict(_read_pairs(form_values, "column-")), header)
        persons = {line: (who, name) for line, (who, name) in _read_pairs(form_values, "person-") if who}
        return cls(columns, persons)

    @classmethod
    def from_json(cls, data: ChoicesData) -> ImportChoices:
        """Return the choices as a job keeps them."""
        columns = {int(place): (pair[0], pair[1]) for place, pair in data["columns"].items()}
        persons = {int(line): (pair[0], pair[1]) for line, pair in data["persons"].items()}
        return cls(ChosenColumns(columns, data["has_header"]), persons)

    def to_json(self) -> ChoicesData:
        """Return the choices for a job."""
        return {
            "columns": {str(place): list(pair) for place, pair in self.columns.by_place.items()},
            "has_header": self.columns.has_header,
            "persons": {str(line): list(pair) for line, pair in self.persons.items()},
        }

    def find_person(self, line_number: int, name: str) -> str:
        """Return who the line is about.

        This is a number, `NEW_PERSON`, or empty if nothing was chosen.
        """
        who, chosen_name = self.persons.get(line_number, ("", ""))
        return who if chosen_name == fold_name(name) else ""


def _read_pairs(form_values: Mapping[str, object], prefix: str) -> list[tuple[int, tuple[str, str]]]:
    """Read numbered fields with a choice and what it was made for.

    A colon separates the two.
    """
    pairs = []
    for name in form_values:
        number = name.removeprefix(prefix)
        if name.startswith(prefix) and number.isascii() and number.isdecimal() and len(number) <= MOST_DIGITS:
            choice, _, about = str(form_values.get(name, "")).partition(":")
            pairs.append((int(number), (choice, about)))
    return pairs
