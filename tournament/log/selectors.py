"""The event log with filters, and the changes of one step in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db import models
from django.db.models import Q, QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext, pgettext

import rules
from decks.shared.wording import format_reason
from decks.submissions.models import DeckList, DeckVersion
from rules.rendering import translate_text
from tournament.access.permissions import ALL_RIGHTS, Right
from tournament.access.player_details import read_answers, readable_fields, translate_declared
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.name_order import sort_players
from tournament.events.settings import name_ending
from tournament.log.action_labels import format_action
from tournament.log.changes import RowChange, Values, iter_row_changes
from tournament.log.field_names import COLUMNS, TABLES
from tournament.log.models import LogEntry, get_table_model
from tournament.log.undo_plan import UndoPlan
from tournament.log.visibility import can_read_column, can_read_table, is_hidden, list_hidden_actions
from tournament.log.wording import SECTION, LogNames, describe_actor, show_entries
from tournament.shared.coded_texts import CODED_COLUMNS, format_coded_text
from tournament.shared.names import make_name_key

PER_PAGE = 50

MAX_ROWS_SHOWN = 60

HIDDEN_TABLES = frozenset({"seat", "stageentrant"})

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
class LogFilter:
    """What the log is narrowed to; empty for everything."""

    player: str = ""
    round: str = ""
    action: str = ""
    person: str = ""
    page: str = ""

    @property
    def is_narrow(self) -> bool:
        """Whether anything is left out."""
        return any((self.player, self.round, self.action, self.person))


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of the log with the choices of its filters."""

    page: Page[LogEntry]
    players: list[Player]
    rounds: list[Round]
    actions: list[tuple[str, str]]
    people: list[tuple[str, str]]


def get_log_page(event: Event, log_filter: LogFilter, rights: frozenset[Right] = ALL_RIGHTS) -> LogPage:
    """A page of steps, newest first, each with its further lines. Ten queries at most.

    Steps that need more than these `rights` say only who did one. Raises InvalidPage.
    """
    entries = LogEntry.objects.filter(event=event)
    steps = _narrowed(entries.filter(head=None), log_filter, list_hidden_actions(rights))
    steps = steps.select_related("undone_by")
    actions = entries.order_by("action").values_list("action", flat=True).distinct()
    page = Paginator(steps.defer("changes").prefetch_related("further"), PER_PAGE).page(log_filter.page or 1)
    people = _load_people(entries)
    players = sort_players(event, event.players.only("number", "name", "event_id"))
    names = LogNames(players={player.pk: player.name for player in players})
    names.collect(describe_actor(person) for person in people)
    page.object_list = _show_page(page.object_list, log_filter, rights, names)
    return LogPage(
        page=page,
        players=players,
        rounds=list(Round.objects.filter(stage__event=event).select_related("stage")),
        actions=[(action, format_action(action)) for action in actions],
        people=_list_people(people, names),
    )


def _show_page(
    entries: Iterable[LogEntry], log_filter: LogFilter, rights: frozenset[Right], names: LogNames
) -> list[LogEntry]:
    """The steps of a page as far as these rights go, with the lines that follow each."""
    steps = list(entries)
    further = [more for step in steps for more in step.further.all()]
    undone_by = [step.undone_by for step in steps if step.undone_by]
    show_entries([*steps, *further, *undone_by], rights, names=names)
    return [entry for entry in steps if not (log_filter.is_narrow and is_hidden(entry))]


ACCOUNT, PLAYER = "account-", "player-"


def _load_people(entries: QuerySet[LogEntry]) -> list[LogEntry]:
    """Return who did something, each as an entry that says so. One query."""
    rows = entries.order_by().values_list("user", "by_player", "actor").distinct()
    return [LogEntry(user_id=user, by_player=player, actor=text) for user, player, text in rows]


def _list_people(people: Iterable[LogEntry], names: LogNames) -> list[tuple[str, str]]:
    """The choices of a filter by person: how it names them, and their names."""
    choices = {_person_key(each): format_reason(SECTION, describe_actor(each), names) for each in people}
    return sorted(choices.items(), key=lambda choice: make_name_key(choice[1]))


