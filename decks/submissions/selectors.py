"""Submitted lists: current verdict, deck, file, differences between versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from django.db.models import Prefetch

import rules
from decks.catalogue.selectors import LoadedCatalogue, get_catalogue
from decks.checking.check import CheckTerms, StoredListChecker, SubmittedList
from decks.checking.deck_files import write_deck_file
from decks.checking.links import write_link
from decks.checking.questions import LineQuestion, list_questions
from decks.checking.records import verdict_from_json
from decks.checking.result import (
    CheckedList,
    DayVerdict,
    VerdictDifference,
    compare_verdicts,
    format_outcome,
    rules_note,
)
from decks.editions.selectors.editions import published_editions
from decks.importers.model import QUESTION_CODES
from decks.importers.pools import parse_list
from decks.matching.declared_cards import resolve_declared_cards
from decks.matching.reading import (
    CheckedLine,
    reasons_from_json,
    to_list_entry,
    unread_lines,
)
from decks.matching.records import EntryRecord
from decks.shared.refusals import Refused
from decks.shared.wording import format_reason
from decks.submissions.differences import VersionDifference, compare_versions
from decks.submissions.models import DeckList, DeckVersion, Rechecked, Ruling
from rules import Deck, Lists, WrittenList
from rules.figures import Figure, list_figures
from rules.reason import reason

NO_LISTS = Lists()


def version_terms(version: DeckVersion, on: date | None) -> CheckTerms:
    """Return the terms that a version was submitted under, on another day."""
    deck_list = version.deck_list
    under = version.judged_under
    cards = tuple(under.get("cards", ()))
    return CheckTerms(deck_list.format_key, deck_list.rules_version, on, under.get("overlay"), cards)


def get_version_catalogue(version: DeckVersion) -> LoadedCatalogue:
    """Return today's catalogue with the cards added for the event of the version."""
    return get_catalogue(version.deck_list.game).with_added(version.judged_under.get("cards", ()))


def to_stored_list(version: DeckVersion) -> SubmittedList:
    """Return the version as it was read when submitted.

    If it was called legal, its lines need no second check.
    """
    if version.outcome == "legal":
        return SubmittedList(version.entries, version.options)
    lines = [CheckedLine.from_json(line) for line in version.lines]
    is_read = all(line.is_resolved for line in lines)
    parsed_deck = None if is_read else parse_list(version.source_text, version.pool_text)
    problems = reasons_from_json(version.judged_under["problems"])
    return SubmittedList(version.entries, version.options, lines, problems, parsed_deck)


def to_reread_list(version: DeckVersion) -> SubmittedList:
    """Return the version for a recheck.

    Lines that found no card when submitted are matched again.
    """
    return replace(to_stored_list(version), is_reread=True)


# The data needed to judge a list that was legal.
_FIELDS_OF_LEGAL_LISTS = ("pk", "outcome", "entries", "options")


def load_versions(ids: Sequence[int]) -> Iterator[DeckVersion]:
    """Yield the versions with what judging needs.

    Legal versions come without their lines. Two queries.
    """
    rows = DeckVersion.objects.filter(pk__in=ids)
    yield from rows.filter(outcome="legal").only(*_FIELDS_OF_LEGAL_LISTS).iterator()
    yield from rows.exclude(outcome="legal").iterator()


@dataclass(frozen=True, slots=True)
class CurrentVerdict:
    """The outcome that counts, and what it depends on.

    It depends on a ruling, a later verdict, or (both None) the first one. `overtaken_ruling` is a ruling that
    no longer counts, because a later check found what no one had ruled about.
    """

    outcome: str
    ruling: Ruling | None = None
    later: Rechecked | None = None
    overtaken_ruling: Ruling | None = None

    @property
    def words(self) -> str:
        """The outcome for people."""
        return format_outcome(self.outcome)

    @property
    def change(self) -> VerdictDifference | None:
        """How the later verdict differs from the one before it; None if none counts.

        A few queries.
        """
        return compare_with_previous_verdict(self.later) if self.later else None


