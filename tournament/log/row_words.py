"""Rows that a step changed, in words: what each is, and its old and new values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models
from django.utils.formats import date_format
from django.utils.translation import gettext, pgettext

import rules
from decks.submissions.models import DeckList, DeckVersion
from rules.rendering import translate_text
from tournament.access.permissions import Right
from tournament.access.player_details import read_answers, readable_fields, translate_declared
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.settings import name_ending
from tournament.log.changes import RowChange, Values
from tournament.log.field_names import COLUMNS, TABLES
from tournament.log.models import get_table_model
from tournament.log.visibility import can_read_column
from tournament.shared.coded_texts import CODED_COLUMNS, format_coded_text

HIDDEN_COLUMNS = frozenset({
    "id", "event_id", "round_id", "stage_id", "match_id", "lot", "seed", "pairing", "why", "reasons",
    "digest", "token", "folded_name", "session_key", "selection", "drawn", "created_by_id", "revision",
    "deck_list_id",
})  # fmt: skip

# The column of answers at registration; who may read it differs from field to field.
DETAILS = ("player", "details")
NAME_OF_PLAYER = ("player", "name")

RESULT_TABLES = frozenset({"match", "resultreport"})


@dataclass(frozen=True, slots=True)
class ValueChange:
    """One value before and after."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RowDescription:
    """One row of a step: what it is, whether it came or went, and its values."""

    title: str
    did: str
    lines: list[ValueChange]


def _detail_text(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, Mapping):
        return "-".join(str(number) for number in value.values())
    return pgettext("answer", "yes") if value is True else str(value)