def _person_key(entry: LogEntry) -> str:
    if entry.user_id is not None:
        return f"{ACCOUNT}{entry.user_id}"
    return entry.actor or (f"{PLAYER}{entry.by_player}" if entry.by_player is not None else "")


def _by_person(steps: QuerySet[LogEntry], person: str) -> QuerySet[LogEntry]:
    for prefix, column, others in (
        (ACCOUNT, "user", {}),
        (PLAYER, "by_player", {"user": None, "actor": ""}),
    ):
        number = person.removeprefix(prefix)
        if number != person and number.isdecimal():
            return steps.filter(**{column: min(int(number), 2**63 - 1)}, **others)
    return steps.filter(actor=person, user=None)


def _narrowed(
    steps: QuerySet[LogEntry], log_filter: LogFilter, hidden_actions: list[str]
) -> QuerySet[LogEntry]:
    if log_filter.is_narrow:
        # Whom a hidden step is about is hidden too.
        steps = steps.exclude(action__in=hidden_actions)
    for letter, number in (("p", log_filter.player), ("r", log_filter.round)):
        if number:
            steps = steps.filter(about__contains=f" {letter}{number} ")
    if log_filter.action:
        also = LogEntry.objects.filter(action=log_filter.action, head__isnull=False).values("head")
        steps = steps.filter(Q(action=log_filter.action) | Q(pk__in=also))
    return _by_person(steps, log_filter.person) if log_filter.person else steps


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


@dataclass(frozen=True, slots=True)
class StepDetail:
    """What one step changed, in words; `more` rows are not shown."""

    rows: list[RowDescription]
    more: int


def describe_step(entry: LogEntry, rights: frozenset[Right] = ALL_RIGHTS) -> StepDetail:
    """Return what a step changed, as far as these rights go. A fixed number of queries, whatever its size."""
    changes = [
        change
        for change in iter_row_changes(entry.changes)
        if change.table not in HIDDEN_TABLES and can_read_table(change.table, rights)
    ]
    words = _RowDescriber(entry.event, changes[:MAX_ROWS_SHOWN], rights)
    return StepDetail(
        [words.row(change) for change in changes[:MAX_ROWS_SHOWN]], max(0, len(changes) - MAX_ROWS_SHOWN)
    )


@dataclass(frozen=True, slots=True)
class PlanImpact:
    """Whom and what a plan touches."""

    players: list[str]
    tables: list[str]
    rounds: list[str]
    warnings: list[str]


def get_plan_impact(plan: UndoPlan, rights: frozenset[Right] = ALL_RIGHTS) -> PlanImpact:
    """Players, tables and rounds that change when a plan is carried out, and what cannot be taken back."""
    changes = [change for entry in plan.entries for change in iter_row_changes(entry.changes)]
    words = _RowDescriber(plan.event, changes, rights)
    hidden_actions = list_hidden_actions(rights)
    readable_entries = (entry for entry in plan.entries if entry.action not in hidden_actions)
    about = {word for entry in readable_entries for word in entry.about.split()}
    players = sorted(words.players[int(w[1:])] for w in about if w[0] == "p" and int(w[1:]) in words.players)
    matches = {c.key: c for c in changes if c.table == "match"}
    rounds = {c.key: c for c in changes if c.table == "round"}
    return PlanImpact(
        players=players,
        tables=words.list_titles(matches.values()),
        rounds=words.list_titles(rounds.values()),
        warnings=list(_warnings(plan)),
    )


def _warnings(plan: UndoPlan) -> Iterator[str]:
    actions = {entry.action for entry in plan.entries}
    if "round_published" in actions or "cut_made" in actions:
        yield gettext("Players have seen these pairings, and printouts may exist. Announce the change.")
    if "list_submitted" in actions:
        yield gettext(
            "Submitted versions stay in the history of the decklist. Only the version that counts changes."
        )
    if actions & {"player_registered", "player_added"}:
        yield gettext(
            "Sent emails cannot be undone. A private link does not work while its registration is removed."
        )


def _detail_text(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, Mapping):
        return "-".join(str(number) for number in value.values())
    return pgettext("answer", "yes") if value is True else str(value)


