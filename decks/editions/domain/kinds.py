"""Kinds of dated lists, and from which day an edition may be in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import rules
from rules import Edition
from rules.lint_lists import ListProblem

EntryData = Mapping[str, Any]

# Every game may have these, also where its documents hold none (CFC-L04: empty, but open to the organizer).
COMMON_KINDS = {"bans": "Banned cards", "errata": "Errata", "identities": "Card identities"}


@dataclass(frozen=True, slots=True)
class ListKind:
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
        return self.key not in COMMON_KINDS


def list_kinds(game: str) -> tuple[ListKind, ...]:
    """Every kind of list that a game may have. Raises `rules.UnknownFormat`."""
    shipped = rules.shipped_editions(game)
    own = {edition.kind: edition for edition in shipped if edition.kind not in COMMON_KINDS}
    return (
        *(ListKind(key, name) for key, name in COMMON_KINDS.items()),
        *(_own_kind(kind, edition.name, edition.entries) for kind, edition in sorted(own.items())),
    )


def find_kind(game: str, key: str) -> ListKind | None:
    """The kind of that key; None where the game has no such list."""
    return next((kind for kind in list_kinds(game) if kind.key == key), None)


def _own_kind(kind: str, name: str, entries: Any) -> ListKind:
    parts = dict.fromkeys(part for entry in entries for part in entry)
    many = frozenset(part for entry in entries for part, value in entry.items() if isinstance(value, list))
    return ListKind(kind, name, tuple(parts), many)


# HL-A02 (l.22): updates stand in red for three weeks before they are settled. That an update binds three
# weeks after its publication is our reading of it.
WAITING_PERIODS = {"highlander": timedelta(weeks=3)}


def earliest_effective_day(game: str, today: date) -> date:
    """The first day from which an edition that is published today may hold."""
    return today + WAITING_PERIODS.get(game, timedelta())


def check_effective_day(edition: Edition, others: Sequence[Edition], today: date) -> list[ListProblem]:
    """What is wrong with the day from which a draft shall hold, as of today.

    `others` are the game's other editions. A day before the three weeks of Highlander are over is an error; a
    day in the past, or one that pushes an earlier edition aside, is a warning.
    """
    day = edition.in_force
    if day is None:
        sentence = "The edition does not say from which day it holds."
        fix = f"Give the day; {earliest_effective_day(edition.game, today).isoformat()} is the earliest."
        return [ListProblem("no-day", sentence, fix)]
    return [*_too_early(edition, day, today), *_in_the_past(day, today), *_out_of_order(edition, day, others)]


def _too_early(edition: Edition, day: date, today: date) -> list[ListProblem]:
    earliest = earliest_effective_day(edition.game, today)
    if edition.game not in WAITING_PERIODS or day >= earliest:
        return []
    sentence = (
        "Highlander holds an update back for three weeks (l.22; HL-A02, our reading): an edition published "
        f"today cannot hold from {day.isoformat()}."
    )
    return [ListProblem("within-three-weeks", sentence, f"Choose {earliest.isoformat()} or a later day.")]


def _in_the_past(day: date, today: date) -> list[ListProblem]:
    if day >= today:
        return []
    sentence = f"The edition shall hold from {day.isoformat()}, which is past."
    fix = "Verdicts that stand keep; lists that are checked for a day since then are judged by it."
    return [ListProblem("day-is-past", sentence, fix, None, "warning")]


def _out_of_order(edition: Edition, day: date, others: Sequence[Edition]) -> list[ListProblem]:
    problems = []
    for other in others:
        if other.kind != edition.kind or other.in_force is None or not share_a_version(edition, other):
            continue
        if other.number < edition.number and other.in_force >= day:
            sentence = (
                f"Edition {other.number} holds from {other.in_force.isoformat()}; this one takes its place."
            )
            fix = "Choose a later day if both shall hold, one after the other."
            problems.append(ListProblem("hides-an-edition", sentence, fix, None, "warning"))
    return problems


def share_a_version(one: Edition, other: Edition) -> bool:
    """Tell whether two editions apply to a common version of the rules."""
    return not one.versions or not other.versions or bool(set(one.versions) & set(other.versions))
