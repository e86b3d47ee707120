"""Keep events of one venue from using the same tables at once."""

from __future__ import annotations

from django.db import OperationalError

from decks.shared.refusals import Conflict, Refused
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.log.step import Recorder
from tournament.pairing.selectors import venues
from tournament.pairing.selectors.pairing_context import table_numbers


def refuse_taken_tables(recorder: Recorder, draft: Round) -> None:
    """Raise Refused where a table of the draft is still played on by another event of the hall."""
    others = venues.events_sharing_venue(recorder.event)
    if not others:
        return
    _lock_events(others)
    taken = venues.tables_in_use(others)
    wanted = Match.objects.filter(round=draft, table__isnull=False).values_list("table", flat=True)
    shared = sorted(taken.keys() & set(wanted))
    if shared:
        names = "”, “".join(sorted({taken[table] for table in shared}))
        raise Refused(
            "tables_in_use",
            f"“{names}” still plays on {venues.format_tables(shared)}.",
            fix="Wait for them, move the matches, or set another first table (Pairing) and pair again.",
        )


def _lock_events(others: list[Event]) -> None:
    """Keep the other events of the hall as they are until this step is done.

    Two events that publish at once would each wait for the other; so the later does not wait at all.
    """
    rows = Event.objects.select_for_update(nowait=True).filter(pk__in=[other.pk for other in others])
    try:
        list(rows.order_by("pk").values_list("pk"))
    except OperationalError as error:
        raise Conflict(
            "hall_busy", "Another event of this hall is being changed at this moment.", fix="Press again."
        ) from error


def find_free_table(recorder: Recorder, played: Round) -> int:
    """The first table of the event that is free now, for one match that starts by itself."""
    event = recorder.event
    taken = set(venues.tables_in_use([event, *venues.events_sharing_venue(event)]))
    taken.update(n for n in played.matches.values_list("table", flat=True) if n is not None)
    return next(number for number in table_numbers(event) if number not in taken)
