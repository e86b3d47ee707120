"""Reads decklists.

Covers versions and verdicts, lists open to others, and sheets for deck checks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext

import rules
from decks.catalogue.models import Card
from decks.catalogue.selectors import NamesakePlaces, disambiguate_name, find_namesakes
from decks.checking.declarations import format_declarations
from decks.checking.records import verdict_from_json
from decks.checking.result import CheckedList
from decks.matching.records import EntryRecord
from decks.shared.json_shapes import Published
from decks.submissions.differences import VersionDifference, compare_versions
from decks.submissions.models import DeckVersion, ListAnswer, Ruling
from decks.submissions.selectors import (
    CurrentVerdict,
    UnseenChange,
    current_verdict,
    find_unseen_change,
    open_question_notes,
    to_checked_list,
    verdict_prefetches,
    version_figures,
    version_link,
)
from rules.deck import ZONE_WORDS
from rules.figures import Figure
from rules.finding import Finding
from rules.rendering import translate_text
from tournament.decklists.models import ExchangeCheck
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.name_order import get_owner_key
from tournament.events.seats import list_owners

OUTCOME_ORDER = {"illegal": 1, "unknown": 2, "legal": 3}


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version with its current verdict."""

    version: DeckVersion
    current: CurrentVerdict
    counts: bool

    @property
    def outcome(self) -> str:
        """The current outcome: of a ruling, a later verdict, or the first."""
        return self.current.outcome

    @property
    def is_overruled(self) -> bool:
        """Whether a ruling replaces the verdict."""
        return self.current.ruling is not None


@dataclass(frozen=True, slots=True)
class ListRow(Published):
    """One player's list in the overview of staff."""

    PUBLISHED = {
        "player": "player_number",
        "name": "player_name",
        "seat": "seat",
        "version": "version_number",
        "short_hash": "short_hash",
        "outcome": "outcome",
        "is_overruled": "is_overruled",
        "is_unseen": "is_unseen",
    }

    player: Player
    version: DeckVersion | None
    outcome: str
    is_overruled: bool
    answer: ListAnswer | None
    is_unseen: bool

    @property
    def player_number(self) -> int:
        return self.player.number

    @property
    def player_name(self) -> str:
        return self.player.full_name

    @property
    def seat(self) -> str:
        return self.player.seat_letter

    @property
    def version_number(self) -> int | None:
        return self.version.number if self.version else None

    @property
    def short_hash(self) -> str | None:
        return self.version.short_hash if self.version else None

    @property
    def is_refused(self) -> bool:
        """Whether the player does not agree with what staff did."""
        return self.answer is not None and self.answer.agrees is False

    @property
    def answer_words(self) -> str:
        """Return what the player said to what staff did; a dash for nothing."""
        if self.answer is None:
            return "–"
        words = {
            True: pgettext("player", "Agrees"),
            None: pgettext("player", "Seen"),
            False: pgettext("player", "Does not agree"),
        }
        return words[self.answer.agrees]


def list_rows(event: Event) -> list[ListRow]:
    """Return the lists of all who are registered or waiting.

    Missing and unfit lists come first, then the order is by name. Where teams play on boards, each seat has
    one. A fixed number of queries.
    """
    owners = list_owners(event).select_related("deck_list__current", "team")
    players = owners.prefetch_related(
        *verdict_prefetches("deck_list__current"), "deck_list__current__answers"
    )
    rows = [_list_row(player) for player in players]
    return sorted(
        rows,
        key=lambda row: (OUTCOME_ORDER.get(row.outcome, 0), get_owner_key(event, row.player)),
    )


def _list_row(player: Player) -> ListRow:
    version = player.deck_list.current if player.deck_list else None
    if version is None:
        return ListRow(player, None, "", is_overruled=False, answer=None, is_unseen=False)
    verdict = current_verdict(version)
    answer = max(version.answers.all(), key=lambda each: each.pk, default=None)
    is_unseen = version.by_staff and answer is None
    return ListRow(player, version, verdict.outcome, verdict.ruling is not None, answer, is_unseen)


def version_rows(player: Player) -> list[VersionRow]:
    """Return all versions of a list, newest first. A fixed number of queries."""
    if player.deck_list is None:
        return []
    versions = DeckVersion.objects.filter(deck_list=player.deck_list).prefetch_related(*verdict_prefetches())
    current = player.deck_list.current_id
    return [
        VersionRow(each, current_verdict(each), each.pk == current) for each in versions.order_by("-number")
    ]


