"""Tell which rows belong to an event.

An undo can therefore never write another event's rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from django.db import models
from django.db.models import Q

from decks.shared.refusals import Refused
from decks.submissions.models import DeckList, DeckVersion
from tournament.events.models.event import Event
from tournament.log.changes import RowKey, Values
from tournament.log.models import EVENT_TABLES, get_table_model

EVENT_PATHS = {DeckList: "player__event", DeckVersion: "deck_list__player__event"}
# Links that may lead out of an event: people, and the rechecks that a notice tells of.
OUTSIDE_LINKS = frozenset(
    {
        ("staffrole", "user_id"),
        ("invitation", "created_by_id"),
        ("listnotice", "user_id"),
        ("listnotice", "recheck_id"),
        ("rechecked", "recheck_id"),
    }
)

CurrentTables = Mapping[str, Mapping[int, models.Model]]


@cache
def get_event_path(model: type[models.Model]) -> str:
    """Return the filter path from a table to its event.

    It is empty for tables of no event.
    """
    if model in EVENT_PATHS:
        return EVENT_PATHS[model]
    links = [field for field in model._meta.concrete_fields if field.is_relation and not field.null]
    direct = next((field.name for field in links if field.related_model is Event), "")
    further = (field for field in links if field.related_model is not model)
    return direct or next(
        (f"{field.name}__{path}" for field in further if (path := get_event_path(field.related_model))), ""
    )


def refuse_unknown_tables(target: Mapping[RowKey, Values | None]) -> None:
    """Raise Refused if a row is of a table that no event owns.

    The code is `log_names_foreign_rows`.
    """
    for table, _ in target:
        _known_model(table)


def refuse_foreign_rows(event: Event, target: Mapping[RowKey, Values | None], current: CurrentTables) -> None:
    """Refuse to write rows of another event, or links that lead to them.

    `target` holds the rows as they are to be (None: gone), `current` those of them that exist. A few queries
    for each table. Raises Refused (`log_names_foreign_rows`).
    """
    linked_ids = _linked_ids(target)
    for table in {*current, *linked_ids}:
        remaining_ids = {pk for pk in linked_ids.get(table, ()) if target.get((table, pk)) is None}
        needed_ids = {*current.get(table, {}), *remaining_ids}
        if not needed_ids <= _owned_ids(event, table, needed_ids):
            raise _foreign(table)
    if any(table == "event" and (pk != event.pk or not values) for (table, pk), values in target.items()):
        raise _foreign("event")


def _linked_ids(target: Mapping[RowKey, Values | None]) -> dict[str, set[int]]:
    """Return the rows that the rows to be written point to, by table."""
    ids_by_table: dict[str, set[int]] = defaultdict(set)
    for (table, _), values in target.items():
        for column, related_table in _link_columns(table):
            linked_ids = (values or {}).get(column)
            if linked_ids is not None:
                ids_by_table[related_table].add(linked_ids)
    return ids_by_table


@cache
def _link_columns(table: str) -> tuple[tuple[str, str], ...]:
    """Return columns that point to other rows, with their tables.

    Raises Refused for a table of no event.
    """
    return tuple(
        (field.attname, str(field.related_model._meta.model_name))
        for field in _known_model(table)._meta.concrete_fields
        if field.related_model is not None and (table, field.attname) not in OUTSIDE_LINKS
    )


def _known_model(table: str) -> type[models.Model]:
    if table not in EVENT_TABLES:
        raise _foreign(table)
    return get_table_model(table)


def _owned_ids(event: Event, table: str, ids: Iterable[int]) -> set[int]:
    """Return the ids whose rows belong to the event.

    Lists without a player belong to no other event.
    """
    model = _known_model(table)
    if model is Event:
        return {event.pk}
    path = get_event_path(model)
    owned_cards = Q(**{path: event})
    if model in (DeckList, DeckVersion):
        owned_cards |= Q(**{f"{path.removesuffix('__event')}__isnull": True})
    owned_ids: set[int] = set()
    for some in _batches(list(ids)):
        owned_ids.update(model._base_manager.filter(owned_cards, pk__in=some).values_list("pk", flat=True))
    return owned_ids


def _batches(ids: list[int], size: int = 5000) -> Iterator[list[int]]:
    for start in range(0, len(ids), size):
        yield ids[start : start + size]


def _foreign(table: str) -> Refused:
    return Refused("log_names_foreign_rows", table=table[:40])
