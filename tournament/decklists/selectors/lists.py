"""Lists of an event as their players and staff read them: which counts, what stands, what is new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from decks.catalogue.selectors.namesakes import Places, namesakes, told_apart
from decks.checking.declarations import in_words
from decks.checking.result import CheckedList
from decks.submissions.models import DeckVersion, ListAnswer, Ruling
from decks.submissions.selectors.differences import Difference, News, difference, news
from decks.submissions.selectors.lists import as_checked
from decks.submissions.selectors.standing import Standing, standing, with_standing
from tournament.decklists.models.exchange import ExchangeCheck
from tournament.events.models.event import Event
from tournament.events.models.player import Player

WORST_FIRST = {"illegal": 1, "unknown": 2, "legal": 3}


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version with what stands about it."""

    version: DeckVersion
    standing: Standing
    counts: bool

    @property
    def outcome(self) -> str:
        """What stands: a ruling, a later verdict, or the first."""
        return self.standing.outcome

    @property
    def is_overruled(self) -> bool:
        """Whether a ruling stands instead of the verdict."""
        return self.standing.ruling is not None


@dataclass(frozen=True, slots=True)
class ListRow:
    """One player's list in the overview of staff."""

    player: Player
    version: DeckVersion | None
    outcome: str
    is_overruled: bool
    answer: ListAnswer | None
    is_unseen: bool


def list_rows(event: Event) -> list[ListRow]:
    """The lists of all who are registered or waiting: missing and unfit ones first, then by name.

    A fixed number of queries.
    """
    held = event.players.exclude(status=Player.Status.WITHDRAWN).select_related("deck_list__current")
    people = held.prefetch_related(*with_standing("deck_list__current"), "deck_list__current__answers")
    rows = [_row(player) for player in people]
    return sorted(rows, key=lambda row: (WORST_FIRST.get(row.outcome, 0), row.player.name, row.player.number))


def _row(player: Player) -> ListRow:
    version = player.deck_list.current if player.deck_list else None
    if version is None:
        return ListRow(player, None, "", is_overruled=False, answer=None, is_unseen=False)
    stands = standing(version)
    answer = max(version.answers.all(), key=lambda each: each.pk, default=None)
    is_unseen = version.by_staff and answer is None
    return ListRow(player, version, stands.outcome, stands.ruling is not None, answer, is_unseen)


def version_rows(player: Player) -> list[VersionRow]:
    """Every version of a player's list, the newest first. A fixed number of queries."""
    if player.deck_list is None:
        return []
    versions = DeckVersion.objects.filter(deck_list=player.deck_list).prefetch_related(*with_standing())
    current = player.deck_list.current_id
    return [VersionRow(each, standing(each), each.pk == current) for each in versions.order_by("-number")]


@dataclass(frozen=True, slots=True)
class VersionPage:
    """One version with all that was said about it; `change` is held against the version before it."""

    version: DeckVersion
    counts: bool
    checked: CheckedList
    standing: Standing
    rulings: Sequence[Ruling]
    answers: Sequence[ListAnswer]
    declared: dict[str, str]
    change: Difference | None


def version_page(player: Player, number: int) -> VersionPage | None:
    """A version of the player's list; None where there is none of that number."""
    found = DeckVersion.objects.filter(deck_list=player.deck_list_id, number=number)
    version = found.select_related("deck_list").prefetch_related(*with_standing(), "answers").first()
    if version is None:
        return None
    before = DeckVersion.objects.filter(deck_list=player.deck_list_id, number__lt=number)
    earlier = before.order_by("number").last()
    return VersionPage(
        version=version,
        counts=version.pk == version.deck_list.current_id,
        checked=as_checked(version),
        standing=standing(version),
        rulings=sorted(version.rulings.all(), key=lambda each: -each.pk),
        answers=sorted(version.answers.all(), key=lambda each: -each.pk),
        declared=in_words(version.options),
        change=difference(earlier, version) if earlier else None,
    )


def compared(player: Player, older: str, newer: str) -> Difference | None:
    """The difference between two versions named by number; without numbers, between the last two.

    None where the player has fewer than two versions or none of that number.
    """
    held = DeckVersion.objects.filter(deck_list=player.deck_list_id)
    numbers = list(held.order_by("number").values_list("number", flat=True))
    if len(numbers) < 2:
        return None
    asked = (_number(older, numbers[-2]), _number(newer, numbers[-1]))
    found = {version.number: version for version in held.filter(number__in=asked)}
    if not found.keys() >= set(asked):
        return None
    return difference(found[asked[0]], found[asked[1]])


def _number(written: str, otherwise: int) -> int:
    if not written:
        return otherwise
    return int(written) if written.isascii() and written.isdigit() and len(written) < 9 else 0


def news_of(player: Player) -> News | None:
    """What staff did to the list that counts and the player has not answered."""
    return news(player.deck_list)


@dataclass(frozen=True, slots=True)
class ExchangeRecord:
    """A check on record, with what went out and came in as people read it: 2 Dark Hado (SF03 15/90)."""

    check: ExchangeCheck
    taken_out: list[str]
    brought_in: list[str]


def exchange_records(player: Player) -> list[ExchangeRecord]:
    """The checked exchanges with their cards told apart. Three queries."""
    shared = namesakes(player.event.game)
    return [
        ExchangeRecord(check, _moved(check.taken_out, shared), _moved(check.brought_in, shared))
        for check in exchange_checks(player)
    ]


def _moved(cards: Sequence[Mapping[str, Any]], shared: Places) -> list[str]:
    return [f"{card['qty']} {told_apart(card, shared)}" for card in cards]


def exchange_checks(player: Player) -> list[ExchangeCheck]:
    """The exchanges of a player that were checked, the newest first. One query."""
    return list(player.exchange_checks.select_related("version"))


def time_left(event: Event, now: datetime | None = None) -> timedelta | None:
    """The time until the deadline; None where there is none or it has passed."""
    if event.decklists_due_at is None:
        return None
    left = event.decklists_due_at - (now or timezone.now())
    return left if left > timedelta(0) else None


def current_version(player: Player) -> DeckVersion | None:
    """The list that counts for the player."""
    return player.deck_list.current if player.deck_list else None