@dataclass(frozen=True, slots=True)
class VersionPage:
    """One version with rulings, answers and what changed since the last."""

    version: DeckVersion
    counts: bool
    checked_list: CheckedList
    current: CurrentVerdict
    rulings: Sequence[Ruling]
    answers: Sequence[ListAnswer]
    declared: dict[str, str]
    change: VersionDifference | None
    figures: Sequence[Figure] = ()
    link: str = ""


def version_page(player: Player, number: int) -> VersionPage | None:
    """Return a version of the player's list; None if there is none of that number."""
    versions = DeckVersion.objects.filter(deck_list=player.deck_list_id, number=number)
    version = versions.select_related("deck_list").prefetch_related(*verdict_prefetches(), "answers").first()
    if version is None:
        return None
    before = DeckVersion.objects.filter(deck_list=player.deck_list_id, number__lt=number)
    earlier = before.order_by("number").last()
    return VersionPage(
        version=version,
        counts=version.pk == version.deck_list.current_id,
        checked_list=to_checked_list(version),
        current=current_verdict(version),
        rulings=sorted(version.rulings.all(), key=lambda each: -each.pk),
        answers=sorted(version.answers.all(), key=lambda each: -each.pk),
        declared=format_declarations(version.options, version.deck_list.game),
        change=compare_versions(earlier, version) if earlier else None,
        figures=version_figures(version),
        link=version_link(version),
    )


def compare_numbered_versions(
    player: Player, older: int | None = None, newer: int | None = None
) -> VersionDifference | None:
    """Return the difference between two versions named by number.

    Without numbers, the last two versions are compared. None if the player has fewer than two versions or
    none of that number.
    """
    versions = DeckVersion.objects.filter(deck_list=player.deck_list_id)
    numbers = list(versions.order_by("number").values_list("number", flat=True))
    if len(numbers) < 2:
        return None
    numbers_to_compare = (older or numbers[-2], newer or numbers[-1])
    version_by_number = {
        version.number: version for version in versions.filter(number__in=numbers_to_compare)
    }
    if not version_by_number.keys() >= set(numbers_to_compare):
        return None
    return compare_versions(
        version_by_number[numbers_to_compare[0]], version_by_number[numbers_to_compare[1]]
    )


def unanswered_changes(player: Player) -> UnseenChange | None:
    """Return what staff did to the list that counts and the player has not answered."""
    return find_unseen_change(player.deck_list)


@dataclass(frozen=True, slots=True)
class ExchangeRecord:
    """A check on record, with what went out and came in.

    The cards are written as people read them: 2 Dark Hado (SF03 15/90).
    """

    check: ExchangeCheck
    taken_out: list[str]
    brought_in: list[str]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return what the rules had to say of it."""
        return verdict_from_json(self.check.verdict).findings

    @property
    def words(self) -> str:
        """The whole exchange: “−2 Dark Hado; +2 Ken”."""
        moves = [[f"−{each}" for each in self.taken_out], [f"+{each}" for each in self.brought_in]]
        return "; ".join(", ".join(cards) for cards in moves if cards) or gettext("nothing moved")


def exchange_records(player: Player) -> list[ExchangeRecord]:
    """Return the checked exchanges with their cards distinguished. Three queries."""
    namesake_places = find_namesakes(player.event.game)
    return [
        ExchangeRecord(
            check,
            _describe_cards(check.taken_out, namesake_places),
            _describe_cards(check.brought_in, namesake_places),
        )
        for check in exchange_checks(player)
    ]


def _describe_cards(cards: Sequence[Mapping[str, object]], namesake_places: NamesakePlaces) -> list[str]:
    return [f"{card['qty']} {disambiguate_name(card, namesake_places)}" for card in cards]


def exchange_checks(player: Player) -> list[ExchangeCheck]:
    """Return a player's checked exchanges, newest first. One query."""
    return list(player.exchange_checks.select_related("version"))


def time_left(event: Event, now: datetime | None = None) -> timedelta | None:
    """Return the time until the deadline; None if there is none or it has passed."""
    if event.decklists_due_at is None:
        return None
    time_left = event.decklists_due_at - (now or timezone.now())
    return time_left if time_left > timedelta(0) else None


