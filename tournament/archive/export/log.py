"""The log in an event's archive: rows are named by their place among the event's rows, not by ids.

Rows that stand are numbered 1, 2, … in the order of what they hold, which is the same wherever the event
lies; rows that are gone but may come back by an undo are numbered -1, -2, … in the order they were made in.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from django.apps import apps
from django.db import models

from decks.submissions.models import DeckList, DeckVersion
from tournament.events.models.event import Event
from tournament.log.changes import UNLOGGED, as_json, model_of
from tournament.log.models import LogEntry

Values = dict[str, Any]
Name = Callable[[str, int], int]
PEOPLE = frozenset({"staffrole", "invitation"})
NOT_ARCHIVED = frozenset(
    {
        "event",
        "logentry",
        "staffrole",
        "invitation",
        "retiredlink",
        "attempt",
        "device",
        "listnotice",
        "league",
        "leagueevent",
        "leagueline",
        "sameperson",
    }
)
REACHED = {DeckList: "player__event", DeckVersion: "deck_list__player__event"}
OUTSIDE = {"player": {"deck_list_id"}, "decklist": {"current_id", "created_at", "locked_at"}}
NOT_COMPARED = UNLOGGED | {"id", "selection", "created_at"}


@cache
def tables() -> tuple[type[models.Model], ...]:
    """Every table of an event whose rows an archive carries, parents first."""
    found = [
        m for m in apps.get_app_config("tournament").get_models() if m._meta.model_name not in NOT_ARCHIVED
    ]
    waiting = [*found, DeckList, DeckVersion]
    ordered: list[type[models.Model]] = []
    while waiting:
        ready = [m for m in waiting if not any(target in waiting for _, target in _parents(m))]
        ordered += ready or waiting
        waiting = [m for m in waiting if m not in ordered]
    return tuple(ordered)


def _parents(model: type[models.Model]) -> list[tuple[str, type[models.Model]]]:
    """The links of a table to others that say what a row is, by column."""
    left_out = OUTSIDE.get(str(model._meta.model_name), set())
    return [
        (field.attname, field.related_model)
        for field in model._meta.concrete_fields
        if field.is_relation and field.attname not in left_out and field.related_model is not model
    ]


@cache
def _path(model: type[models.Model]) -> str:
    """The way from a table to its event, as a filter says it; empty for tables of no event."""
    if model in REACHED:
        return REACHED[model]
    links = [field for field in model._meta.concrete_fields if field.is_relation and not field.null]
    direct = next((field.name for field in links if field.related_model is Event), "")
    further = (field for field in links if field.related_model is not model)
    return direct or next(
        (f"{field.name}__{path}" for field in further if (path := _path(field.related_model))), ""
    )


def standing(event: Event) -> dict[str, list[int]]:
    """The ids of an event's rows by table, in the order of what the rows hold."""
    places: dict[str, dict[int, int]] = {}
    for model in tables():
        name = str(model._meta.model_name)
        keyed = sorted((_content(model, row, places), row["id"]) for row in _rows(model, event, name))
        places[name] = {pk: place for place, (_, pk) in enumerate(keyed, 1)}
    return {name: list(found) for name, found in places.items()}


def _rows(model: type[models.Model], event: Event, name: str) -> Iterable[Values]:
    left_out = NOT_COMPARED | OUTSIDE.get(name, set())
    columns = [f.attname for f in model._meta.concrete_fields if f.attname not in left_out or f.primary_key]
    extra = {"owner": models.F("player__number")} if model is DeckList else {}
    return model._default_manager.filter(**{_path(model): event}).values(*columns, **extra)


def _content(model: type[models.Model], row: Values, places: dict[str, dict[int, int]]) -> str:
    links = {column: str(target._meta.model_name) for column, target in _parents(model)}
    said = {}
    for column, value in row.items():
        if column in links:
            place = places.get(links[column], {}).get(value, 0) if value is not None else 0
            said[column] = f"{place:09d}"
        elif column != "id":
            said[column] = as_json(value)
    return json.dumps(said, sort_keys=True)


def translated(changes: Iterable[Values], name: Name) -> list[Values]:
    """Changes with every id of a row replaced by what `name` says; those about people are left out."""
    return [_translated(change, name) for change in changes if change["table"] not in PEOPLE]


def _translated(change: Values, name: Name) -> Values:
    table = change["table"]
    links = {"id": table, **_links(model_of(table))}

    def value(column: str, held: Any) -> Any:
        if column == "selection":
            return [{**row, "player": name("player", row["player"])} for row in held or []]
        return name(links[column], held) if column in links and held is not None else held

    def row(held: Values | None) -> Values | None:
        return None if held is None else {column: value(column, one) for column, one in held.items()}

    if "columns" not in change:
        ids = {"id": name(table, change["id"])}
        return {**change, **ids, "before": row(change["before"]), "after": row(change["after"])}
    many = {
        key: [[value(c, one) for c, one in zip(change["columns"], line, strict=True)] for line in change[key]]
        for key in ("created", "deleted", "before", "after")
        if key in change
    }
    return {
        **change,
        **many,
        **({"ids": [name(table, pk) for pk in change["ids"]]} if "ids" in change else {}),
    }


def _links(model: type[models.Model]) -> dict[str, str]:
    known = (*tables(), Event)
    return {
        field.attname: str(field.related_model._meta.model_name)
        for field in model._meta.concrete_fields
        if field.is_relation and field.related_model in known
    }


def mentioned(changes: Iterable[Values]) -> dict[str, set[int]]:
    """Every id that changes name, by table."""
    found: dict[str, set[int]] = defaultdict(set)

    def note(table: str, pk: int) -> int:
        found[table].add(pk)
        return pk

    translated(changes, note)
    return found


def log_lines(event: Event, plain: Callable[[models.Model], Values]) -> list[Values]:
    """The log, oldest first, as the archive carries it."""
    entries = list(LogEntry.objects.filter(event=event).order_by("pk"))
    places = {entry.pk: place for place, entry in enumerate(entries)}
    name = _namer(event, entries)
    return [
        {
            **plain(entry),
            "head": places.get(entry.head_id or 0),
            "undone_by": places.get(entry.undone_by_id or 0),
            "takes_back": [places[pk] for pk in entry.takes_back],
            "about": sorted(_named(word, name) for word in entry.about.split()),
            "changes": translated(entry.changes, name),
        }
        for entry in entries
    ]


def _namer(event: Event, entries: list[LogEntry]) -> Name:
    names: dict[tuple[str, int], int] = {("event", event.pk): 0}
    stands = standing(event)
    for table, ids in stands.items():
        names.update(((table, pk), place) for place, pk in enumerate(ids, 1))
    gone = mentioned([change for entry in entries for change in entry.changes])
    for entry in entries:
        for word in entry.about.split():
            gone["player" if word[0] == "p" else "round"].add(int(word[1:]))
    for table, ids in gone.items():
        missing = sorted(pk for pk in ids if (table, pk) not in names)
        names.update(((table, pk), -place) for place, pk in enumerate(missing, 1))
    return lambda table, pk: names[table, pk]


def _named(word: str, name: Name) -> str:
    return f"{word[0]}{name('player' if word[0] == 'p' else 'round', int(word[1:]))}"
