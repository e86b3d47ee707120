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
    """Raise Refused if another event still plays on a table of the draft.

    This is an event of the same venue.
    """
    other_events = venues.events_sharing_venue(recorder.event)
    if not other_events:
        return
    _lock_events(other_events)
    taken_tables = venues.tables_in_use(other_events)
    draft_tables = Match.objects.filter(round=draft, table__isnull=False).values_list("table", flat=True)
    shared_tables = sorted(taken_tables.keys() & set(draft_tables))
    if shared_tables:
        events = tuple(f"“{name}”" for name in sorted({taken_tables[table] for table in shared_tables}))
        raise Refused(
            "tables_in_use",
            events=events,
            event_count=len(events),
            tables=venues.format_tables(shared_tables),
            count=len(shared_tables),
        )


def _lock_events(other_events: list[Event]) -> None:
    """Keep the other events of the venue as they are until this step is done.

    Two events that publish at once would each wait for the other; so the later does not wait at all.
    """
    rows = Event.objects.select_for_update(nowait=True).filter(pk__in=[other.pk for other in other_events])
    try:
        list(rows.order_by("pk").values_list("pk"))
    except OperationalError as error:
        raise Conflict("hall_busy") from error


def find_free_table(recorder: Recorder, round_: Round) -> int:
    """Return the first table of the event that is free now.

    It is for one match that starts by itself.
    """
    event = recorder.event
    taken_tables = set(venues.tables_in_use([event, *venues.events_sharing_venue(event)]))
    taken_tables.update(n for n in round_.matches.values_list("table", flat=True) if n is not None)
    return next(number for number in table_numbers(event) if number not in taken_tables)
