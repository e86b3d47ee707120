"""What the pages of dated lists show: the lists of a game, one edition, a draft and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

import rules
from decks.catalogue.selectors.catalogue import catalogue
from decks.editions.domain.kinds import Kind, kind_of, kinds_of
from decks.editions.domain.matching import Found, find, mentions
from decks.editions.domain.words import entry_in_words
from decks.editions.models import ListEdition
from decks.editions.selectors.drafts import Compared, compared, problems_of
from decks.editions.selectors.editions import as_edition, sequence
from rules import Edition
from rules.lint_lists import ListProblem
from rules.lists import in_force

Standing = Literal["now", "coming", "earlier"]
STANDING_WORDS = {"now": "In force", "coming": "To come", "earlier": "Earlier"}


@dataclass(frozen=True, slots=True)
class Listed:
    """An edition among those of its list, with how it stands on the day."""

    edition: Edition
    standing: Standing
    row: ListEdition | None

    @property
    def words(self) -> str:
        return STANDING_WORDS[self.standing]


@dataclass(frozen=True, slots=True)
class KindPage:
    """One list of a game: its editions, the newest first, and the draft that is under way, if any."""

    kind: Kind
    editions: tuple[Listed, ...]
    draft: ListEdition | None

    @property
    def in_force(self) -> tuple[Listed, ...]:
        return tuple(each for each in self.editions if each.standing == "now")


@dataclass(frozen=True, slots=True)
class EntryShown:
    """An entry in words: what it speaks of, what it says of that, and its cards in the catalogue."""

    place: int
    subject: str
    says: str
    clause: str
    found: tuple[Found, ...]
    problems: tuple[ListProblem, ...] = ()

    @property
    def card_key(self) -> str | None:
        """The card, where it is a single one that the catalogue has."""
        return self.found[0].card_key if len(self.found) == 1 else None


@dataclass(frozen=True, slots=True)
class EditionPage:
    """One published or shipped edition."""

    game: rules.Game
    kind: Kind
    listed: Listed
    entries: tuple[EntryShown, ...]
    compared: Compared


@dataclass(frozen=True, slots=True)
class DraftPage:
    """A draft with its entries, what is wrong with it, and what it says otherwise than the edition before."""

    game: rules.Game
    kind: Kind
    draft: ListEdition
    entries: tuple[EntryShown, ...]
    problems: tuple[ListProblem, ...]
    compared: Compared

    @property
    def errors(self) -> list[ListProblem]:
        return [problem for problem in self.problems if problem.severity == "error"]

    @property
    def warnings(self) -> list[ListProblem]:
        return [problem for problem in self.problems if problem.severity == "warning"]


def game_of(key: str) -> rules.Game | None:
    """The game of that key."""
    return next((game for game in rules.games() if game.key == key), None)


def lists_of(game: rules.Game, day: date) -> tuple[KindPage, ...]:
    """Every list of a game with its editions, as they stand on a day."""
    rows = {(row.kind, row.number): row for row in ListEdition.objects.filter(game=game.key)}
    drafts = {row.kind: row for row in rows.values() if row.is_draft}
    every = sequence(game.key)
    standing = _standings(game, every, day)
    return tuple(
        KindPage(
            kind,
            tuple(
                Listed(edition, standing[kind.key, edition.number], rows.get((kind.key, edition.number)))
                for edition in reversed(every)
                if edition.kind == kind.key
            ),
            drafts.get(kind.key),
        )
        for kind in kinds_of(game.key)
    )


def _standings(game: rules.Game, every: tuple[Edition, ...], day: date) -> Mapping[tuple[str, int], Standing]:
    """Which editions are in force under some version of the rules, which are to come, which have passed."""
    current = {
        (edition.kind, edition.number)
        for version in game.versions
        for edition in in_force(every, version.number, day).values()
    }
    return {
        place: "now"
        if place in current
        else "coming"
        if edition.in_force and edition.in_force > day
        else "earlier"
        for edition in every
        for place in [(edition.kind, edition.number)]
    }


def edition_page(game: str, kind: str, number: int, day: date) -> EditionPage | None:
    """One edition of a list with the difference to the one before; None where there is none."""
    found = game_of(game)
    if found is None:
        return None
    page = next((each for each in lists_of(found, day) if each.kind.key == kind), None)
    listed = next((each for each in page.editions if each.edition.number == number), None) if page else None
    if page is None or listed is None:
        return None
    based_on = listed.row.based_on if listed.row else None
    return EditionPage(
        found,
        page.kind,
        listed,
        tuple(_shown(game, listed.edition)),
        compared(listed.edition, based_on=based_on),
    )


def draft_page(draft: ListEdition, day: date) -> DraftPage:
    """A draft as its page shows it on a day."""
    game, kind = game_of(draft.game), kind_of(draft.game, draft.kind)
    if game is None or kind is None:
        raise LookupError(f"{draft.game} has no list of {draft.kind}.")
    edition, problems = as_edition(draft), tuple(problems_of(draft, day))
    entries = tuple(_shown(draft.game, edition, problems))
    return DraftPage(game, kind, draft, entries, problems, compared(edition, based_on=draft.based_on))


def _shown(game: str, edition: Edition, problems: tuple[ListProblem, ...] = ()) -> Iterator[EntryShown]:
    index = catalogue(game).index
    is_plain = (kind_of(game, edition.kind) or Kind("", "")).is_plain
    by_place: dict[int | None, list[ListProblem]] = {}
    for problem in problems:
        by_place.setdefault(problem.entry, []).append(problem)
    for place, entry in enumerate(edition.entries):
        found = () if is_plain else tuple(find(mention, index) for mention in mentions(entry))
        clause = str(entry.get("clause") or edition.clause)
        told = tuple(by_place.get(place + 1, ()))
        says = str(entry.get("says") or "")
        subject = entry_in_words(edition.kind, entry).removesuffix(f": {says}" if says else "")
        yield EntryShown(place, subject, says, clause, found, told)
