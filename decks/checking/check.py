"""Check decklists: as typed text, and as stored lines.

Nothing is stored and nothing is guessed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.utils import timezone

import rules
from decks.catalogue.selectors import LoadedCatalogue, get_catalogue, get_ready_catalogue
from decks.checking.changes import ChangeWriter, WriteOptions
from decks.checking.plan_text import TYPED_FORMATS
from decks.checking.plans import plan_list
from decks.checking.questions import list_questions
from decks.checking.result import CheckedList
from decks.checking.typed_copies import TypedCopy, make_typed_copy
from decks.editions.selectors import editions
from decks.importers.decoding import decode
from decks.importers.model import ParsedDeck
from decks.importers.pools import parse_list
from decks.matching.added_cards import AddedCardRecord
from decks.matching.declared_cards import resolve_declared_cards
from decks.matching.model import MAX_SEARCHES, SearchBudget, is_added_card
from decks.matching.reading import (
    CheckedLine,
    ReadList,
    match_again,
    read_list,
    to_written_list,
)
from decks.matching.records import EntryRecord
from rules import CardFacts, Edition, Format, ListEntry, Verdict, WrittenList, judge_list
from rules.figures import list_figures
from rules.reason import Reason, reason


def check_text(
    game: str,
    format: str,
    text: str | bytes,
    *,
    rules_version: str | None = None,
    on: date | None = None,
    overlay: Mapping[str, object] | rules.Overlay | None = None,
    cards: Sequence[AddedCardRecord] = (),
    options: Mapping[str, object] | None = None,
    pool: str | bytes = "",
    with_plan: bool = False,
    with_changes: bool = False,
    write_options: WriteOptions | None = None,
    may_lag: bool = False,
) -> CheckedList:
    """Return the verdict on a list as text or file.

    What became of each of its lines is included. Without `rules_version` the newest rules in force on the day
    `on` (by default today) are used, and always the lists in force on that day. `overlay` holds local rules,
    `cards` those that an organizer added, `options` the declarations of a list, `pool` what a limited deck
    was built from, if not part of the text. `with_plan` adds a plan to a list that is not legal, which takes
    longer than the verdict, and `with_changes` changes to press and figures; `write_options` lets them
    declare something. A check that `may_lag` does not wait for a new catalogue; a notice says so. Raises
    `rules.UnknownFormat` and `rules.BadOverlay`; never for anything in the text.
    """
    day, parsed_deck = on or timezone.localdate(), parse_list(text, pool)
    loaded_format = editions.load_format(game, format, rules_version=rules_version, on=day, overlay=overlay)
    catalogue, before_notices = _get_catalogue(game, cards, may_lag=may_lag)
    read_lines = read_list(parsed_deck, catalogue, options=options or {}, budget=(budget := SearchBudget()))
    result = _check_read(read_lines, loaded_format, catalogue, parsed_deck, budget, day)
    result = replace(result, notices=(*result.notices, *before_notices), added_cards=tuple(cards))
    source = _ListSource(text, pool, parsed_deck, read_lines)
    if with_changes or with_plan:
        writer, copy = _make_writer(source, loaded_format, catalogue, write_options)
        result = _add_changes(result, writer, loaded_format, copy) if with_changes else result
        if with_plan and result.outcome == "illegal":
            result = _add_plan(result, writer, loaded_format, catalogue, source)
    return replace(result, questions=list_questions(game, text, pool)) if parsed_deck.questions else result


@dataclass(frozen=True, slots=True)
class _ListSource:
    """A list as it came, and how it was read."""

    text: str | bytes
    pool: str | bytes
    parsed_deck: ParsedDeck
    read_list: ReadList


def _get_catalogue(
    game: str, cards: Sequence[AddedCardRecord], *, may_lag: bool
) -> tuple[LoadedCatalogue, tuple[Reason, ...]]:
    """Return the catalogue with the added cards.

    What to say if a new catalogue is still being indexed is returned too.
    """
    catalogue, is_before = get_ready_catalogue(game) if may_lag else (get_catalogue(game), False)
    return catalogue.with_added(cards), (reason("catalogue_before"),) if is_before else ()


def _add_changes(
    checked_list: CheckedList, writer: ChangeWriter, loaded_format: rules.Format, copy: TypedCopy | None
) -> CheckedList:
    changes = writer.list_changes(checked_list.verdict)
    if copy is not None:
        changes = replace(changes, typed_text=copy.text, numbers=copy.numbers)
    return replace(checked_list, changes=changes, figures=list_figures(writer.deck, loaded_format))


def _add_plan(
    checked_list: CheckedList,
    writer: ChangeWriter,
    loaded_format: rules.Format,
    catalogue: LoadedCatalogue,
    source: _ListSource,
) -> CheckedList:
    text_writer = writer if isinstance(source.text, str) else None
    planned_list = plan_list(source.read_list, catalogue, loaded_format, writer=text_writer, pool=source.pool)
    return replace(checked_list, planned_list=planned_list)


def _make_writer(
    source: _ListSource,
    loaded_format: rules.Format,
    catalogue: LoadedCatalogue,
    write_options: WriteOptions | None,
) -> tuple[ChangeWriter, TypedCopy | None]:
    """Return the writer of changes into the list and its pool.

    For a file, it writes into the typed copy of the file.
    """
    read_lines, parsed_deck = source.read_list, source.parsed_deck
    deck = read_lines.written_list.deck(loaded_format.lists)
    copy = (
        None if parsed_deck.format in TYPED_FORMATS else make_typed_copy(read_lines, parsed_deck, catalogue)
    )
    if copy is not None:
        return ChangeWriter(copy.text, "", copy.parsed_deck, copy.lines, catalogue, deck, write_options), copy
    text, pool = decode(source.text).text, decode(source.pool).text
    return ChangeWriter(text, pool, parsed_deck, read_lines.lines, catalogue, deck, write_options), None


def _check_read(
    read_lines: ReadList,
    loaded_format: rules.Format,
    catalogue: LoadedCatalogue,
    parsed_deck: ParsedDeck,
    budget: SearchBudget,
    day: date,
) -> CheckedList:
    """Return a list as it was read, under a format.

    It has what became of its lines, and the verdict on their cards.
    """
    return CheckedList(
        game=catalogue.game,
        format_key=loaded_format.key,
        format_name=loaded_format.name,
        source_format=parsed_deck.format,
        lines=read_lines.lines,
        verdict=judge_list(read_lines.written_list, loaded_format),
        problems=read_lines.problems,
        notices=(*read_lines.notices, *_unsearched_notice(budget)),
        title=parsed_deck.title or "",
        local_rules=loaded_format.local_rules(),
        lists=editions.used_lists(loaded_format),
        on=day,
    )


def _unsearched_notice(budget: SearchBudget) -> tuple[Reason, ...]:
    """Return what to say of a list with more unknown names than are searched.

    Their lines are `not-searched`.
    """
    if not budget.refused_count:
        return ()
    return (reason("search_limited", most=MAX_SEARCHES, count=budget.refused_count),)


@dataclass(frozen=True, slots=True)
class CheckTerms:
    """The terms of a check.

    They are format, version of the rules (empty: the day's), day and local rules. `cards` are those that the
    organizer added for the event.
    """

    format_key: str
    rules_version: str
    on: date | None
    overlay: Mapping[str, object] | None = None
    cards: tuple[AddedCardRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class SubmittedList:
    """A submitted list as values.

    If it was legal, its cards are held as entries alone, else as `lines`. `parsed_deck` is its text as it is
    read today, where a line leaves something open. If the list `is_reread`, lines that found no card are
    matched with the catalogue of today.
    """

    entries: Sequence[EntryRecord]
    options: Mapping[str, object]
    lines: Sequence[CheckedLine] | None = None
    problems: Sequence[Reason] = ()
    parsed_deck: ParsedDeck | None = None
    is_reread: bool = False


class StoredListChecker:
    """A judge of many lists of one game.

    Facts and formats are computed once and kept as long as the judge. `editions` are the lists made at run
    time, beside those that are shipped.
    """

    def __init__(self, catalogue: LoadedCatalogue, editions: Iterable[Edition]) -> None:
        self.game = catalogue.game
        self._known_cards = catalogue
        self._editions = tuple(editions)
        self._with_added: dict[str, LoadedCatalogue] = {}
        self._cards: dict[tuple[str, str | None], tuple[CardFacts, ...]] = {}
        self._formats: dict[tuple[Any, ...], Format] = {}
        self._by_content: dict[tuple[Any, ...], Format] = {}

    def format(self, terms: CheckTerms) -> Format:
        """Return the format of these terms.

        Raises `rules.UnknownFormat` and `rules.BadOverlay`.
        """
        overlay_json = json.dumps(terms.overlay, sort_keys=True, default=str) if terms.overlay else ""
        place = (terms.format_key, terms.rules_version, terms.on, overlay_json)
        cached_format = self._formats.get(place)
        if cached_format is None:
            cached_format = self._formats[place] = self._share_format(self._load(terms), overlay_json)
        return cached_format

    def _load(self, terms: CheckTerms) -> Format:
        return rules.load_format(
            self.game,
            terms.format_key,
            rules=terms.rules_version or None,
            on=terms.on,
            overlay=terms.overlay or None,
            editions=self._editions,
        )

    def _share_format(self, loaded_format: Format, overlay_json: str) -> Format:
        """Return one format for all days on which the same lists are in force.

        Cards are therefore named only once.
        """
        numbers = tuple((kind, edition.number) for kind, edition in loaded_format.editions.items())
        return self._by_content.setdefault(
            (loaded_format.key, loaded_format.version, overlay_json, numbers), loaded_format
        )

    def check(self, submitted_list: SubmittedList, terms: CheckTerms) -> Verdict:
        """Return the verdict on a stored list.

        Raises `rules.UnknownFormat` and `rules.BadOverlay`.
        """
        return judge_list(self._write_list(submitted_list, self._catalogue(terms)), self.format(terms))

    def _catalogue(self, terms: CheckTerms) -> LoadedCatalogue:
        """Return the catalogue with the cards that were added for these terms."""
        if not terms.cards:
            return self._known_cards
        key = json.dumps(terms.cards, sort_keys=True)
        if key not in self._with_added:
            self._with_added = {key: self._known_cards.with_added(terms.cards)}
        return self._with_added[key]

    def _write_list(self, submitted_list: SubmittedList, catalogue: LoadedCatalogue) -> WrittenList:
        options = submitted_list.options
        if submitted_list.lines is not None:
            parsed_deck = submitted_list.parsed_deck
            lines = submitted_list.lines
            if parsed_deck and submitted_list.is_reread:
                lines = match_again(lines, parsed_deck, catalogue)
            return to_written_list(
                lines,
                catalogue,
                options=options,
                problems=submitted_list.problems,
                deck=submitted_list.parsed_deck,
            )
        entries = tuple([self._entry(entry, catalogue) for entry in submitted_list.entries])
        return WrittenList(self.game, entries, resolve_declared_cards(options, catalogue))

    def _entry(self, entry: EntryRecord, catalogue: LoadedCatalogue) -> ListEntry:
        place = (entry["card"] or "", entry["printing"])
        cards = self._cards.get(place)
        if cards is None:
            facts = catalogue.card_facts(*place)
            cards = (facts,) if facts else ()
            # Two events may have cards of one key.
            if not is_added_card(place[0]):
                self._cards[place] = cards
        return ListEntry(entry["name"], cards, entry["qty"] or 0, entry["zone"], entry["line"])
