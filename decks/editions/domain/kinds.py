"""Kinds of dated lists, and from which day an edition may be in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import rules
from rules import Edition
from rules.cards import Field, ListTerms
from rules.lint_lists import ListProblem

EntryData = Mapping[str, Any]

# Every game may have these, also where its documents hold none (CFC-L04: empty, but open to the organizer).
COMMON_KINDS = {"bans": "Banned cards", "errata": "Errata", "identities": "Card identities"}


@dataclass(frozen=True, slots=True)
class ListKind:
    """A kind of list: its key, its name for people, and what its entries have of the game's own."""

    key: str
    name: str
    fields: tuple[Field, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether entries are records of words, without a card, as lists of a game's own are."""
        return self.key not in COMMON_KINDS


def list_kinds(game: str) -> tuple[ListKind, ...]:
    """Every kind of list that a game may have. Raises `rules.UnknownFormat`."""
    declared = rules.get_game(game).cards.entries
    own = {edition.kind: edition.name for edition in rules.shipped_editions(game)}
    own = {**{key: kind.name or key.capitalize() for key, kind in declared.items()}, **own}
    names = {**COMMON_KINDS, **{key: own[key] for key in sorted(own) if key not in COMMON_KINDS}}
    return tuple(
        ListKind(key, name, declared[key].fields if key in declared else ()) for key, name in names.items()
    )


def find_kind(game: str, key: str) -> ListKind | None:
    """The kind of that key; None where the game has no such list."""
    return next((kind for kind in list_kinds(game) if kind.key == key), None)


# A stable code: it is older than the waiting times of other games.
TOO_EARLY = "within-three-weeks"

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def waiting_words(terms: ListTerms) -> str:
    """How long an edition waits, in words: "three weeks"."""
    weeks = terms.waiting_weeks
    number = _NUMBERS[weeks] if weeks < len(_NUMBERS) else str(weeks)
    return f"{number} week{'' if weeks == 1 else 's'}"


def earliest_effective_day(game: str, today: date) -> date:
    """The first day from which an edition that is published today may hold."""
    return today + timedelta(weeks=rules.get_game(game).cards.lists.waiting_weeks)


def check_effective_day(edition: Edition, others: Sequence[Edition], today: date) -> list[ListProblem]:
    """What is wrong with the day from which a draft shall hold, as of today.

    `others` are the game's other editions. A day before the waiting time of the game is over is an error; a
    day in the past, or one that pushes an earlier edition aside, is a warning.
    """
    day = edition.in_force
    if day is None:
        sentence = "The edition does not say from which day it holds."
        fix = f"Give the day; {earliest_effective_day(edition.game, today).isoformat()} is the earliest."
        return [ListProblem.told("no-day", sentence, fix)]
    return [*_too_early(edition, day, today), *_in_the_past(day, today), *_out_of_order(edition, day, others)]


def _too_early(edition: Edition, day: date, today: date) -> list[ListProblem]:
    earliest, game = earliest_effective_day(edition.game, today), rules.get_game(edition.game)
    terms = game.cards.lists
    if not terms.waiting_weeks or day >= earliest:
        return []
    sentence = (
        f"{game.short_name} holds an update back for {waiting_words(terms)} ({terms.waiting_source}): "
        f"an edition published today cannot hold from {day.isoformat()}."
    )
    return [ListProblem.told(TOO_EARLY, sentence, f"Choose {earliest.isoformat()} or a later day.")]


def _in_the_past(day: date, today: date) -> list[ListProblem]:
    if day >= today:
        return []
    sentence = f"The edition shall hold from {day.isoformat()}, which is past."
    fix = "Verdicts that stand keep; lists that are checked for a day since then are judged by it."
    return [ListProblem.told("day-is-past", sentence, fix, None, "warning")]


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
            problems.append(ListProblem.told("hides-an-edition", sentence, fix, None, "warning"))
    return problems


def share_a_version(one: Edition, other: Edition) -> bool:
    """Tell whether two editions apply to a common version of the rules."""
    return not one.versions or not other.versions or bool(set(one.versions) & set(other.versions))
