"""Data types returned by the catalogue parsers: records and problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class UnreadableCatalogue(ValueError):
    """A file from which no card can be taken: why, the smallest way out, and a stable code."""

    def __init__(self, sentence: str, *, fix: str = "", code: str = "catalogue_unreadable") -> None:
        super().__init__(f"{sentence} {fix}".strip())
        self.code = code
        self.sentence = sentence
        self.fix = fix


MOST_RECORDS = 50_000
MOST_PROBLEMS = 5_000
"""A file of which so many lines cannot be read is no catalogue; going on would only cost time."""

WHOLE_PACKAGE_ERRORS = frozenset({"too_many_records", "too_many_problems"})
"""Refusals that hold for a whole package, in whichever of its files they come up."""


class CatalogueRecord(NamedTuple):
    """One record of a file: `place` says where it is, `key` is its name there (None: it has none)."""

    place: str
    key: str | None
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CatalogueProblem:
    """A record, or a whole file, that could not be taken in: where, a stable code and a sentence."""

    place: str
    code: str
    sentence: str


@dataclass(slots=True)
class CatalogueContent:
    """Records in the order of the file.

    `kind` names the kind of file for people, `game` of None says that the file does not name its game,
    `notes` tell in sentences what was left aside because it is no card.
    """

    kind: str = ""
    game: str | None = None
    records: list[CatalogueRecord] = field(default_factory=list)
    sets: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    problems: list[CatalogueProblem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def tell(self, problem: CatalogueProblem) -> None:
        """Note a problem. Raises UnreadableCatalogue for one too many."""
        if len(self.problems) >= MOST_PROBLEMS:
            raise too_many_problems()
        self.problems.append(problem)


def too_many_problems() -> UnreadableCatalogue:
    """The refusal of a file that is no catalogue, to judge by what of it cannot be read."""
    sentence = f"More than {MOST_PROBLEMS:,} records cannot be read, so this is no catalogue."
    return UnreadableCatalogue(sentence, fix="Look at the first of its lines.", code="too_many_problems")


def too_many_records() -> UnreadableCatalogue:
    """The refusal of a file with more records than any game has cards."""
    sentence = f"The file holds more than {MOST_RECORDS:,} records."
    return UnreadableCatalogue(sentence, fix="Split it.", code="too_many_records")
