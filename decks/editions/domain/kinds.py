"""Kinds of dated lists, and from which day an edition may be in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

from django.utils.translation import gettext, gettext_noop

import rules
from rules import Edition
from rules.cards import Field
from rules.lint_lists import ListProblem, find_fault
from rules.reason import Param
from rules.rendering import register_messages, translate_text

register_messages(Path(__file__).parents[1])

EntryData = Mapping[str, object]

# Every game may have these, also where its documents hold none (empty, but open to the organizer). New
# editions are called so until an editor calls them otherwise, so the names are stored in English.
COMMON_KINDS = {
    "bans": gettext_noop("Banned cards"),
    "errata": gettext_noop("Errata"),
    "identities": gettext_noop("Card identities"),
}
# Lists that give each card a number: a game has them that ships one, or declares fields of its entries.
CARD_KINDS = {
    **COMMON_KINDS,
    "limits": gettext_noop("Limited cards"),
    "points": gettext_noop("Card points"),
}


@dataclass(frozen=True, slots=True)
class ListKind:
    """A kind of list.

    Holds its key, its name for people, and the game-specific parts of its entries.
    """

    key: str
    name: str
    fields: tuple[Field, ...] = ()

    @property
    def label(self) -> str:
        """The name in the reader's language."""
        return format_kind(self.key, self.name)

    @property
    def is_plain(self) -> bool:
        """Return whether entries are records of words, without a card.

        Entries of a game's own lists are of this kind.
        """
        return self.key not in CARD_KINDS


def format_kind(key: str, name: str = "") -> str:
    """Return the name of a kind in the reader's language."""
    return gettext(CARD_KINDS[key]) if key in CARD_KINDS else translate_text(name)


def list_kinds(game: str) -> tuple[ListKind, ...]:
    """Return every kind of list that a game may have. Raises `rules.UnknownFormat`."""
    entry_fields = rules.get_game(game).cards.entries
    own = {edition.kind: edition.name for edition in rules.shipped_editions(game)}
    own = {**{key: kind.name or key.capitalize() for key, kind in entry_fields.items()}, **own}
    own |= {key: name for key, name in CARD_KINDS.items() if key in own}
    names = {**COMMON_KINDS, **{key: own[key] for key in sorted(own) if key not in COMMON_KINDS}}
    return tuple(
        ListKind(key, name, entry_fields[key].fields if key in entry_fields else ())
        for key, name in names.items()
    )


def find_kind(game: str, key: str) -> ListKind | None:
    """Return the kind of that key; None if the game has no such list."""
    return next((kind for kind in list_kinds(game) if kind.key == key), None)


# A stable code: it is older than the waiting times of other games.
TOO_EARLY = "within-three-weeks"


def earliest_effective_day(game: str, today: date) -> date:
    """Return the first day from which an edition that is published today may hold."""
    return today + timedelta(weeks=rules.get_game(game).cards.lists.waiting_weeks)


def check_effective_day(edition: Edition, others: Sequence[Edition], today: date) -> list[ListProblem]:
    """Return what is wrong with the day from which a draft shall hold, as of today.

    `others` are the game's other editions. A day before the waiting time of the game is over is an error; a
    day in the past, or one that pushes an earlier edition aside, is a warning.
    """
    day = edition.in_force
    if day is None:
        earliest = earliest_effective_day(edition.game, today)
        return [find_fault("no-day", None, earliest=earliest.isoformat())]
    return [*_too_early(edition, day, today), *_in_the_past(day, today), *_out_of_order(edition, day, others)]


def _too_early(edition: Edition, day: date, today: date) -> list[ListProblem]:
    earliest, game = earliest_effective_day(edition.game, today), rules.get_game(edition.game)
    terms = game.cards.lists
    if not terms.waiting_weeks or day >= earliest:
        return []
    return [
        find_fault(
            TOO_EARLY,
            None,
            game=game.short_name,
            weeks=terms.waiting_weeks,
            source=terms.waiting_source,
            day=day.isoformat(),
            earliest=earliest.isoformat(),
        )
    ]


def _in_the_past(day: date, today: date) -> list[ListProblem]:
    if day >= today:
        return []
    return [replace(find_fault("day-is-past", None, day=day.isoformat()), severity="warning")]


def _out_of_order(edition: Edition, day: date, others: Sequence[Edition]) -> list[ListProblem]:
    problems = []
    for other in others:
        if other.kind != edition.kind or other.in_force is None or not share_a_version(edition, other):
            continue
        if other.number < edition.number and other.in_force >= day:
            facts: dict[str, Param] = {"number": other.number, "day": other.in_force.isoformat()}
            hiding_fault = find_fault("hides-an-edition", None, **facts)
            problems.append(replace(hiding_fault, severity="warning"))
    return problems


def share_a_version(one: Edition, other: Edition) -> bool:
    """Tell whether two editions apply to a common version of the rules."""
    return not one.versions or not other.versions or bool(set(one.versions) & set(other.versions))
