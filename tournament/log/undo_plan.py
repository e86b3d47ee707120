"""Plan an undo: which later steps depend on a step, and the rows to restore.

Steps that were undone, and the undos that did it, cancel each other; what is left is in effect. A later step
in effect depends on an earlier one when it touched the same columns of the same rows, points to a row that
the earlier one made, is a result of a match whose players the earlier one changed, or is a pairing or a cut
that depends on the players and results before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext

from decks.shared.refusals import Refused
from tournament.access.permissions import Right, format_roles_with, get_rights_to_undo
from tournament.events.models.event import Event, Stage
from tournament.events.models.match_result import COUNTED, result_names
from tournament.events.models.round import Match, Round
from tournament.log.changes import RowChange, RowKey, Values, iter_row_changes
from tournament.log.models import EVENT_TABLES, LogEntry, get_link_columns, get_table_model
from tournament.log.wording import show_entry

FIRST_ACTIONS = frozenset({"event_created", "event_copied", "event_imported"})
STAFF_TABLES = frozenset({"staffrole", "invitation"})
LINKED_TABLES = ("player", "round", "match", "stage", "checkdraw", "deckcheck", "judgecall")
SEAT_COLUMNS = frozenset({"p1_id", "p2_id"})
PLAYED_COLUMNS = frozenset(result_names(COUNTED))
PAIRING_BASIS_COLUMNS = {
    "match": PLAYED_COLUMNS | SEAT_COLUMNS,
    "player": frozenset({"status", "dropped_after", "entered_round", "declined_cut"}),
}
ColumnSet = frozenset[str] | None


@dataclass(frozen=True, slots=True)
class CurrentRows:
    """The existing rounds and stages of an event, and the round of each match."""

    keys: frozenset[RowKey]
    rounds: Mapping[int, int]

    @classmethod
    def of(cls, event: Event) -> CurrentRows:
        """Read the rows as the database has them now. Three queries."""
        rounds = Round.objects.filter(stage__event=event).values_list("pk", flat=True)
        stages = Stage.objects.filter(event=event).values_list("pk", flat=True)
        matches = Match.objects.filter(round__stage__event=event).values_list("pk", "round_id")
        keys = frozenset({*(("round", pk) for pk in rounds), *(("stage", pk) for pk in stages)})
        return cls(keys, dict(matches))


@dataclass(slots=True)
class Footprint:
    """The rows and columns that some steps touched.

    None stands for all columns of an added or removed row.
    """

    changed_columns: dict[RowKey, ColumnSet] = field(default_factory=dict)
    created_rows: set[RowKey] = field(default_factory=set)
    points_to: set[RowKey] = field(default_factory=set)
    published_rounds: set[int] = field(default_factory=set)
    rounds_with_results: set[int] = field(default_factory=set)
    seated_matches: set[int] = field(default_factory=set)
    decided_matches: set[int] = field(default_factory=set)
    rested_on: bool = False
    rests: bool = False

    @classmethod
    def of(cls, entry: LogEntry, current_rows: CurrentRows) -> Footprint:
        """Return the footprint of one step."""
        footprint = cls()
        for change in iter_row_changes(entry.changes):
            footprint._add(change, current_rows)
        return footprint

    def _add(self, change: RowChange, current_rows: CurrentRows) -> None:
        self.changed_columns[change.key] = _join_columns(
            self.changed_columns.get(change.key, frozenset()), change.columns
        )
        if change.before is None:
            self.created_rows.add(change.key)
            self.rests |= change.key in current_rows.keys
        self.points_to.update(_targets(change))
        if change.columns is None:
            self.rested_on |= change.table == "player"
            return
        if change.table == "match" and change.columns & SEAT_COLUMNS:
            self.seated_matches.add(change.id)
        if change.table == "match" and change.columns & PLAYED_COLUMNS:
            self.decided_matches.add(change.id)
        if change.columns & PAIRING_BASIS_COLUMNS.get(change.table, frozenset()):
            self.rested_on = True
            if change.table == "match" and change.id in current_rows.rounds:
                self.rounds_with_results.add(current_rows.rounds[change.id])
        if change.table == "round" and (change.before or {}).get("state") == Round.State.DRAFT:
            self.published_rounds.add(change.id)

    def depends_on(self, earlier: Footprint) -> bool:
        """Return whether steps of this footprint depend on the earlier ones."""
        return (
            (self.rests and earlier.rested_on)
            or not self.rounds_with_results.isdisjoint(earlier.published_rounds)
            or not self.decided_matches.isdisjoint(earlier.seated_matches)
            or not self.points_to.isdisjoint(earlier.created_rows)
            or any(
                _overlap(columns, earlier.changed_columns.get(key))
                for key, columns in self.changed_columns.items()
                if key in earlier.changed_columns
            )
        )

    def merge(self, other: Footprint) -> None:
        """Join another footprint to this one."""
        for key, columns in other.changed_columns.items():
            self.changed_columns[key] = _join_columns(self.changed_columns.get(key, frozenset()), columns)
        self.created_rows |= other.created_rows
        self.published_rounds |= other.published_rounds
        self.seated_matches |= other.seated_matches
        self.rested_on |= other.rested_on


def _join_columns(one: ColumnSet, other: ColumnSet) -> ColumnSet:
    return None if one is None or other is None else one | other


def _overlap(one: ColumnSet, other: ColumnSet) -> bool:
    return one is None or other is None or bool(one & other)


def _targets(change: RowChange) -> Iterator[RowKey]:
    if change.table not in EVENT_TABLES:
        return
    model = get_table_model(change.table)
    values = change.after or {}
    for table in LINKED_TABLES:
        for column in get_link_columns(model, table):
            if values.get(column) is not None:
                yield table, values[column]


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """Steps to be undone together, newest first."""

    event: Event
    target: LogEntry
    entries: tuple[LogEntry, ...]

    @property
    def others(self) -> tuple[LogEntry, ...]:
        """The later steps that have to go too."""
        return tuple(entry for entry in self.entries if entry.pk != self.target.pk)

    @property
    def is_redo(self) -> bool:
        """Whether it restores what an undo removed."""
        return self.target.is_undo and not self.target.is_redo

    def describe_missing_rights(self, rights: frozenset[Right]) -> list[str]:
        """Return one sentence for each right that is missing to carry out the plan."""
        entries_by_right: dict[Right, LogEntry] = {}
        for entry in reversed(self.entries):
            changed_columns = ((change.table, change.columns) for change in iter_row_changes(entry.changes))
            for right in sorted(get_rights_to_undo(changed_columns) - rights):
                entries_by_right.setdefault(right, entry)
        return [
            gettext("%(step)s This can be undone only by %(roles)s.")
            % {"step": entry.sentence, "roles": format_roles_with(right)}
            for right, entry in entries_by_right.items()
        ]

    @property
    def mark(self) -> str:
        """Names exactly these steps, so that a page that shows others is found to be old."""
        return "-".join(str(entry.pk) for entry in (self.entries[0], self.target)) + f"-{len(self.entries)}"


def plan_undo(event: Event, entry: LogEntry) -> UndoPlan:
    """Return the step and every later one that depends on it.

    Raises Refused when there is nothing to undo.
    """
    target = entry.head or entry
    _refuse_impossible(target)
    later_entries = list(iter_steps_in_effect(event, target.pk + 1))
    current_rows = CurrentRows.of(event)
    undone_footprint = Footprint.of(target, current_rows)
    chosen_entries = [target]
    older = _taken_back_from_before(later_entries, target, current_rows)
    for candidate in later_entries:
        footprints = older.get(candidate.pk) if candidate.is_undo else [Footprint.of(candidate, current_rows)]
        if any(footprint.depends_on(undone_footprint) for footprint in footprints or ()):
            undone_footprint.merge(Footprint.of(candidate, current_rows))
            chosen_entries.append(candidate)
    return UndoPlan(event, target, tuple(reversed(chosen_entries)))


def _refuse_impossible(target: LogEntry) -> None:
    if target.undone_by is not None:
        raise Refused("already_taken_back.by", actor=show_entry(target.undone_by).actor_name)
    if target.action in FIRST_ACTIONS:
        raise Refused("the_beginning_stays")
    if not target.changes and not target.takes_back:
        raise Refused("nothing_to_take_back")


def iter_steps_in_effect(event: Event, first: int) -> Iterator[LogEntry]:
    """Yield the steps in effect from an entry on, oldest first.

    These are the steps that changed something and were not undone.
    """
    rows = LogEntry.objects.filter(event=event, pk__gte=first, head=None, undone_by=None).order_by("pk")
    for entry in rows:
        if entry.changes and entry.action not in FIRST_ACTIONS:
            yield entry


def _taken_back_from_before(
    later_entries: Iterable[LogEntry], target: LogEntry, current_rows: CurrentRows
) -> dict[int, list[Footprint]]:
    """Return for each later undo the footprints of the older steps it undid.

    These are the steps older than the target.
    """
    undo_by_entry = {pk: undo.pk for undo in later_entries for pk in undo.takes_back if pk < target.pk}
    footprints: dict[int, list[Footprint]] = {}
    for entry in LogEntry.objects.filter(event=target.event_id, pk__in=undo_by_entry):
        footprints.setdefault(undo_by_entry[entry.pk], []).append(Footprint.of(entry, current_rows))
    return footprints


def plan_restore(event: Event, stage: int, number: int) -> UndoPlan:
    """Return all steps since before a round was first paired.

    Roles and invitations of people stay. Raises Refused when there is no such round.
    """
    first = _first_of_round(event, stage, number)
    chosen_entries = [
        entry
        for entry in iter_steps_in_effect(event, first.pk)
        if not (entry.is_undo and min(entry.takes_back) > first.pk) and not _is_about_people(entry)
    ]
    return UndoPlan(event, first, tuple(reversed(chosen_entries)))


def _first_of_round(event: Event, stage: int, number: int) -> LogEntry:
    stages: set[int] = set()
    for entry in iter_steps_in_effect(event, 0):
        if (
            entry.is_undo
        ):  # it writes rows of older steps again; where those are in effect they speak themselves
            continue
        for change in iter_row_changes(entry.changes):
            values = change.after or {}
            if change.before is None and change.table == "stage" and values["position"] == stage:
                stages.add(change.id)
            if (
                change.before is None
                and change.table == "round"
                and values["stage_id"] in stages
                and values["number"] == number
            ):
                return entry
    raise Refused("no_such_round", number=number)


def _is_about_people(entry: LogEntry) -> bool:
    return all(change["table"] in STAFF_TABLES for change in entry.changes)


@dataclass(slots=True)
class RowTargets:
    """The target state of rows and the current state it requires (None for no row)."""

    target_values: dict[RowKey, Values | None] = field(default_factory=dict)
    expected_values: dict[RowKey, Values | None] = field(default_factory=dict)

    @classmethod
    def from_plan(cls, plan: UndoPlan) -> RowTargets:
        """Walk the plan's steps backwards."""
        targets = cls()
        for entry in plan.entries:
            for change in reversed(list(iter_row_changes(entry.changes))):
                targets._walk(change)
        return targets

    def _walk(self, change: RowChange) -> None:
        key = change.key
        if change.after is None:
            self.expected_values.setdefault(key, None)
            self.target_values[key] = dict(change.before or {})
            return
        if key not in self.expected_values:
            self.expected_values[key] = {}
        if change.before is None:
            self.target_values[key] = None
            return
        expected_values = self.expected_values[key]
        target = self.target_values.get(key)
        if target is None:
            target = self.target_values[key] = {}
        for column, value in change.after.items():
            if expected_values is not None and column not in target:
                expected_values[column] = value
        target.update(change.before)
