"""Import players from CSV: plan each line, then apply the plan as one step."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from django.utils.translation import gettext, gettext_lazy, pgettext

from decks.jobs.models import Job
from decks.jobs.queue import enqueue
from decks.shared.json_shapes import Published
from decks.shared.refusals import Conflict, Refused
from rules.reason import reason
from tournament.access.permissions import ALL_RIGHTS, Actor, Right, format_roles_with
from tournament.access.player_details import list_fields
from tournament.brackets.services import stages
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.log.step import Recorder, step
from tournament.pairing.services import player_facts
from tournament.pairing.services.draft_repair import FieldChange, keep_draft
from tournament.registration.detail_cells import describe_changes, find_changed
from tournament.registration.fields import merge_details
from tournament.registration.player_csv import CsvPlayer, PlayerCsv
from tournament.registration.services import entry as entry_services
from tournament.registration.services import validation, waiting_list
from tournament.registration.services.entry import RegistrationEntry
from tournament.registration.services.player_cells import COLUMN_LABELS, PlayerCells, read_player_cells
from tournament.registration.services.validation import BEFORE_START
from tournament.shared.text import fold_name

LineKind = Literal["add", "change", "same", "refused"]
# As readers want them: first what is refused, then what changes.
KINDS_BY_URGENCY: tuple[LineKind, ...] = ("refused", "change", "add", "same")


@dataclass(frozen=True, slots=True)
class PlannedLine(Published):
    """What would happen to one line.

    Somebody new is written by `entry` and `values`, a known `player` by `values` and `details`.
    """

    PUBLISHED = {
        "line": "line_number",
        "kind": "kind",
        "name": "name",
        "changes": "changes",
        "problems": "problem_messages",
    }
    line_number: int
    kind: LineKind
    name: str
    values: Mapping[str, object] = field(default_factory=dict)
    details: Mapping[str, object] | None = None
    entry: RegistrationEntry | None = None
    player: Player | None = None
    problems: tuple[Refused, ...] = ()

    @property
    def number(self) -> int | None:
        """The number of the known player."""
        return self.player.number if self.player else None

    @property
    def problem_messages(self) -> list[str]:
        """The reasons for the refusal, in words."""
        return [problem.message for problem in self.problems]

    @property
    def columns(self) -> dict[str, object]:
        """The columns that are written."""
        return dict(self.values) if self.details is None else {**self.values, "details": self.details}

    @property
    def replaced(self) -> dict[str, object]:
        """The values of the known player that the columns take the place of."""
        return {name: getattr(self.player, name) for name in self.columns} if self.player else {}

    @property
    def changes(self) -> list[str]:
        """Return what would change, in words."""
        if self.player is None or self.kind != "change":
            return []
        columns = [
            gettext("%(column)s: %(before)s → %(after)s")
            % {
                "column": COLUMN_LABELS[name],
                "before": _format_value(getattr(self.player, name)),
                "after": _format_value(value),
            }
            for name, value in self.values.items()
        ]
        if self.details is None:
            return columns
        fields = list_fields(self.player.event.game)
        return [*columns, *describe_changes(self.player.details, self.details, fields)]


def _format_value(value: object) -> str:
    if isinstance(value, list):
        return " + ".join(value) or "–"
    if isinstance(value, bool):
        return pgettext("answer", "yes") if value else pgettext("answer", "no")
    return "–" if value in (None, "") else str(value)


# By whether lines add, change, or are refused.
BUTTON_WORDS = {
    (True, True, True): gettext_lazy("Add %(add)s, change %(change)s, leave %(refused)s out"),
    (True, True, False): gettext_lazy("Add %(add)s, change %(change)s"),
    (True, False, True): gettext_lazy("Add %(add)s, leave %(refused)s out"),
    (True, False, False): gettext_lazy("Add %(add)s"),
    (False, True, True): gettext_lazy("Change %(change)s, leave %(refused)s out"),
    (False, True, False): gettext_lazy("Change %(change)s"),
}


@dataclass(frozen=True, slots=True)
class PlayerImportPlan:
    """What an import would do, line by line, with a `fingerprint` of it."""

    lines: tuple[PlannedLine, ...]

    def of(self, kind: LineKind) -> list[PlannedLine]:
        """The lines of one kind."""
        return [line for line in self.lines if line.kind == kind]

    @property
    def by_urgency(self) -> list[PlannedLine]:
        """The lines for a reader: first what is refused, then what changes, each in the order of the file."""
        return [line for kind in KINDS_BY_URGENCY for line in self.of(kind)]

    @property
    def counts(self) -> dict[str, int]:
        """How many lines of each kind."""
        return {kind: len(self.of(kind)) for kind in get_args(LineKind)}

    @property
    def words(self) -> str:
        """Return what its button does: “Add 3, change 2, leave 1 out”; empty where it does nothing."""
        counts = self.counts
        is_done = (counts["add"] > 0, counts["change"] > 0, counts["refused"] > 0)
        return str(BUTTON_WORDS.get(is_done, "")) % counts

    @property
    def fingerprint(self) -> str:
        """Differs as soon as anything would happen otherwise."""
        line_facts = [
            (
                line.line_number,
                line.kind,
                line.player and line.player.number,
                line.replaced,
                line.entry,
                line.columns,
            )
            for line in self.lines
        ]
        return hashlib.sha256(repr(line_facts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


IMPORT_JOB_KIND = "import_players"

# So many lines are written at the press of the button; a longer table is a background job.
LINES_AT_ONCE = 200


FINGERPRINT = re.compile(r"[0-9a-f]{32}", re.ASCII)


def request_player_import(event: Event, actor: Actor, text: str, mark: str) -> Job:
    """The job that imports a table of which the plan with this mark was looked at; pressed twice, one job."""
    payload = {"event": event.pk, "user": actor.user.pk if actor.user else None, "text": text, "mark": mark}
    return enqueue(IMPORT_JOB_KIND, payload, key=f"{event.pk}/{mark}", requested_by=actor.label)


def plan_player_import(
    event: Event, table: PlayerCsv, rights: frozenset[Right] = ALL_RIGHTS
) -> PlayerImportPlan:
    """Return what each line would do for somebody with these rights. Writes nothing. Two queries."""
    reader = _ImportPlanner(event, rights)
    return PlayerImportPlan(tuple(reader.planned(line) for line in table.lines))


def run_player_import(
    event: Event,
    actor: Actor,
    table: PlayerCsv,
    rights: frozenset[Right] = ALL_RIGHTS,
    *,
    seen: str | None = None,
) -> PlayerImportPlan:
    """Add and change the players of a table as one step; refused lines are left out, and returned.

    `seen` is the mark of the plan that was looked at: Conflict when something else would happen by now.
    """
    with step(event, actor) as recorder:
        now = plan_player_import(recorder.event, table, rights)
        if seen is not None and seen != now.fingerprint:
            raise Conflict("import_changed_meanwhile")
        counts = now.counts
        if counts["add"] or counts["change"]:
            recorder.log(
                "players_imported", added=counts["add"], changed=counts["change"], refused=counts["refused"]
            )
            _change_players(recorder, now.of("change"))
            _add_players(recorder, now.of("add"))
            keep_draft(recorder, reason("players_imported"), _field_change(now))
    return now


def _field_change(plan: PlayerImportPlan) -> FieldChange:
    lines = [line for line in plan.lines if line.kind in ("add", "change")]
    return FieldChange(
        values={name for line in lines for name in line.values},
        at_tables=[line.player.pk for line in lines if line.player and "fixed_table" in line.values],
    )


def _change_players(recorder: Recorder, lines: list[PlannedLine]) -> None:
    """Write what changes, with a statement for all players of whom the same columns change."""
    changes: dict[tuple[str, ...], dict[int, PlannedLine]] = {}
    for line in lines:
        if line.player is not None:
            changes.setdefault(tuple(line.columns), {})[line.player.pk] = line
    for same_columns in changes.values():
        recorder.update_all(
            Player,
            {pk: line.columns for pk, line in same_columns.items()},
            current_rows={pk: line.player for pk, line in same_columns.items() if line.player},
        )


def _add_players(recorder: Recorder, lines: list[PlannedLine]) -> None:
    if not lines:
        return
    stages.refuse_late_entry(recorder.event)
    entries = [(line.entry, line.values) for line in lines if line.entry is not None]
    players = entry_services.create_players(recorder, entries)
    if recorder.event.phase == Event.Phase.SWISS:
        for player in players:
            entry_services.enter_late(recorder, player, entry_services.MISSED_AS_LOSS)


class _ImportPlanner:
    """Knows who is registered, and what earlier lines of the file say."""

    def __init__(self, event: Event, rights: frozenset[Right]) -> None:
        self.event, self.rights = event, rights
        self.fields = list_fields(event.game)
        self.players = list(event.players.exclude(status=Player.Status.WITHDRAWN).order_by("number"))
        self.by_email = {p.email.casefold(): p for p in self.players if p.email}
        self.by_name: dict[str, list[Player]] = {}
        for player in self.players:
            for name in (player.name, *player.members):
                self.by_name.setdefault(fold_name(name), []).append(player)
        self.tables = {p.fixed_table: p.name for p in self.players if p.fixed_table and not p.is_dropped}
        self.used: dict[tuple[str, str | int], int] = {}
        self.closed = self._closed()
        self.free = waiting_list.free_places(event) if event.phase not in BEFORE_START else None

    def _closed(self) -> tuple[Refused, ...]:
        try:
            stages.refuse_late_entry(self.event)
        except Refused as refusal:
            return tuple(refusal.problems)
        return ()

    def planned(self, line: CsvPlayer) -> PlannedLine:
        """Return what would happen to a line."""
        cells, problems = read_player_cells(line, self.fields)
        player = self._known(cells)
        problems += self._twice(line, cells, player)
        planned = self._new(line, cells) if player is None else self._changed(line, cells, player)
        if player is None:
            problems += self._problems_of_new(cells)
        else:
            problems += self._problems_of_known(player, cells, planned.values)
        problems += self._fact_problems(planned, cells)
        if problems:
            return replace(
                planned, kind="refused", values={}, details=None, entry=None, problems=tuple(problems)
            )
        return planned

    def _new(self, line: CsvPlayer, cells: PlayerCells) -> PlannedLine:
        return PlannedLine(line.line_number, "add", cells.name, cells.facts, entry=cells.entry)

    def _changed(self, line: CsvPlayer, cells: PlayerCells, player: Player) -> PlannedLine:
        values = {name: value for name, value in cells.columns.items() if getattr(player, name) != value}
        changed = find_changed(player.details, cells.details, self.fields)
        details = merge_details(self.event, player.details, changed) if changed else None
        kind: LineKind = "change" if values or changed else "same"
        return PlannedLine(line.line_number, kind, cells.name, values, details, player=player)

    def _known(self, cells: PlayerCells) -> Player | None:
        """Find the player of a line: by email, or by a unique name."""
        by_email = self.by_email.get(cells.email.casefold()) if cells.email else None
        if by_email is not None or cells.is_namesake:
            return by_email or self._numbered(cells)
        namesakes = [p for p in self.by_name.get(fold_name(cells.name), []) if _has_name(p, cells.name)]
        if len(namesakes) != 1:
            return self._numbered(cells)
        return None if cells.email and namesakes[0].email else namesakes[0]

    def _numbered(self, cells: PlayerCells) -> Player | None:
        """By number, where the name agrees: as in a table that Ringside wrote."""
        return next(
            (p for p in self.players if str(p.number) == cells.number and _has_name(p, cells.name)), None
        )

    def _twice(self, line: CsvPlayer, cells: PlayerCells, player: Player | None) -> list[Refused]:
        keys: list[tuple[str, str | int]] = [("email", cells.email.casefold())] if cells.email else []
        keys += [("player", player.pk)] if player else []
        if not player and not cells.is_namesake:
            keys += [("name", fold_name(name)) for name in (cells.name, *cells.members)]
        first = next((self.used[key] for key in keys if key in self.used), None)
        for key in keys:
            self.used.setdefault(key, line.line_number)
        if first is None:
            return []
        return [Refused("twice_in_file", first=first)]

    def _problems_of_new(self, cells: PlayerCells) -> list[Refused]:
        problems = [*self.closed, *validation.name_problems(cells.name)]
        problems += validation.email_syntax_problems(cells.email)
        problems += validation.character_problems(cells.character)
        problems += validation.team_problems(self.event, cells.members)
        names = () if cells.is_namesake else (cells.name, *cells.members)
        namesakes = {p.number: p for name in names for p in self.by_name.get(fold_name(name), [])}
        problems += [validation.same_name_refusal(player) for player in namesakes.values()]
        if self.free is not None and not problems:
            if self.free == 0:
                problems.append(Refused("event_full.import", capacity=self.event.capacity))
            else:
                self.free -= 1
        return problems

    def _problems_of_known(
        self, player: Player, cells: PlayerCells, changed: Mapping[str, object]
    ) -> Iterator[Refused]:
        if "email" in changed:
            if Right.LINKS not in self.rights:
                yield Refused("email_is_fixed", field="email", roles=format_roles_with(Right.LINKS))
            yield from validation.email_syntax_problems(cells.email)
        if "members" in changed:
            yield from validation.team_problems(self.event, cells.members)
        if "character" in changed:
            yield from validation.character_problems(cells.character)
            if player.character and self.event.phase not in validation.OPEN_PHASES:
                yield validation.fixed_character_refusal(self.event)

    def _fact_problems(self, planned: PlannedLine, cells: PlayerCells) -> Iterator[Refused]:
        yield from player_facts.list_value_problems(dict(planned.values))
        table = cells.numbers["fixed_table"] if "fixed_table" in planned.values else None
        if table is None:
            return
        player, table_holder = planned.player, self.tables.get(table)
        if table_holder is not None and (player is None or table_holder != player.name):
            yield Refused("table_is_fixed.import", table=table, table_holder=table_holder)
        self.tables.setdefault(table, player.name if player else cells.name)


def _has_name(player: Player, name: str) -> bool:
    return fold_name(player.name) == fold_name(name)
