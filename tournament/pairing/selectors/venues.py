"""Events that share a venue on one day, and the tables each of them uses."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from itertools import islice

from django.utils.translation import ngettext

from rules.rendering import get_messages
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.pairing.selectors.pairing_context import table_numbers

ONE_DAY = timedelta(days=1)


def events_sharing_venue(event: Event) -> list[Event]:
    """Return other events in the same venue on the same day that are not over.

    One query.
    """
    venue = event.hall.strip()
    if not venue:
        return []
    nearby_events = Event.objects.exclude(hall="").exclude(pk=event.pk).exclude(phase=Event.Phase.FINISHED)
    nearby_events = nearby_events.filter(
        starts_at__gt=event.starts_at - ONE_DAY, starts_at__lt=event.starts_at + ONE_DAY
    )
    date = event.starts_local.date()
    return [
        other
        for other in nearby_events.order_by("pk")
        if other.hall.strip().casefold() == venue.casefold()
        and other.starts_at.astimezone(event.zone).date() == date
    ]


def tables_needed(event: Event) -> set[int]:
    """Return the tables that the event takes up.

    There are as many as the event asks for, otherwise one for each two players.
    """
    count = event.table_count
    if count is None:
        active_players = event.players.filter(status=Player.Status.REGISTERED, dropped_after__isnull=True)
        count = active_players.count() // 2
    return set(islice(table_numbers(event), count))


def describe_overlaps(event: Event) -> list[str]:
    """Return a sentence for each event that needs some of this event's tables.

    These are the other events of the venue.
    """
    own_tables = tables_needed(event)
    overlaps = [(other, own_tables & tables_needed(other)) for other in events_sharing_venue(event)]
    return [
        ngettext(
            "“%(event)s” also uses table %(tables)s, on the same day at the same venue.",
            "“%(event)s” also uses tables %(tables)s, on the same day at the same venue.",
            len(shared_tables),
        )
        % {"event": other.name, "tables": format_tables(shared_tables)}
        for other, shared_tables in overlaps
        if shared_tables
    ]


def count_missing_tables(event: Event) -> int:
    """Return how many tables the event lacks for its players.

    It is 0 if there are enough or if the event did not say.
    """
    if event.table_count is None:
        return 0
    active_players = event.players.filter(status=Player.Status.REGISTERED, dropped_after__isnull=True)
    return max(0, active_players.count() // 2 - event.table_count)


def tables_in_use(events: Iterable[Event]) -> dict[int, str]:
    """Return the tables where these events still play a published match.

    Each comes with the event's name.
    """
    running_matches = Match.objects.filter(
        round__stage__event__in=list(events), outcome="", table__isnull=False
    )
    running_matches = running_matches.exclude(round__state=Round.State.DRAFT)
    rows = running_matches.values_list("table", "round__stage__event__name")
    return {table: name for table, name in rows if table is not None}


def format_tables(tables: Iterable[int]) -> str:
    """Return numbers of tables as people write them.

    >>> format_tables([4]), format_tables([1, 2, 3, 7])
    ('4', '1–3 and 7')
    """
    numbers = sorted(tables)
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return get_messages().join([f"{first}–{last}" if last > first else str(first) for first, last in runs])
