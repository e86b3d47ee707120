"""Export and restore the log of an event: row ids become places, and places ids.

Existing rows are numbered 1, 2, … in the order of their content, which is the same wherever the event is;
rows that are gone but may come back by an undo are numbered -1, -2, … in the order they were made in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.db import models
from django.utils import timezone

from decks.shared.rows import save_fields
from decks.submissions.models import DeckList
from rules.reason import Param, Reason, Reference, params_from_json, params_to_json, replace_references
from tournament.archive.archived_changes import get_number, iter_params_references, refuse_bad_lines
from tournament.archive.old_lines import translate_told_lines
from tournament.archive.references import map_references
from tournament.archive.tables import (
    UNSORTED_LINKS,
    list_archived_models,
    map_links,
    parent_links,
    travelling_tables,
)
from tournament.archive.upgrade import Document
from tournament.events.models.event import Event
from tournament.events.names import EventNames
from tournament.log.bulk_rows import use_up_ids
from tournament.log.changes import ChangeData, Values, convert_rows
from tournament.log.models import UNLOGGED_COLUMNS, LogEntry, get_table_model, to_json_text
from tournament.log.ownership import get_event_path
from tournament.log.wording import to_reason

IdTranslator = Callable[[str, int], int]

# Columns that hold reasons, which refer to players by their ids.
REASON_COLUMNS = frozenset({"selection", "pairing", "why", "reasons"})
UNSORTED_COLUMNS = UNLOGGED_COLUMNS | REASON_COLUMNS | {"id", "created_at"}


def list_row_ids(event: Event) -> dict[str, list[int]]:
    """Return the ids of an event's rows by table, in the order of what the rows hold."""
    places: dict[str, dict[int, int]] = {}
    for model in list_archived_models():
        name = str(model._meta.model_name)
        links = {column: str(target._meta.model_name) for column, target in parent_links(model)}
        entry_keys = sorted((_sort_key(row, links, places), row["id"]) for row in _rows(model, event, name))
        places[name] = {pk: place for place, (_, pk) in enumerate(entry_keys, 1)}
    return {name: list(ids) for name, ids in places.items()}


def _rows(model: type[models.Model], event: Event, name: str) -> Iterable[Values]:
    left_out = UNSORTED_COLUMNS | UNSORTED_LINKS.get(name, set())
    columns = [f.attname for f in model._meta.concrete_fields if f.attname not in left_out or f.primary_key]
    extra = {"owner": models.F("player__number")} if model is DeckList else {}
    return model._base_manager.filter(**{get_event_path(model): event}).values(*columns, **extra)


def _sort_key(row: Values, links: Mapping[str, str], places: Mapping[str, Mapping[int, int]]) -> str:
    """Return what a row holds as text.

    Columns of `links`, each with the table of a parent, hold the place of that row.
    """
    column_values = {column: value for column, value in row.items() if column != "id"}
    for column, table in links.items():
        if column in row:
            column_values[column] = f"{places.get(table, {}).get(row[column], 0):09d}"
    return to_json_text(column_values, sort_keys=True)


def translate_changes(changes: Iterable[ChangeData], name: IdTranslator) -> list[ChangeData]:
    """Replace every id of a row in changes by what `name` says.

    Changes of rows that are not archived are left out.
    """
    return [_translate_change(change, name) for change in changes if change["table"] in travelling_tables()]


def _translate_change(change: ChangeData, name: IdTranslator) -> ChangeData:
    table = change["table"]
    links = {"id": table, **map_links(get_table_model(table))}

    def value(column: str, values: Any) -> object:
        if column == "selection":
            values = [{**row, "player": name("player", row["player"])} for row in values or []]
        if column in REASON_COLUMNS:
            return map_references(values, name)
        return name(links[column], values) if column in links and values is not None else values

    translated_params = convert_rows(
        change, lambda _, row: {column: value(column, each) for column, each in row.items()}
    )
    if "columns" not in translated_params:
        return {**translated_params, "id": name(table, translated_params["id"])}
    if "ids" in translated_params:
        return {**translated_params, "ids": [name(table, pk) for pk in translated_params["ids"]]}
    return translated_params


def collect_ids(changes: Iterable[ChangeData]) -> dict[str, set[int]]:
    """Return every id that changes name, by table."""
    ids_by_table: dict[str, set[int]] = defaultdict(set)

    def note(table: str, pk: int) -> int:
        ids_by_table[table].add(pk)
        return pk

    translate_changes(changes, note)
    return ids_by_table


def export_log(event: Event, plain: Callable[[models.Model], Values]) -> list[Document]:
    """Return the log, oldest first, as the archive stores it.

    People with accounts are stored by name.
    """
    entries = list(LogEntry.objects.filter(event=event).order_by("pk"))
    places = {entry.pk: place for place, entry in enumerate(entries)}
    name = _id_to_place(event, entries)
    people = EventNames(event).collect(to_reason(entry) for entry in entries)

    def refer(reference: Reference) -> Param:
        if reference.kind == "user":
            return people(reference)
        if reference.kind == "player":
            return Reference("player", name("player", get_number(reference)))
        return Reference("entry", places[get_number(reference)]) if reference.kind == "entry" else reference

    return [
        {
            **plain(entry),
            "actor": people(Reference("user", entry.user_id)) if entry.user_id else entry.actor,
            "by_player": None if entry.by_player is None else name("player", entry.by_player),
            "params": _translate_params(entry.params, refer),
            "head": places.get(entry.head_id or 0),
            "undone_by": places.get(entry.undone_by_id or 0),
            "takes_back": [places[pk] for pk in entry.takes_back],
            "about": sorted(_translate_word(word, name) for word in entry.about.split()),
            "changes": translate_changes(entry.changes, name),
        }
        for entry in entries
    ]


