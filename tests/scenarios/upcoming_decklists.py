"""Editions of lists as the tests need them, and lists of unknown events.

These lists belong to events which no app knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils import timezone

from decks.checking.check import CheckTerms
from decks.editions.models import ListEdition
from decks.jobs.handlers import ProgressCallback
from decks.rechecks.models import Recheck
from decks.rechecks.upcoming import UpcomingEvent, UpcomingList
from decks.submissions.models import DeckList

DAY = date(2026, 12, 1)


def ban_list(*names: str, number: int = 2, in_force: date = DAY, **values: Any) -> ListEdition:
    """Return a published edition of the banned list of UFS that names these cards."""
    published_round = {"state": "published", "published_at": timezone.now(), "published_by": "Kim"}
    return ListEdition.objects.create(
        game="ufs",
        kind="bans",
        number=number,
        name="Banned list",
        document="Ringside news",
        clause="502.1",
        entries=[{"card": {"name": name}, "clause": "502.1"} for name in names],
        in_force=in_force,
        drafted_by="Kim",
        drafted_at=timezone.now(),
        **{**published_round, "digest": f"{number} {in_force} {names}", **values},
    )


@dataclass
class DayEvents:
    """A source of lists without the app of the events.

    It has events of one day each, as many as one likes.
    """

    days: dict[int, date] = field(default_factory=lambda: {1: DAY})
    held_lists: list[tuple[DeckList, int]] = field(default_factory=list)
    rules_version: str = "1.9"

    def events(self, game: str) -> list[UpcomingEvent]:
        return [
            UpcomingEvent(key, f"Event {key}", f"/console/{key}/lists/", self._terms(day))
            for key, day in self.days.items()
        ]

    def _terms(self, day: date) -> CheckTerms:
        return CheckTerms("constructed", self.rules_version, day)

    def notify(self, recheck: Recheck, progress: ProgressCallback) -> int:
        return 0

    def send_emails(self, recheck: Recheck, event: int, *, is_last_try: bool) -> tuple[int, int]:
        return 0, 0

    def list_ids(self, events: Iterable[int]) -> list[int]:
        keys = set(events)
        return sorted(listed_deck.pk for listed_deck, key in self.held_lists if key in keys)

    def lists(
        self, events: Iterable[int], *, first: int | None = None, last: int | None = None
    ) -> list[UpcomingList]:
        keys = set(events)
        current = dict(DeckList.objects.values_list("pk", "current_id"))
        return [
            UpcomingList(listed_deck.pk, current[listed_deck.pk], key, f"Player {number}", number)
            for number, (listed_deck, key) in enumerate(self.held_lists, start=1)
            if key in keys and (first or 0) <= listed_deck.pk <= (last or listed_deck.pk)
        ]

    def list_url(self, occasion: UpcomingEvent, number: int) -> str:
        return f"{occasion.url}{number}/"
