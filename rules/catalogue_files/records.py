"""Data types returned by the catalogue parsers: records and problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.reason import Reason, reason
from rules.rendering import get_messages, render


class UnreadableCatalogue(ValueError):
    """A file from which no card can be read.

    The message of the reason has the smallest fix.
    """

    def __init__(self, why: Reason) -> None:
        super().__init__(why.code)
        self.reason = why

    def __str__(self) -> str:
        return f"{render('reason', self.reason)} {get_messages().fix('reason', self.reason)}".strip()

    @property
    def code(self) -> str:
        """The stable code, without the variant of its words."""
        return self.reason.code.partition(".")[0]


MOST_RECORDS = 50_000
MOST_PROBLEMS = 5_000
"""A file of which so many lines cannot be read is no catalogue; going on would only cost time."""

WHOLE_PACKAGE_ERRORS = frozenset({"too_many_records", "too_many_problems"})
"""Refusals that hold for a whole package, in whichever of its files they come up."""


@dataclass(frozen=True, slots=True)
class CatalogueRecord:
    """One record of a catalogue file.

    `place` says where it is. `key` is its name there, or None if it has none.
    """

    place: Reason
    key: str | None
    facts: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class CatalogueProblem:
    """A record, or a whole file, that could not be taken in: where, and why."""

    place: Reason
    reason: Reason

    def __str__(self) -> str:
        return f"{self.where}: {self.sentence}"

    @property
    def where(self) -> str:
        """The place in words."""
        return render("reason", self.place)

    @property
    def code(self) -> str:
        """The stable code, without the variant of its words."""
        return self.reason.code.partition(".")[0]

    @property
    def sentence(self) -> str:
        """The reason in words."""
        return render("reason", self.reason)


@dataclass(slots=True)
class CatalogueContent:
    """Records in the order of the file.

    `kind` is the code of the kind of file, `game` of None says that the file does not name its game, `notes`
    tell what was left aside because it is not a card.
    """

    kind: str = ""
    game: str | None = None
    records: list[CatalogueRecord] = field(default_factory=list)
    sets: dict[str, Mapping[str, object]] = field(default_factory=dict)
    problems: list[CatalogueProblem] = field(default_factory=list)
    notes: list[Reason] = field(default_factory=list)

    def tell(self, problem: CatalogueProblem) -> None:
        """Note a problem. Raises UnreadableCatalogue for one too many."""
        if len(self.problems) >= MOST_PROBLEMS:
            raise too_many_problems()
        self.problems.append(problem)


def too_many_problems() -> UnreadableCatalogue:
    """Return the error that refuses a file with too many unreadable parts.

    So many unreadable parts show that the file is not a catalogue.
    """
    return UnreadableCatalogue(reason("too_many_problems", most=MOST_PROBLEMS))


def too_many_records() -> UnreadableCatalogue:
    """Return the refusal of a file with more records than any game has cards."""
    return UnreadableCatalogue(reason("too_many_records", most=MOST_RECORDS))