def _translate_params(params: Values, refer: Callable[[Reference], Param]) -> Values:
    new_reason = replace_references(Reason("", params_from_json(params)), refer)
    return params_to_json(new_reason.params)


def _id_to_place(event: Event, entries: list[LogEntry]) -> IdTranslator:
    names: dict[tuple[str, int], int] = {("event", event.pk): 0}
    row_ids = list_row_ids(event)
    for table, ids in row_ids.items():
        names.update(((table, pk), place) for place, pk in enumerate(ids, 1))
    logged_ids = collect_ids([change for entry in entries for change in entry.changes])
    for entry in entries:
        for word in entry.about.split():
            logged_ids["player" if word[0] == "p" else "round"].add(int(word[1:]))
        logged_ids["player"] |= _player_keys(entry.params, entry.by_player)
    for table, used_ids in logged_ids.items():
        missing_ids = sorted(pk for pk in used_ids if (table, pk) not in names)
        names.update(((table, pk), -place) for place, pk in enumerate(missing_ids, 1))
    return lambda table, pk: names[table, pk]


def _player_keys(params: Values, by_player: int | None) -> set[int]:
    """Return the players that a line refers to."""
    keys = {get_number(each) for each in iter_params_references(params) if each.kind == "player"}
    return keys if by_player is None else {*keys, by_player}


def _translate_word(word: str, name: IdTranslator) -> str:
    return f"{word[0]}{name('player' if word[0] == 'p' else 'round', int(word[1:]))}"


def restore_log(event: Event, lines: Sequence[Document], build: Callable[[Document, int], LogEntry]) -> None:
    """Write the lines of an archived log.

    Their changes have ids of this installation. `build` makes an entry of a line and its place. Raises
    LookupError, TypeError or ValueError if a line makes no sense, or names a table, a column or a value that
    no event has.
    """
    refuse_bad_lines(lines)
    translate_told_lines(lines)
    entries = [build(line, place) for place, line in enumerate(lines)]
    try:
        name = _place_to_id(event, lines)
        for entry, line in zip(entries, lines, strict=True):
            entry.changes = translate_changes(line.get("changes", []), name)
            entry.about = _translate_words(line.get("about", []), name)
            entry.params = _translate_keys(entry.params, "player", lambda place: name("player", place))
            if entry.by_player is not None:
                entry.by_player = name("player", entry.by_player)
    except LookupError as error:
        raise ValueError(f"log: {error}") from error
    log_entries = LogEntry.objects.bulk_create(entries, batch_size=500)
    _link_entries(log_entries, lines)


def _place_to_id(event: Event, lines: Sequence[Document]) -> IdTranslator:
    ids: dict[tuple[str, int], int] = {("event", 0): event.pk}
    for table, pks in list_row_ids(event).items():
        ids.update(((table, place), pk) for place, pk in enumerate(pks, 1))
    deleted_counts: dict[str, int] = defaultdict(int)
    named_ids = collect_ids([change for line in lines for change in line.get("changes", [])])
    for line in lines:
        for word in line.get("about", []):
            named_ids["player" if word[0] == "p" else "round"].add(int(word[1:]))
        named_ids["player"] |= _player_keys(line["params"], line["by_player"])
    for table, places in named_ids.items():
        absent = {place for place in places if place < 0}
        if absent and min(absent) != -len(absent):
            raise ValueError(f"log: rows of {table} that are gone are not numbered from -1 on")
        deleted_counts[table] = len(absent)
    for table, count in deleted_counts.items():
        fresh = use_up_ids(get_table_model(table), count)
        ids.update(((table, -place), pk) for place, pk in enumerate(fresh, 1))
        if table == "decklist":
            _create_empty_decklists(event, fresh)
    return lambda table, place: ids[table, place]


def _create_empty_decklists(event: Event, ids: Sequence[int]) -> None:
    """Create the lists of registrations that were undone.

    Their versions are not in the archive, their places are.
    """
    DeckList.objects.bulk_create(
        DeckList(
            pk=pk,
            game=event.game,
            format_key=event.format,
            rules_version=event.rules_version,
            created_at=timezone.now(),
        )
        for pk in ids
    )


def _translate_words(words: Sequence[str], name: IdTranslator) -> str:
    references = sorted(f"{w[0]}{name('player' if w[0] == 'p' else 'round', int(w[1:]))}" for w in words)
    return f" {' '.join(references)} " if references else ""


def _translate_keys(params: Values, kind: str, translate: Callable[[int], int]) -> Values:
    """Return the parameters with new keys for the references of one kind."""
    return _translate_params(
        params, lambda each: Reference(kind, translate(get_number(each))) if each.kind == kind else each
    )


def _link_entries(log_entries: Sequence[LogEntry], lines: Sequence[Document]) -> None:
    """Point the entries to each other as the lines do by their places."""
    for entry, line in zip(log_entries, lines, strict=True):
        head, undone_by = line.get("head"), line.get("undone_by")
        entry.head = None if head is None else log_entries[head]
        entry.undone_by = None if undone_by is None else log_entries[undone_by]
        entry.takes_back = [log_entries[place].pk for place in line.get("takes_back", [])]
        entry.params = _translate_keys(entry.params, "entry", lambda place: log_entries[place].pk)
    bound_entries = [
        e for e in log_entries if e.head_id or e.undone_by_id or e.takes_back or _refers_to_entry(e)
    ]
    save_fields(bound_entries, ["head", "undone_by", "takes_back", "params"])


def _refers_to_entry(entry: LogEntry) -> bool:
    return any(reference.kind == "entry" for reference in iter_params_references(entry.params))
