"""The events that are still to come and the lists that count for them, for checks of many lists at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.db.models import QuerySet
from django.urls import reverse

from decks.checking.judge import Terms
from decks.rechecks.upcoming import ComingList, Occasion
from tournament.events.models.event import Event
from tournament.events.models.player import Player

STILL_TO_COME = (Event.Phase.PREPARING, Event.Phase.REGISTRATION, Event.Phase.CHECK_IN)


class ComingEvents:
    """Tells the lower app which lists may still be held to a new edition: those that nobody has locked."""

    def occasions(self, game: str) -> Iterator[Occasion]:
        """The events of a game in which round 1 has not started, by day. One query."""
        for event in Event.objects.filter(game=game, phase__in=STILL_TO_COME).order_by("starts_at", "pk"):
            yield Occasion(event.pk, event.name, reverse("console_lists", args=[event.slug]), terms_of(event))

    def list_ids(self, occasions: Iterable[int]) -> list[int]:
        """The ids of all lists that count for these events, in order. One query."""
        rows = _rows(occasions).order_by("deck_list_id")
        return list(rows.values_list("deck_list_id", flat=True))

    def lists(
        self, occasions: Iterable[int], *, first: int | None = None, last: int | None = None
    ) -> Iterable[ComingList]:
        """The lists that count for these events, by event. One query."""
        rows = _rows(occasions).order_by("event_id", "number")
        if first is not None:
            rows = rows.filter(deck_list_id__gte=first)
        if last is not None:
            rows = rows.filter(deck_list_id__lte=last)
        columns = ("deck_list_id", "deck_list__current_id", "event_id", "name", "number")
        return (ComingList(*row) for row in rows.values_list(*columns))

    def list_url(self, occasion: Occasion, number: int) -> str:
        """The page on which staff looks at the list of one player."""
        return f"{occasion.url}{number}/"


def terms_of(event: Event) -> Terms:
    """What a list handed in for the event today is judged under."""
    return Terms(event.format, event.rules_version, event.starts_local.date(), event.overlay or None)


def _rows(occasions: Iterable[int]) -> QuerySet[Player]:
    # Whether the event still is to come is asked anew: it may have started since somebody looked.
    rows = Player.objects.filter(event__in=list(occasions), event__phase__in=STILL_TO_COME)
    rows = rows.exclude(status=Player.Status.WITHDRAWN)
    return rows.filter(deck_list__current__isnull=False, deck_list__locked_at__isnull=True)