class _RowDescriber:
    """Says rows of an event as people do; everything that is needed is read once."""

    def __init__(self, event: Event, changes: Iterable[RowChange], rights: frozenset[Right]) -> None:
        self.event, self.rights = event, rights
        self.players = dict(Player.objects.filter(event=event).values_list("pk", "name"))
        self.owners = dict(Player.objects.filter(event=event).values_list("deck_list_id", "name"))
        self.rounds = {r.pk: r for r in Round.objects.filter(stage__event=event).select_related("stage")}
        self.stages = {s.pk: s for s in Stage.objects.filter(event=event)}
        change_list = list(changes)
        self.known: dict[tuple[str, int], Values] = {}
        for change in change_list:
            whole = change.before if change.after is None else change.after if change.before is None else {}
            self.known.setdefault(change.key, {}).update(whole or {})
            if change.table == "player" and whole:
                self.players.setdefault(change.id, str(whole.get("name", "")))
        match_ids = [change.id for change in change_list if change.table == "match"]
        for row in Match.objects.filter(pk__in=match_ids).values("id", "table", "p1_id", "p2_id", "round_id"):
            self.known.setdefault(("match", row["id"]), {}).update(row)

    def row(self, change: RowChange) -> RowDescription:
        """One row with its values."""
        did = "came" if change.before is None else "went" if change.after is None else "changed"
        return RowDescription(self.title(change), did, list(self._lines(change)))

    def title(self, change: RowChange) -> str:
        """Return what the row is."""
        values = self.known.get(change.key, {})
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
        """What rows of rounds and matches are, in the order of play; what is gone comes first."""
        return list(dict.fromkeys(map(self.title, sorted(changes, key=self._place))))

    def _place(self, change: RowChange) -> tuple[int, int, int]:
        """Stage, round and table of a row."""
        values = self.known.get(change.key, {})
        round_ = self.rounds.get(change.id if change.table == "round" else values.get("round_id") or 0)
        place = (0, 0) if round_ is None else (round_.stage.position, round_.number)
        return *place, values.get("table") or 0

    def _decklist(self, pk: int | None) -> str:
        owner = self.owners.get(pk or 0)
        return gettext("Decklist of %(player)s") % {"player": owner} if owner else gettext("A decklist")

    def _round(self, pk: int | None) -> str:
        round_ = self.rounds.get(pk or 0)
        number = round_.number if round_ else self.known.get(("round", pk or 0), {}).get("number")
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
            if not can_read_column(change.table, name, self.rights):
                continue
            if name == "details" and change.table in RESULT_TABLES:
                yield from self._result_details(before.get(name) or {}, after.get(name) or {})
                continue
            if name == "ending" and change.table in RESULT_TABLES:
                texts = [self._ending(values.get(name)) for values in (before, after)]
            elif (change.table, name) == NAME_OF_PLAYER and not before:
                # Only the step that corrected a name shows the one before.
                texts = ["–", self._player(change.id)]
            else:
                texts = [self._value(fields[name], values.get(name)) for values in (before, after)]
            if texts[0] != texts[1]:
                yield ValueChange(str(COLUMNS[name]), *texts)

    def _details(self, before: Any, after: Any) -> Iterator[ValueChange]:
        """The declared fields that changed, each on its own."""
        fields = readable_fields(self.event.game, self.rights)
        stored = (each if isinstance(each, dict) else {} for each in (before, after))
        for old, new in zip(*(read_answers(values, fields) for values in stored), strict=True):
            if old.value != new.value:
                yield ValueChange(translate_declared(old.field.label), old.text or "–", new.text or "–")

    def _result_details(
        self, before: Mapping[str, object], after: Mapping[str, object]
    ) -> Iterator[ValueChange]:
        """A line for each thing that the game asks about a result."""
        for field in rules.get_game(self.event.game).result_fields:
            texts = [_detail_text(values.get(field.key)) for values in (before, after)]
            if texts[0] != texts[1]:
                yield ValueChange(translate_text(field.label), *texts)

    def _ending(self, ending: str | None) -> str:
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
