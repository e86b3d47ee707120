"""The interface through which a recheck reaches events.

The tournament app implements it, because events are above this app.

    register_source(source)         # once, when the apps are ready
    get_source().events(game)

Without a source no list has an event, and nothing is checked again. `chain.py` shows who asks when.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from decks.checking.check import CheckTerms
from decks.jobs.handlers import ProgressCallback
from decks.rechecks.models import Recheck


@dataclass(frozen=True, slots=True)
class UpcomingEvent:
    """An event that is still to come.

    Holds its id, name, page for staff, and what its lists are judged under.
    """

    key: int
    name: str
    url: str
    terms: CheckTerms


@dataclass(frozen=True, slots=True)
class UpcomingList:
    """A list that counts for a coming event.

    Holds the ids of list and version, the event's key, and its owner. `number` is the owner's in the event,
    by which staff find the list.
    """

    list_id: int
    version_id: int
    occasion: int
    owner: str
    number: int


class UpcomingEventSource(Protocol):
    """Knows the coming events and their lists."""

    def events(self, game: str) -> Iterable[UpcomingEvent]:
        """Return the events of a game in which round 1 has not started, by day."""

    def list_ids(self, events: Iterable[int]) -> list[int]:
        """Return the ids of all lists that count for these events, in order."""

    def lists(
        self, events: Iterable[int], *, first: int | None = None, last: int | None = None
    ) -> Iterable[UpcomingList]:
        """Return the lists that count for these events, by event.

        `first` and `last` limit the ids of the lists.
        """

    def list_url(self, occasion: UpcomingEvent, number: int) -> str:
        """Return the page on which staff looks at the list of one player."""

    def notify(self, recheck: Recheck, progress: ProgressCallback) -> int:
        """Notify the events whose lists were rechecked, none twice.

        Return the number of people notified now.
        """

    def send_emails(self, recheck: Recheck, event: int, *, is_last_try: bool) -> tuple[int, int]:
        """Send the emails of one event that still wait.

        Return how many the server accepted, and how many it did not.
        """


class NoUpcomingEvents:
    """The source as long as no app has registered one."""

    def events(self, game: str) -> Iterable[UpcomingEvent]:
        return ()

    def list_ids(self, events: Iterable[int]) -> list[int]:
        return []

    def lists(
        self, events: Iterable[int], *, first: int | None = None, last: int | None = None
    ) -> Iterable[UpcomingList]:
        return ()

    def list_url(self, occasion: UpcomingEvent, number: int) -> str:
        return occasion.url

    def notify(self, recheck: Recheck, progress: ProgressCallback) -> int:
        return 0

    def send_emails(self, recheck: Recheck, event: int, *, is_last_try: bool) -> tuple[int, int]:
        return 0, 0


_registered: list[UpcomingEventSource] = [NoUpcomingEvents()]


def register_source(source: UpcomingEventSource) -> None:
    """Let this source answer from now on."""
    _registered[:] = [source]


def get_source() -> UpcomingEventSource:
    """Return the source that was registered last."""
    return _registered[0]
