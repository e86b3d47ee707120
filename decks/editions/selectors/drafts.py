"""A draft of an edition as the people who make it see it: its problems, and what it says otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from decks.catalogue.selectors.catalogue import catalogue
from decks.editions.domain.days import look_at_day
from decks.editions.domain.difference import EditionDifference, difference
from decks.editions.domain.matching import against_catalogue
from decks.editions.models import ListEdition
from decks.editions.selectors.editions import as_edition, sequence
from rules import Edition
from rules.lint_lists import ListProblem, look_over

WITHIN_THREE_WEEKS = "within-three-weeks"


def problems_of(draft: ListEdition, today: date, *, announced_before: bool = False) -> list[ListProblem]:
    """All that is wrong with a draft or may be, errors first: what `lint_of` says, and paragraphs of its
    document that nobody has settled. `announced_before` lifts Highlander's three weeks.
    """
    found = lint_of(as_edition(draft), today)
    if announced_before:
        found = [problem for problem in found if problem.code != WITHIN_THREE_WEEKS]
    if draft.unread:
        count = len(draft.unread)
        sentence = f"{count} paragraph{'s' if count > 1 else ''} of the document could not be read."
        found.append(
            ListProblem("unread", sentence, "Enter what they say, or strike them off.", None, "warning")
        )
    return sorted(found, key=lambda problem: problem.severity != "error")


def lint_of(edition: Edition, today: date) -> list[ListProblem]:
    """What is wrong with an edition in itself, against the catalogue, and with its day."""
    others = [other for other in sequence(edition.game) if other.kind == edition.kind]
    return [
        *look_over(edition),
        *against_catalogue(edition, catalogue(edition.game).index),
        *look_at_day(edition, others, today),
    ]


@dataclass(frozen=True, slots=True)
class Compared:
    """An edition beside the one before it, if there is one."""

    before: Edition | None
    difference: EditionDifference


def compared(edition: Edition, *, based_on: int | None = None) -> Compared:
    """What an edition says otherwise than the one it was drafted from, or else the one before it."""
    before = _before(edition, sequence(edition.game), based_on)
    return Compared(before, difference(edition.kind, before.entries if before else (), edition.entries))


def _before(edition: Edition, every: Sequence[Edition], based_on: int | None) -> Edition | None:
    earlier = [other for other in every if other.kind == edition.kind and other.number < edition.number]
    named = next((other for other in earlier if other.number == based_on), None)
    return named or next((other for other in reversed(earlier) if _share(other, edition)), None)


def _share(one: Edition, other: Edition) -> bool:
    """Whether the two belong to a common version of the rules."""
    return not one.versions or not other.versions or bool(set(one.versions) & set(other.versions))
