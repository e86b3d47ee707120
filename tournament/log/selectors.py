"""The event log with filters, what a step changed, and whom an undo plan touches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from decks.shared.wording import format_reason
from tournament.access.permissions import ALL_RIGHTS, Right
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.events.name_order import sort_players
from tournament.log.action_labels import format_action
from tournament.log.changes import iter_row_changes
from tournament.log.models import LogEntry
from tournament.log.row_words import RowDescriber, RowDescription
from tournament.log.undo_plan import UndoPlan
from tournament.log.visibility import can_read_table, is_hidden, list_hidden_actions
from tournament.log.wording import SECTION, LogNames, describe_actor, show_entries
from tournament.shared.names import make_name_key

PER_PAGE = 50

MAX_ROWS_SHOWN = 60

HIDDEN_TABLES = frozenset({"seat", "stageentrant"})


@dataclass(frozen=True, slots=True)
class LogFilter:
    """The filters of the log; empty for everything."""

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
    """Return a page of steps, newest first, each with its further lines.

    Ten queries at most. Steps that need more than these `rights` say only who did one. Raises InvalidPage.
    """
    entries = LogEntry.objects.filter(event=event)
    steps = _narrow(entries.filter(head=None), log_filter, list_hidden_actions(rights))
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
    """Return the steps of a page, as far as these rights allow.

    Each step comes with the lines that follow it.
    """
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
    """Return the choices of a filter by person: how it names them, and their names."""
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


def _narrow(
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
class StepDetail:
    """The changes of one step, in words; `more` rows are not shown."""

    rows: list[RowDescription]
    more: int


def describe_step(entry: LogEntry, rights: frozenset[Right] = ALL_RIGHTS) -> StepDetail:
    """Return what a step changed, as far as these rights go.

    A fixed number of queries, whatever its size.
    """
    changes = [
        change
        for change in iter_row_changes(entry.changes)
        if change.table not in HIDDEN_TABLES and can_read_table(change.table, rights)
    ]
    words = RowDescriber(entry.event, changes[:MAX_ROWS_SHOWN], rights)
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
    """Return what a plan changes and what cannot be undone.

    The changes are those to players, tables and rounds.
    """
    changes = [change for entry in plan.entries for change in iter_row_changes(entry.changes)]
    words = RowDescriber(plan.event, changes, rights)
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