def current_version(player: Player) -> DeckVersion | None:
    """Return the list that counts for the player."""
    return player.deck_list.current if player.deck_list else None


ZONE_ORDER = ("pregame", "main", "sideboard", "pool")


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One row to tick: its place among the entries of the list, and what is there."""

    place: int
    qty: int
    name: str
    is_ticked: bool


@dataclass(frozen=True, slots=True)
class CheckGroup:
    """Rows of one type in one zone."""

    words: str
    rows: list[CheckRow]

    @property
    def cards(self) -> int:
        """How many cards there must be."""
        return sum(row.qty for row in self.rows)


@dataclass(frozen=True, slots=True)
class CheckSheet:
    """A whole list in checking order.

    `cards` and `ticked_cards` count cards, not rows. `open_questions` says what the list leaves open, such as
    which cards are its sideboard.
    """

    groups: list[CheckGroup]
    cards: int
    ticked_cards: int
    open_questions: list[str] = field(default_factory=list)


def build_check_sheet(
    version: DeckVersion | None, ticks: Sequence[int] = (), namesake_places: NamesakePlaces | None = None
) -> CheckSheet:
    """Build the check sheet of a version with its ticks.

    One query for card types, and two for `namesake_places` unless given.
    """
    if version is None:
        return CheckSheet([], 0, 0)
    game, ticked_rows = version.deck_list.game, frozenset(ticks)
    types, namesakes = (
        _card_types(game, version.entries),
        find_namesakes(game) if namesake_places is None else namesake_places,
    )
    order = rules.get_game(game).checking_order
    groups: dict[tuple[Any, ...], list[CheckRow]] = {}
    for place, entry in enumerate(version.entries):
        kind = types.get(entry["card"], "")
        key = (_zone_rank(entry["zone"]), entry["zone"], *_type_rank(order, kind))
        row = CheckRow(place, entry["qty"] or 0, disambiguate_name(entry, namesakes), place in ticked_rows)
        groups.setdefault(key, []).append(row)
    rows = [row for group in groups.values() for row in group]
    return CheckSheet(
        [_check_group(key, groups[key]) for key in sorted(groups)],
        sum(row.qty for row in rows),
        sum(row.qty for row in rows if row.is_ticked),
        open_question_notes(version),
    )


def card_names_by_type(version: DeckVersion | None) -> dict[str, list[str]]:
    """Return the cards of a list by lower-case type, in their order. One query."""
    names_by_type: dict[str, list[str]] = {}
    types = _card_types(version.deck_list.game, version.entries) if version is not None else {}
    for entry in version.entries if version is not None else ():
        names = names_by_type.setdefault(types.get(entry["card"], "").casefold(), [])
        if entry["name"] not in names:
            names.append(entry["name"])
    return names_by_type


def _card_types(game: str, entries: Sequence[EntryRecord]) -> dict[str, str]:
    keys = {entry["card"] for entry in entries if entry["card"]}
    cards = Card.objects.filter(game=game, key__in=keys).values_list("key", "attributes")
    return {key: str(attributes.get("type") or attributes.get("kind") or "") for key, attributes in cards}


def format_zone(zone: str) -> str:
    """Return what a part of a list is called, in the reader's language: “Main deck”."""
    return capfirst(translate_text(ZONE_WORDS.get(zone, zone)))


def _zone_rank(zone: str) -> int:
    return ZONE_ORDER.index(zone) if zone in ZONE_ORDER else len(ZONE_ORDER)


def _type_rank(order: Sequence[str], kind: str) -> tuple[int, str]:
    """Rank types that the game does not order by name, and unknown ones last."""
    folded_type = kind.casefold()
    if not folded_type:
        return len(order) + 1, ""
    return (order.index(folded_type) if folded_type in order else len(order)), kind


def _check_group(key: tuple[Any, ...], rows: list[CheckRow]) -> CheckGroup:
    zone, kind = format_zone(key[1]), key[3]
    words = gettext("%(zone)s: %(type)s") if kind else gettext("%(zone)s: Type unknown")
    words %= {"zone": zone, "type": capfirst(translate_text(kind))}
    return CheckGroup(words, sorted(rows, key=lambda row: (row.name.casefold(), row.place)))
