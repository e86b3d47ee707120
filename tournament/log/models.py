"""Log entries of an event, and the tables whose rows they change."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import pgettext

from tournament.log.changes import Values


@dataclass(frozen=True, slots=True)
class EntryWords:
    """A line of the log in words, and who it is by."""

    sentence: str
    actor: str


class LogEntry(models.Model):
    """One line about one step.

    The first entry of a step carries `changes`: rows before and after. `action`, `variant` and `params` say
    what was done; `wording.show_entries` makes the sentence of them. Who did it is `user`, or `actor`, a text
    for someone without an account here, or else `by_player`, the id of the player whose private link was
    used; that may also come with the others. `takes_back` names the entries that an undo undid; each of those
    points to it with `undone_by`. `about` lists the players and rounds concerned as words (" p12 r3 "), for
    the filters of the log.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="log")
    at = models.DateTimeField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="event_changes",
    )
    by_player = models.BigIntegerField(null=True, blank=True, editable=False)
    actor = models.CharField(max_length=120, blank=True)
    action = models.CharField(max_length=40)
    variant = models.CharField(max_length=40, blank=True, default="")
    params = models.JSONField(default=dict, blank=True)
    reason = models.CharField(max_length=400, blank=True)
    changes = models.JSONField(default=list)
    head = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="further", editable=False
    )
    undone_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )
    takes_back = models.JSONField(default=list, editable=False)
    about = models.TextField(default="", blank=True, editable=False)

    words: EntryWords | None = None

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["event", "-id"], name="log_of_an_event")]

    def __str__(self) -> str:
        return self.code

    @property
    def code(self) -> str:
        """The code of the message: action and variant."""
        return f"{self.action}.{self.variant}" if self.variant else self.action

    @property
    def sentence(self) -> str:
        """The step, in words.

        Raises LookupError before `wording.show_entries` has read the names.
        """
        if self.words is None:
            raise LookupError("the entry was not put into words")
        return self.words.sentence

    @property
    def actor_name(self) -> str:
        """The person who made it. Raises LookupError as `sentence`."""
        if self.words is None:
            raise LookupError("the entry was not put into words")
        return self.words.actor

    @property
    def is_undo(self) -> bool:
        """Whether this step undid others."""
        return bool(self.takes_back)

    @property
    def is_redo(self) -> bool:
        """Whether this step redid an undone step."""
        return self.action == "redone"

    @property
    def undo_label(self) -> str:
        """Return the label of the button that reverses the step.

        An undo is redone, everything else is undone.
        """
        return pgettext("verb", "Redo") if self.is_undo and not self.is_redo else pgettext("verb", "Undo")


JSON_ENCODER = DjangoJSONEncoder()

SECRET_COLUMNS = frozenset({"token", "drawn"})

COUNTER_COLUMNS = frozenset({"version", "revision"})

SCRATCH_COLUMNS = frozenset({"ticks"})

UNLOGGED_COLUMNS = SECRET_COLUMNS | COUNTER_COLUMNS | SCRATCH_COLUMNS


def to_json_text(value: Any, *, sort_keys: bool = False) -> str:
    """Return the value as JSON text.

    Moments have microseconds, so that they are read back unchanged.
    """
    return json.dumps(value, default=_to_plain, sort_keys=sort_keys)


def to_json_values(value: Any) -> Any:
    """Return the value as JSON keeps it."""
    return json.loads(to_json_text(value))


def _to_plain(value: Any) -> Any:
    if isinstance(value, models.Model):
        return value.pk
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return JSON_ENCODER.default(value)


def get_row_values(row: models.Model, *, whole: bool = False) -> Values:
    """Return all stored values of a row except counters.

    Secret values are included only for a `whole` row, one that is deleted.
    """
    left_out = frozenset() if whole else UNLOGGED_COLUMNS
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if field.attname not in left_out
    }


# The tables whose rows belong to one event, by the names that changes use; a step writes no others.
EVENT_TABLES: Mapping[str, str] = {
    name: f"{app}.{name}"
    for app, names in (
        (
            "tournament",
            "event staffrole invitation retiredlink stage stageentrant player forbiddenpair round match seat "
            "resultreport clockentry timesettlement exchangecheck listnotice checkdraw deckcheck judgecall "
            "tableruling penalty embeddingsite addedcard buildclockentry podseating podseat",
        ),
        ("decks", "decklist deckversion rechecked ruling listanswer"),
    )
    for name in names.split()
}


@cache
def get_table_model(table: str) -> type[models.Model]:
    """Return the model of a table named in a change.

    Raises LookupError for a table that no event owns.
    """
    return apps.get_model(EVENT_TABLES[table])


@cache
def get_link_columns(model: type[models.Model], target_table: str) -> tuple[str, ...]:
    """Return the columns of a table that point to rows of the named other table."""
    return tuple(
        field.attname
        for field in model._meta.concrete_fields
        if field.related_model is not None and field.related_model._meta.model_name == target_table
    )


@cache
def get_subject_columns(model: type[models.Model]) -> tuple[tuple[str, str], ...]:
    """Return the columns that name players and rounds.

    Each comes with the letter of its words in `LogEntry.about`.
    """
    return tuple(
        (letter, column)
        for table, letter in (("player", "p"), ("round", "r"))
        for column in (("id",) if model._meta.model_name == table else get_link_columns(model, table))
    )


def get_subject_words(model: type[models.Model], values: Mapping[str, object]) -> Iterator[str]:
    """Yield the players and rounds that a row is about, as words of `LogEntry.about`."""
    for letter, column in get_subject_columns(model):
        if values.get(column) is not None:
            yield f"{letter}{values[column]}"