def current_verdict(version: DeckVersion) -> CurrentVerdict:
    """Return the verdict that counts for a version.

    It is the newest verdict, or a ruling unless a later verdict brings news. The organizer's ruling overrules
    the verdict it was made about, not what a list that was published afterwards says. Two queries, or none
    where `verdict_prefetches` fetched along.
    """
    last_ruling = max(version.rulings.all(), key=lambda each: each.pk, default=None)
    later = sorted(version.rechecks.all(), key=lambda each: each.pk)
    newest = later[-1] if later else None
    is_overtaken = last_ruling is not None and any(
        each.brings_news and each.checked_at > last_ruling.ruled_at for each in later
    )
    if last_ruling is not None and not is_overtaken:
        return CurrentVerdict(last_ruling.outcome, ruling=last_ruling)
    outcome = newest.outcome if newest else version.outcome
    return CurrentVerdict(outcome, later=newest, overtaken_ruling=last_ruling)


def verdict_prefetches(path: str = "") -> tuple[Prefetch[Any, Any, Any], ...]:
    """Prefetch what `current_verdict` reads.

    `path` leads to the version ("deck_list__current").
    """
    start = f"{path}__" if path else ""
    light = Rechecked.objects.defer("verdict", "judged_under")
    return Prefetch(f"{start}rulings", Ruling.objects.all()), Prefetch(f"{start}rechecks", light)


def compare_with_previous_verdict(later: Rechecked) -> VerdictDifference:
    """Return how a later verdict differs from the one before it on the same version.

    Two queries.
    """
    version = later.version
    earlier = Rechecked.objects.filter(version=version, pk__lt=later.pk).order_by("pk").last()
    before = earlier.verdict if earlier else version.verdict
    return compare_verdicts(verdict_from_json(before), verdict_from_json(later.verdict))


def current_outcome(version: DeckVersion) -> str:
    """Return the verdict that counts for a version.

    It is the newest one or a ruling, as `current_verdict` says.
    """
    return current_verdict(version).outcome


def to_deck(version: DeckVersion, lists: Lists = NO_LISTS) -> Deck:
    """Return the submitted cards with today's facts from the catalogue.

    They are for judging the cards again.
    """
    return build_version_deck(version, version.entries, lists)


def build_version_deck(version: DeckVersion, entries: Sequence[EntryRecord], lists: Lists = NO_LISTS) -> Deck:
    """Return a deck with other entries than submitted.

    It has all else that was registered.
    """
    catalogue = get_version_catalogue(version)
    lines = {line["number"]: CheckedLine.from_json(line) for line in version.lines}
    unread = unread_lines(lines.values(), reasons_from_json(version.judged_under["problems"]))
    list_entries = tuple(to_list_entry(entry, lines.get(entry["line"]), catalogue) for entry in entries)
    options = resolve_declared_cards(version.options, catalogue)
    return WrittenList(catalogue.game, list_entries, options, unread).deck(lists)


def to_checked_list(version: DeckVersion) -> CheckedList:
    """Return the check as it resulted when the list was submitted.

    It is for showing the check again.
    """
    return CheckedList(
        game=version.deck_list.game,
        format_key=version.deck_list.format_key,
        format_name=version.judged_under["format_name"],
        source_format=version.source_format,
        lines=tuple(CheckedLine.from_json(line) for line in version.lines),
        verdict=verdict_from_json(version.verdict),
        problems=reasons_from_json(version.judged_under["problems"]),
        notices=reasons_from_json(version.judged_under["notices"]),
        local_rules=reasons_from_json(version.judged_under["local_rules"]),
        questions=find_version_questions(version),
    )


def judged_under_in_words(version: DeckVersion) -> dict[str, object]:
    """Return the basis of the verdict for programs.

    Local rules, problems and notices are in words.
    """
    checked_list = to_checked_list(version)
    return {
        **version.judged_under,
        "editions": list(checked_list.verdict.edition_words),
        "local_rules": checked_list.local_rule_words,
        "local_rule_reasons": [each.to_json() for each in checked_list.local_rules],
        "problems": checked_list.problem_words,
        "notices": checked_list.notice_words,
        "problem_reasons": [each.to_json() for each in checked_list.problems],
        "notice_reasons": [each.to_json() for each in checked_list.notices],
    }


