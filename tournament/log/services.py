"""Undo and redo steps, and roll an event back to before a round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from django.db import IntegrityError, connection, models, transaction

from decks.shared.refusals import Conflict, Refused
from rules.reason import Param, Reference, params_from_json
from tournament.access.permissions import Actor
from tournament.events.models.event import Event, StaffRole
from tournament.log.bulk_rows import free_unique_values
from tournament.log.changes import Values
from tournament.log.models import LogEntry, get_row_values, get_table_model, to_json_values
from tournament.log.ownership import refuse_foreign_rows, refuse_unknown_tables
from tournament.log.step import Recorder, step
from tournament.log.undo_plan import RowTargets, UndoPlan, plan_restore, plan_undo
from tournament.log.wording import TARGET

Model = type[models.Model]
Rows = dict[int, Values]
# Rows outside the log of an event that point to deleted rows are released first.
BEFORE_DELETE_HOOKS: list[Callable[[Mapping[str, Sequence[int]], Actor], None]] = []
# Each raises Refused if the settings that an undo brings back make no sense.
SETTINGS_CHECKS: list[Callable[[Event], None]] = []


def undo_step(entry: LogEntry, actor: Actor, *, reason: str = "", seen_mark: str | None = None) -> LogEntry:
    """Undo a step with all later ones that depend on it.

    Undoing an undo redoes the step. `seen_mark` is the mark of the plan that the page showed; when others
    would go now, Conflict is raised. Returns the new entry. Raises Refused when the step cannot be undone;
    then nothing is changed.
    """
    with step(entry.event, actor) as recorder:
        current_entry = LogEntry.objects.select_related("head", "undone_by").get(pk=entry.pk)
        plan = plan_undo(recorder.event, current_entry)
        _take_back(recorder, plan, seen_mark)
        recorder.log(_undo_code(plan), reason=reason, step=_reference_to(plan.target), later=len(plan.others))
    return recorder.get_entry()


def roll_back_event(
    event: Event, actor: Actor, *, stage: int, number: int, reason: str = "", seen_mark: str | None = None
) -> LogEntry:
    """Restore the event to its state before a round.

    This is one step that can itself be undone. Roles, invitations and private links stay. Returns the new
    entry. Raises as `undo_step` does.
    """
    with step(event, actor) as recorder:
        plan = plan_restore(recorder.event, stage, number)
        _take_back(recorder, plan, seen_mark)
        recorder.log("restored", reason=reason, stage=stage, number=number, steps=len(plan.entries))
    return recorder.get_entry()


def _undo_code(plan: UndoPlan) -> str:
    if plan.is_redo:
        return "redone"
    return "undone.again" if plan.target.is_redo else "undone"


def _reference_to(target: LogEntry) -> Param:
    """Return the step that is undone and redone, however often."""
    original = params_from_json(target.params).get(TARGET) if target.is_undo else None
    return original or Reference("entry", target.pk)


def _take_back(recorder: Recorder, plan: UndoPlan, seen_mark: str | None) -> None:
    if seen_mark is not None and seen_mark != plan.mark:
        raise Conflict("log_changed_meanwhile")
    targets = RowTargets.from_plan(plan)
    refuse_unknown_tables(targets.target_values)
    current_rows = _get_current_rows(targets)
    refuse_foreign_rows(recorder.event, targets.target_values, current_rows)
    _refuse_changed(targets, current_rows)
    try:
        with transaction.atomic():
            _write(recorder, targets, current_rows)
            _refuse_invalid_event(recorder.event, targets)
    except IntegrityError as error:
        raise Refused("place_taken") from error
    _refuse_without_owner(recorder.event)
    recorder.takes_back = [entry.pk for entry in plan.entries]
    recorder.about.update(word for entry in plan.entries for word in entry.about.split())
    recorder.afterwards.append(lambda entry: _mark(plan.entries, entry))


def _refuse_invalid_event(event: Event, targets: RowTargets) -> None:
    """Refuse an event in an archive that can never have existed.

    Its settings are such that no page could show them.
    """
    if ("event", event.pk) in targets.target_values:
        for check_settings in SETTINGS_CHECKS:
            check_settings(Event.objects.get(pk=event.pk))


def _get_current_rows(targets: RowTargets) -> dict[str, dict[int, models.Model]]:
    ids: dict[str, list[int]] = defaultdict(list)
    for table, pk in targets.target_values:
        ids[table].append(pk)
    return {table: get_table_model(table)._base_manager.in_bulk(pks) for table, pks in ids.items()}


def _refuse_changed(targets: RowTargets, current_rows: dict[str, dict[int, models.Model]]) -> None:
    """Refuse where the current rows are not as the log says: something would be lost."""
    for (table, pk), values in targets.expected_values.items():
        row = current_rows[table].get(pk)
        if (row is None) != (values is None) or (row is not None and not _agrees(row, values or {})):
            raise Conflict("changed_since.row", table=table, row=str(row) if row else None)


def _agrees(row: models.Model, values: Values) -> bool:
    current_values = to_json_values({name: getattr(row, name) for name in values if hasattr(row, name)})
    return all(current_values.get(name) == value for name, value in values.items() if name in current_values)


def _write(recorder: Recorder, targets: RowTargets, current_rows: dict[str, dict[int, models.Model]]) -> None:
    deleted_ids, changed_rows, restored_rows = _sort_targets(targets, current_rows)
    for run_hook in BEFORE_DELETE_HOOKS:
        run_hook(deleted_ids, recorder.actor)
    for table, pks in deleted_ids.items():
        _remove(recorder, get_table_model(table), pks, remaining_rows=changed_rows)
    for table, rows in changed_rows.items():
        _change(recorder, get_table_model(table), rows, current_rows[table])
    for table, rows in restored_rows.items():
        recorder.bring_back(get_table_model(table), list(rows.values()))
    changed_tables = {get_table_model(table)._meta.db_table for table in (*changed_rows, *restored_rows)}
    connection.check_constraints(table_names=sorted(changed_tables | _children(deleted_ids)))


def _sort_targets(
    targets: RowTargets, current_rows: dict[str, dict[int, models.Model]]
) -> tuple[dict[str, list[int]], dict[str, Rows], dict[str, Rows]]:
    """Return ids that go, rows that change, rows that come back; by table."""
    deleted_ids: dict[str, list[int]] = defaultdict(list)
    changed_rows: dict[str, Rows] = defaultdict(dict)
    restored_rows: dict[str, Rows] = defaultdict(dict)
    for (table, pk), values in targets.target_values.items():
        row = current_rows[table].get(pk)
        if values is None:
            if row is not None:
                deleted_ids[table].append(pk)
        elif row is None:
            restored_rows[table][pk] = values
        elif different := _difference(row, values):
            changed_rows[table][pk] = different
    return deleted_ids, changed_rows, restored_rows


def _difference(row: models.Model, values: Values) -> Values:
    current_values = to_json_values(get_row_values(row))
    fields = {field.attname: field for field in row._meta.concrete_fields}
    return {
        name: fields[name].to_python(value)
        for name, value in values.items()
        if name in current_values and current_values[name] != value
    }


def _remove(
    recorder: Recorder, model: Model, pks: Iterable[int], *, remaining_rows: Mapping[str, Rows]
) -> None:
    """Delete rows and the rows depending on them that no step recorded.

    Rows that will point elsewhere are kept.
    """
    ids = list(pks)
    for relation in _relations(model):
        child = relation.field.model
        if relation.on_delete is models.CASCADE and child is not LogEntry:
            dependent_rows = child._base_manager.filter(**{f"{relation.field.name}__in": ids})
            remaining_children = remaining_rows.get(str(child._meta.model_name), {})
            children = [
                pk for pk in dependent_rows.values_list("pk", flat=True) if pk not in remaining_children
            ]
            if children:
                _remove(recorder, child, children, remaining_rows=remaining_rows)
    recorder.remove(model._base_manager.filter(pk__in=ids))


def _change(recorder: Recorder, model: Model, rows: Rows, current_rows: dict[int, models.Model]) -> None:
    free_unique_values(model, rows)
    if any(field.name == "revision" for field in model._meta.concrete_fields):
        for pk, values in rows.items():
            # A counter rises: old pages must be seen to be old.
            values["revision"] = vars(current_rows[pk])["revision"] + 1
    rows_by_columns: dict[tuple[str, ...], Rows] = defaultdict(dict)
    for pk, values in rows.items():
        rows_by_columns[tuple(sorted(values))][pk] = values
    for group in rows_by_columns.values():
        recorder.update_all(model, group, current_rows=current_rows)


def _children(deleted_ids: dict[str, list[int]]) -> set[str]:
    relations = (relation for table in deleted_ids for relation in _relations(get_table_model(table)))
    return {relation.field.model._meta.db_table for relation in relations}


def _relations(model: Model) -> list[models.ManyToOneRel]:
    """Return the relations by which other rows point to those of a table.

    This includes relations without a name on this side.
    """
    fields = model._meta.get_fields(include_hidden=True)
    return [field for field in fields if isinstance(field, models.ManyToOneRel)]


def _refuse_without_owner(event: Event) -> None:
    if not event.staff.filter(kind=StaffRole.Kind.OWNER).exists():
        raise Refused("owner_needed.undo")


def _mark(entries: Sequence[LogEntry], undo_entry: LogEntry) -> None:
    """Mark which steps are out of effect now.

    What an undo had undone is in effect again.
    """
    _set_out(
        [entry.pk for entry in entries], [pk for entry in entries for pk in entry.takes_back], undo_entry.pk
    )


def _set_out(ids: list[int], undone_ids: list[int], undo_id: int) -> None:
    # Oldest first: a later one may have undone again what an earlier one had brought back.
    for entry in LogEntry.objects.filter(pk__in=undone_ids).only("takes_back").order_by("pk"):
        LogEntry.objects.filter(pk=entry.pk).update(undone_by=None)
        _set_out_of(entry)
    LogEntry.objects.filter(pk__in=ids).update(undone_by=undo_id)


def _set_out_of(undo_again: LogEntry) -> None:
    """Put what an undo undid out of effect again, once the undo is in effect again."""
    undone_entries = list(LogEntry.objects.filter(pk__in=undo_again.takes_back).only("takes_back"))
    if undone_entries:
        further = [pk for entry in undone_entries for pk in entry.takes_back]
        _set_out([entry.pk for entry in undone_entries], further, undo_again.pk)