class RowDescriber:
    """Says rows of an event as people do; everything that is needed is read once."""

    def __init__(self, event: Event, changes: Iterable[RowChange], rights: frozenset[Right]) -> None:
        self.event, self.rights = event, rights
        self.players = dict(Player.objects.filter(event=event).values_list("pk", "name"))
        self.owners = dict(Player.objects.filter(event=event).values_list("deck_list_id", "name"))
        self.rounds = {r.pk: r for r in Round.objects.filter(stage__event=event).select_related("stage")}
        self.stages = {s.pk: s for s in Stage.objects.filter(event=event)}
        change_list = list(changes)
        self.values_by_row: dict[tuple[str, int], Values] = {}
        for change in change_list:
            whole = change.before if change.after is None else change.after if change.before is None else {}
            self.values_by_row.setdefault(change.key, {}).update(whole or {})
            if change.table == "player" and whole:
                self.players.setdefault(change.id, str(whole.get("name", "")))
        match_ids = [change.id for change in change_list if change.table == "match"]
        for row in Match.objects.filter(pk__in=match_ids).values("id", "table", "p1_id", "p2_id", "round_id"):
            self.values_by_row.setdefault(("match", row["id"]), {}).update(row)

    def row(self, change: RowChange) -> RowDescription:
        """Return one row with its values."""
        did = "came" if change.before is None else "went" if change.after is None else "changed"
        return RowDescription(self.title(change), did, list(self._lines(change)))

    def title(self, change: RowChange) -> str:
        """Return what the row is."""
        values = self.values_by_row.get(change.key, {})
        titles: dict[str, Callable[[], str]] = {
            "event": lambda: gettext("The event"),
            "player": lambda: self.players.get(change.id, gettext("A player")),
            "round": lambda: self._round(change.id),
            "match": lambda: self._match(values),
            "decklist": lambda: self._decklist(change.id),
            "resultreport": lambda: (
                gettext("Report of %(player)s") % {"player": self._player(values.get("player_id"))}
            ),
            "stage": lambda: gettext("Part of the event"),
        }
        title = titles.get(change.table)
        return title() if title else str(TABLES[change.table])

    def list_titles(self, changes: Iterable[RowChange]) -> list[str]:
        """Return the names of rows of rounds and matches in the order of play.

        Rows that are deleted come first.
        """
        return list(dict.fromkeys(map(self.title, sorted(changes, key=self._place))))

    def _place(self, change: RowChange) -> tuple[int, int, int]:
        """Return stage, round and table of a row."""
        values = self.values_by_row.get(change.key, {})
        round_ = self.rounds.get(change.id if change.table == "round" else values.get("round_id") or 0)
        place = (0, 0) if round_ is None else (round_.stage.position, round_.number)
        return *place, values.get("table") or 0

    def _decklist(self, pk: int | None) -> str:
        owner = self.owners.get(pk or 0)
        return gettext("Decklist of %(player)s") % {"player": owner} if owner else gettext("A decklist")

    def _round(self, pk: int | None) -> str:
        round_ = self.rounds.get(pk or 0)
        number = round_.number if round_ else self.values_by_row.get(("round", pk or 0), {}).get("number")
        if round_ is not None and round_.stage.is_elimination:
            return gettext("Cut, round %(number)s") % {"number": number}
        if number:
            return gettext("Round %(number)s") % {"number": number}
        return gettext("A deleted round")

    def _match(self, values: Values) -> str:
        players = {
            "round": self._round(values.get("round_id")),
            "table": values.get("table") or "–",
            "one": self._player(values.get("p1_id")),
            "two": self._player(values.get("p2_id")) if values.get("p2_id") else gettext("no opponent"),
        }
        return gettext("%(round)s, table %(table)s: %(one)s vs. %(two)s") % players

    def _player(self, pk: int | None) -> str:
        return self.players.get(pk or 0, gettext("a player"))

    def _lines(self, change: RowChange) -> Iterator[ValueChange]:
        before, after = change.before or {}, change.after or {}
        fields = {field.attname: field for field in get_table_model(change.table)._meta.concrete_fields}
        for name in {**before, **after}:
            if name in HIDDEN_COLUMNS or name not in fields:
                continue
            if (change.table, name) == DETAILS:
                yield from self._details(before.get(name), after.get(name))
                continue
            is_new_name = (change.table, name) == NAME_OF_PLAYER and not before
            if not is_new_name and not can_read_column(change.table, name, self.rights):
                continue
            if name == "details" and change.table in RESULT_TABLES:
                yield from self._result_details(before.get(name) or {}, after.get(name) or {})
                continue
            if name == "ending" and change.table in RESULT_TABLES:
                texts = [self._describe_ending(values.get(name)) for values in (before, after)]
            elif is_new_name:
                # Only the step that corrected a name shows the one before.
                texts = ["–", self._player(change.id)]
            else:
                texts = [self._value(fields[name], values.get(name)) for values in (before, after)]
            if texts[0] != texts[1]:
                yield ValueChange(str(COLUMNS[name]), *texts)

    def _details(self, before: Any, after: Any) -> Iterator[ValueChange]:
        """Yield the declared fields that changed, each on its own."""
        fields = readable_fields(self.event.game, self.rights)
        stored_values = (each if isinstance(each, dict) else {} for each in (before, after))
        for old, new in zip(*(read_answers(values, fields) for values in stored_values), strict=True):
            if old.value != new.value:
                yield ValueChange(translate_declared(old.field.label), old.text or "–", new.text or "–")

    def _result_details(
        self, before: Mapping[str, object], after: Mapping[str, object]
    ) -> Iterator[ValueChange]:
        """Yield a line for each thing that the game asks about a result."""
        for field in rules.get_game(self.event.game).result_fields:
            texts = [_detail_text(values.get(field.key)) for values in (before, after)]
            if texts[0] != texts[1]:
                yield ValueChange(translate_text(field.label), *texts)

    def _describe_ending(self, ending: str | None) -> str:
        return "–" if ending is None else name_ending(self.event, ending)

    def _value(self, field: models.Field[Any, Any], value: Any) -> str:
        if field.choices and value in (choice_labels := dict(field.flatchoices)):
            return str(choice_labels[value])
        if value is None or value in ("", {}, []):
            return "–"
        if isinstance(field, models.BooleanField):
            return pgettext("answer", "yes") if value else pgettext("answer", "no")
        if isinstance(field, models.DateTimeField):
            at = datetime.fromisoformat(value).astimezone(self.event.zone)
            return f"{date_format(at, 'DATE_FORMAT')}, {at:%H:%M:%S}"
        if isinstance(field, models.JSONField):
            return pgettext("value", "set")
        if field.is_relation:
            return self._link(field, value)
        return format_coded_text(value) if field.name in CODED_COLUMNS.values() else str(value)

    def _link(self, field: models.Field[Any, Any], value: int) -> str:
        target = field.related_model
        if target is Player:
            return self._player(value)
        if target is Round:
            return self._round(value)
        if target is DeckVersion:
            number = DeckVersion.objects.filter(pk=value).values_list("number", flat=True).first()
            return gettext("version %(number)s") % {"number": number} if number else gettext("a version")
        if target is DeckList:
            return gettext("another list")
        return gettext("no. %(number)s") % {"number": value}