def open_question_notes(version: DeckVersion) -> list[str]:
    """Return what the submitted list leaves open, a sentence for each line.

    Who reads the cards must know it.
    """
    lines = (line for line in version.lines if line.get("status") in QUESTION_CODES)
    question_lines = map(CheckedLine.from_json, lines)
    return [
        format_reason("reason", reason("at_line", line=line.number, why=line.reasons))
        for line in question_lines
    ]


def find_version_questions(version: DeckVersion) -> tuple[LineQuestion, ...]:
    """Return the questions that the submitted text still asks.

    A version from before questions were asked has none.
    """
    if not any(line.get("status") in QUESTION_CODES for line in version.lines):
        return ()
    return list_questions(version.deck_list.game, version.source_text, version.pool_text)


def write_version_file(version: DeckVersion, kind: str, *, title: str = "") -> str:
    """Return the cards of a version as a file of a type, one of `FILE_TYPES`.

    Raises Refused (cannot_export, questions_open): a file says where each card is, and so would answer.
    """
    if question_lines := to_checked_list(version).asking_lines:
        raise Refused("questions_open.submitted", lines=question_lines, count=len(question_lines))
    return write_deck_file(version.deck_list.game, version.entries, kind, title=title)


def version_figures(version: DeckVersion) -> tuple[Figure, ...]:
    """Return what the submitted cards count, against the limits of the format.

    None for rules that are gone.
    """
    on = version.judged_under.get("on")
    terms = version_terms(version, date.fromisoformat(on) if on else None)
    game = version.deck_list.game
    try:
        format = StoredListChecker(get_catalogue(game), published_editions(game)).format(terms)
    except (rules.UnknownFormat, rules.BadOverlay):
        return ()
    return list_figures(to_deck(version, format.lists), format)


def version_link(version: DeckVersion) -> str:
    """Return the query of the address that opens the text in the checker.

    The text is the submitted one. Empty if it is too long.
    """
    deck_list, rules_version = version.deck_list, version.judged_under["rules"]
    return write_link(f"{deck_list.game}/{deck_list.format_key}/{rules_version}", version.source_text)


def verdict_on(version: DeckVersion, day: date) -> DayVerdict:
    """Judge a submitted version as it would have been, or will be, on a day.

    It is judged from the cards that it holds, under the rules and local rules it was submitted under. Raises
    `rules.UnknownFormat` if no rules of the game were in force, and `rules.BadOverlay`.
    """
    game = version.deck_list.game
    checker = StoredListChecker(get_catalogue(game), published_editions(game))
    verdict = checker.check(to_stored_list(version), version_terms(version, day))
    return DayVerdict(day, verdict.outcome, verdict, rules_note(verdict, day))


@dataclass(frozen=True, slots=True)
class UnseenChange:
    """Changes by others to a player's list that the player has not answered.

    They are a version that counts, and a ruling on it. `change` is the difference to the version before, if
    there is one.
    """

    version: DeckVersion
    is_new_version: bool
    ruling: Ruling | None
    change: VersionDifference | None


def find_unseen_change(deck_list: DeckList | None) -> UnseenChange | None:
    """Return what is new to the player about the version that counts.

    None if nothing is new. Few queries.
    """
    version = deck_list.current if deck_list else None
    if version is None:
        return None
    last_seen_at = max((answer.answered_at for answer in version.answers.all()), default=None)
    ruling = max(version.rulings.all(), key=lambda each: each.pk, default=None)
    is_new = version.by_staff and last_seen_at is None
    unseen_ruling = ruling if ruling and _is_later(ruling.ruled_at, last_seen_at) else None
    if not is_new and unseen_ruling is None:
        return None
    before = (
        DeckVersion.objects.filter(deck_list=deck_list, number__lt=version.number).order_by("number").last()
    )
    return UnseenChange(
        version, is_new, unseen_ruling, compare_versions(before, version) if is_new and before else None
    )


def _is_later(moment: datetime, last_seen_at: datetime | None) -> bool:
    return last_seen_at is None or moment > last_seen_at
