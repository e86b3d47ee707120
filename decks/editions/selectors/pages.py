"""Data for the pages of dated lists.

The pages are of a game, of one edition, and of a draft with its problems.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from django.utils.formats import date_format

import rules
from decks.catalogue.selectors import get_catalogue
from decks.editions.domain.content import EditionDifference, compare_entries, format_entry
from decks.editions.domain.document_reader import UnresolvedParagraph
from decks.editions.domain.kinds import (
    TOO_EARLY,
    ListKind,
    check_effective_day,
    find_kind,
    list_kinds,
    share_a_version,
)
from decks.editions.domain.matching import CardMatch, card_mentions, check_against_catalogue, find_card
from decks.editions.models import ListEdition
from decks.editions.selectors.editions import all_editions, to_edition
from decks.shared.wording import format_reason
from rules import Edition
from rules.lint_lists import ListProblem, find_fault, lint_list
from rules.lists import NO_CLAUSE, Citation, in_force
from rules.reason import reason
from rules.rendering import translate_text

EditionStatus = Literal["now", "coming", "earlier"]


@dataclass(frozen=True, slots=True)
class ListedEdition:
    """An edition among those of its list, with its state on the day."""

    edition: Edition
    status: EditionStatus
    row: ListEdition | None

    @property
    def summary(self) -> str:
        """Its size, day and rules: “12 entries, since 3 May 2020, rules 1 and 2”."""
        since = date_format(self.edition.in_force, "DATE_FORMAT") if self.edition.in_force else None
        count, versions = len(self.edition.entries), self.edition.versions
        summary = reason("edition_summary", count=count, since=since, versions=versions)
        return format_reason("reason", summary)


@dataclass(frozen=True, slots=True)
class KindPage:
    """One list of a game.

    Holds its editions, the newest first, and the draft that is under way, if any.
    """

    kind: ListKind
    editions: tuple[ListedEdition, ...]
    draft: ListEdition | None

    @property
    def in_force(self) -> tuple[ListedEdition, ...]:
        return tuple(each for each in self.editions if each.status == "now")


@dataclass(frozen=True, slots=True)
class ShownEntry:
    """An entry in words.

    Holds what it is about, what it says of that, and its cards in the catalogue.
    """

    place: int
    subject: str
    says: str
    clause: str
    document: str
    card_matches: tuple[CardMatch, ...]
    problems: tuple[ListProblem, ...] = ()

    @property
    def says_words(self) -> str:
        """Return its text as the rest of a sentence that begins with the subject.

        Empty if it says nothing.
        """
        return f": {self.says}" if self.says else ""

    @property
    def card_key(self) -> str | None:
        """The card, where it is a single one that the catalogue has."""
        return self.card_matches[0].card_key if len(self.card_matches) == 1 else None


@dataclass(frozen=True, slots=True)
class EditionPage:
    """One published or shipped edition."""

    game: rules.Game
    kind: ListKind
    listed_edition: ListedEdition
    entries: tuple[ShownEntry, ...]
    comparison: EditionComparison


@dataclass(frozen=True, slots=True)
class DraftPage:
    """A draft with its entries.

    Also holds what is wrong with it, and how it differs from the edition before.
    """

    game: rules.Game
    kind: ListKind
    draft: ListEdition
    entries: tuple[ShownEntry, ...]
    problems: tuple[ListProblem, ...]
    comparison: EditionComparison

    @property
    def unread(self) -> list[UnresolvedParagraph]:
        """The paragraphs of the document that no one has settled."""
        return [UnresolvedParagraph.from_json(each) for each in self.draft.unread]

    @property
    def errors(self) -> list[ListProblem]:
        return [problem for problem in self.problems if problem.severity == "error"]

    @property
    def warnings(self) -> list[ListProblem]:
        return [problem for problem in self.problems if problem.severity == "warning"]


def find_game(key: str) -> rules.Game | None:
    """Return the game of that key."""
    return next((game for game in rules.games() if game.key == key), None)


def list_pages(game: rules.Game, day: date) -> tuple[KindPage, ...]:
    """Return every list of a game with its editions, as they are on a day."""
    rows = {(row.kind, row.number): row for row in ListEdition.objects.filter(game=game.key)}
    drafts = {row.kind: row for row in rows.values() if row.is_draft}
    every = all_editions(game.key)
    statuses = _edition_statuses(game, every, day)
    return tuple(
        KindPage(
            kind,
            tuple(
                ListedEdition(
                    edition, statuses[kind.key, edition.number], rows.get((kind.key, edition.number))
                )
                for edition in reversed(every)
                if edition.kind == kind.key
            ),
            drafts.get(kind.key),
        )
        for kind in list_kinds(game.key)
    )


def _edition_statuses(
    game: rules.Game, every: tuple[Edition, ...], day: date
) -> Mapping[tuple[str, int], EditionStatus]:
    """Return which editions are in force, to come, or past.

    An edition is in force if it is so under some version of the rules.
    """
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


def get_edition_page(game: str, kind: str, number: int, day: date) -> EditionPage | None:
    """Return one edition of a list with its difference to the previous one.

    None if there is no such edition.
    """
    known_game = find_game(game)
    if known_game is None:
        return None
    page = next((each for each in list_pages(known_game, day) if each.kind.key == kind), None)
    listed_edition = (
        next((each for each in page.editions if each.edition.number == number), None) if page else None
    )
    if page is None or listed_edition is None:
        return None
    based_on = listed_edition.row.based_on if listed_edition.row else None
    return EditionPage(
        known_game,
        page.kind,
        listed_edition,
        tuple(_shown_entries(game, listed_edition.edition)),
        compare_with_previous(listed_edition.edition, based_on=based_on),
    )


def get_draft_page(draft: ListEdition, day: date) -> DraftPage:
    """Return a draft as its page shows it on a day."""
    game, kind = find_game(draft.game), find_kind(draft.game, draft.kind)
    if game is None or kind is None:
        raise LookupError(f"{draft.game} has no list of {draft.kind}.")
    edition, problems = to_edition(draft), tuple(draft_problems(draft, day))
    entries = tuple(_shown_entries(draft.game, edition, problems))
    return DraftPage(
        game, kind, draft, entries, problems, compare_with_previous(edition, based_on=draft.based_on)
    )


def _shown_entries(
    game: str, edition: Edition, problems: tuple[ListProblem, ...] = ()
) -> Iterator[ShownEntry]:
    index = get_catalogue(game).index
    is_plain = (find_kind(game, edition.kind) or ListKind("", "")).is_plain
    by_place: dict[int | None, list[ListProblem]] = {}
    for problem in problems:
        by_place.setdefault(problem.entry, []).append(problem)
    for place, entry in enumerate(edition.entries):
        card_matches = (
            () if is_plain else tuple(find_card(mention, index) for mention in card_mentions(entry))
        )
        citation = edition.cite(entry)
        is_silent = citation == Citation(edition.document, NO_CLAUSE)
        clause = "" if is_silent else citation.clause
        statements = tuple(by_place.get(place + 1, ()))
        says = translate_text(str(entry.get("says") or ""))
        subject = format_entry(edition.kind, {key: part for key, part in entry.items() if key != "says"})
        yield ShownEntry(place, subject, says, clause, citation.document, card_matches, statements)


def draft_problems(draft: ListEdition, today: date, *, announced_before: bool = False) -> list[ListProblem]:
    """List all problems of a draft, certain or possible, errors first.

    They are what `lint_edition` says, and paragraphs of its document that no one has settled.
    `announced_before` lifts the game's waiting time.
    """
    problems = lint_edition(to_edition(draft), today)
    if announced_before:
        problems = [problem for problem in problems if problem.code != TOO_EARLY]
    if draft.unread:
        unread = find_fault("unread", None, count=len(draft.unread))
        problems.append(replace(unread, severity="warning"))
    return sorted(problems, key=lambda problem: problem.severity != "error")


def lint_edition(edition: Edition, today: date) -> list[ListProblem]:
    """Return the problems of an edition.

    It is checked in itself, against the catalogue, and with its day.
    """
    others = [other for other in all_editions(edition.game) if other.kind == edition.kind]
    return [
        *lint_list(edition, next((game for game in rules.games() if game.key == edition.game), None)),
        *check_against_catalogue(edition, get_catalogue(edition.game).index),
        *check_effective_day(edition, others, today),
    ]


@dataclass(frozen=True, slots=True)
class EditionComparison:
    """An edition beside the one before it, if there is one."""

    before: Edition | None
    difference: EditionDifference


def compare_with_previous(edition: Edition, *, based_on: int | None = None) -> EditionComparison:
    """Return the difference of an edition to the one it was drafted from.

    Without one, return the difference to the edition before it.
    """
    before = _previous_edition(edition, all_editions(edition.game), based_on)
    return EditionComparison(
        before, compare_entries(edition.kind, before.entries if before else (), edition.entries)
    )


def _previous_edition(edition: Edition, every: Sequence[Edition], based_on: int | None) -> Edition | None:
    earlier = [other for other in every if other.kind == edition.kind and other.number < edition.number]
    named_edition = next((other for other in earlier if other.number == based_on), None)
    return named_edition or next(
        (other for other in reversed(earlier) if share_a_version(other, edition)), None
    )
