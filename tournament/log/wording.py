"""Log lines in words, as far as the reader's rights go.

The names of a page come in one query for each kind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q

from decks.shared.wording import format_reason
from rules.endings import state_ending
from rules.reason import Param, Reason, Reference, params_from_json
from tournament.access.permissions import ALL_RIGHTS, Right
from tournament.events.names import EventNames
from tournament.log.changes import Values, iter_row_changes
from tournament.log.models import EntryWords, LogEntry
from tournament.log.visibility import hide_steps
from tournament.shared.coded_texts import find_text_code, format_coded_text

SECTION = "log"
# The parameter of an undo that says which step it undid.
TARGET = "step"
DELETED_ACCOUNT = "deleted_account"


def show_entries(
    entries: Iterable[LogEntry], rights: frozenset[Right] = ALL_RIGHTS, *, names: LogNames | None = None
) -> list[LogEntry]:
    """Return the same entries in words.

    Their facts are left out where the rights to read them are missing. `names` are those of the page, if it
    has more to name.
    """
    shown_entries = list(entries)
    targets = _load_targets(shown_entries)
    hide_steps(shown_entries, {entry.pk: targets.get(_target_id(entry)) for entry in shown_entries}, rights)
    reasons = {entry.pk: to_reason(entry) for entry in (*shown_entries, *targets.values())}
    names = names or LogNames()
    names.entries.update((pk, reasons[pk]) for pk in targets)
    actors = [describe_actor(entry) for entry in shown_entries]
    names.collect([*reasons.values(), *actors])
    for entry, actor in zip(shown_entries, actors, strict=True):
        sentence = _format_line(reasons[entry.pk], names)
        entry.words = EntryWords(sentence, format_reason(SECTION, actor, names))
    return shown_entries


def describe_actor(entry: LogEntry) -> Reason:
    """Return who did it, in a form that needs no context."""
    return Reason("actor", {"actor": get_actor(entry)})


def show_entry(entry: LogEntry, rights: frozenset[Right] = ALL_RIGHTS) -> LogEntry:
    """Return the same for one entry."""
    return show_entries([entry], rights)[0]


def _load_targets(entries: Iterable[LogEntry]) -> dict[int, LogEntry]:
    """Return the steps that undos among the entries undid, by id.

    One query, none without undos.
    """
    ids = {_target_id(entry) for entry in entries} - {0}
    return LogEntry.objects.defer("changes").in_bulk(ids) if ids else {}


def _target_id(entry: LogEntry) -> int:
    """Return the step that an undo undid; 0 for any other step."""
    value = entry.params.get(TARGET)
    return int(value["entry"]) if isinstance(value, Mapping) and "entry" in value else 0


def to_reason(entry: LogEntry) -> Reason:
    """Return what an entry says, with its actor."""
    params = _state_endings(params_from_json(entry.params))
    line = Reason(entry.code, {**params, "actor": get_actor(entry)})
    if entry.by_player is None or (entry.user_id is None and not entry.actor):
        return line
    player = Reference("player", entry.by_player)
    return Reason("by_private_link", {"line": line, "actor": get_actor(entry), "player": player})


def _state_endings(params: Mapping[str, Param]) -> dict[str, Param]:
    """Return parameters with a game's own ending as that game states it.

    Such an ending is stored by its key.
    """
    stated_params = {name: _state_endings_within(value) for name, value in params.items()}
    if isinstance(ending := stated_params.get("ending"), str):
        stated_params["ending"] = state_ending(
            ending, winner=stated_params.get("winner"), loser=stated_params.get("loser")
        )
    return stated_params


def _state_endings_within(value: Param) -> Param:
    return Reason(value.code, _state_endings(value.params)) if isinstance(value, Reason) else value


def _format_line(line: Reason, names: LogNames) -> str:
    """Return a line in words.

    The line that a private link wraps is a sentence of its own, not a part.
    """
    wrapped_line = line.params.get("line")
    if isinstance(wrapped_line, Reason):
        line = Reason(line.code, {**line.params, "line": format_reason(SECTION, wrapped_line, names)})
    return format_reason(SECTION, line, names)


def get_actor(entry: LogEntry) -> Param:
    """Return who did it.

    It is an account, a player by private link, or the stored text of anyone else.
    """
    if entry.user_id is not None:
        return Reference("user", entry.user_id)
    if entry.actor or entry.by_player is None:
        return format_coded_text(entry.actor) or Reason(DELETED_ACCOUNT)
    return Reference("player", entry.by_player)


def find_actor_code(entry: LogEntry) -> str:
    """Return the code of an actor without a name.

    This is a visitor or a deleted account. It is empty for others.
    """
    if entry.user_id is not None or entry.by_player is not None:
        return ""
    return find_text_code(entry.actor) if entry.actor else DELETED_ACCOUNT


class LogNames(EventNames):
    """Names in the log.

    An entry is named by its words, a deleted player by the names in the changes. `entries` are what other
    entries refer to, by id.
    """

    def __init__(self, *, players: Mapping[int, str] | None = None) -> None:
        super().__init__(players=players)
        self.entries: dict[int, Reason] = {}

    def _load(self, kind: str, keys: Collection[Any]) -> Mapping[Any, str]:
        if kind == "entry":
            return {pk: _format_line(self.entries[pk], self) for pk in keys if pk in self.entries}
        if kind != "player":
            return super()._load(kind, keys)
        names = super()._load(kind, keys)
        gone_ids = set(keys) - names.keys()
        return {**find_gone_players(gone_ids), **names} if gone_ids else names


def find_gone_players(ids: Collection[int]) -> dict[int, str]:
    """Return the names of players whose rows are gone, from the changes of the log.

    One query.
    """
    about = reduce(or_, (Q(about__contains=f" p{pk} ") for pk in ids))
    names: dict[int, str] = {}
    for changes in LogEntry.objects.filter(about, head=None).order_by("pk").values_list("changes", flat=True):
        for change in iter_row_changes(changes):
            if change.table == "player" and change.id in ids:
                names |= _names_in(change.id, change.before) | _names_in(change.id, change.after)
    return names


def _names_in(pk: int, values: Values | None) -> dict[int, str]:
    name = (values or {}).get("name")
    return {pk: str(name)} if name else {}
