"""Columns of one game that results had before `details`, in the changes of a log, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

OLD_COLUMNS: Mapping[str, Any] = {"quickenings": None, "quickenings_declined": False}

OLD_LABELS = ("Quickenings in play", "The winner declines them")

Values = dict[str, Any]
Fold = Callable[[int, Values], Values]


def fold_details(values: Mapping[str, Any]) -> Values:
    """The details of a result that has old columns: only what was answered."""
    return {name: values[name] for name, empty in OLD_COLUMNS.items() if values.get(name, empty) != empty}


def unfold_details(details: Mapping[str, Any]) -> Values:
    """The old columns of a result that has details."""
    return {name: details.get(name, empty) for name, empty in OLD_COLUMNS.items()}


class ChangeFolder:
    """Folds the changes of one event's log, given in their order.

    A change names the columns that changed; the other one is known from the changes before.
    """

    def __init__(self) -> None:
        self._known: dict[int, Values] = {}

    def fold(self, change: Mapping[str, Any]) -> Mapping[str, Any]:
        """The change with `details` in the place of the old columns."""
        return _convert(change, self._fold_row) if change["table"] == "match" else change

    def _fold_row(self, pk: int, values: Values) -> Values:
        if not OLD_COLUMNS.keys() & values.keys():
            return values
        known = self._known.setdefault(pk, dict(OLD_COLUMNS))
        known.update({name: values[name] for name in OLD_COLUMNS if name in values})
        others = {name: value for name, value in values.items() if name not in OLD_COLUMNS}
        return {**others, "details": fold_details(known)}


def unfold_change(change: Mapping[str, Any]) -> Mapping[str, Any]:
    """The change with the old columns in the place of `details`, which reports did not have."""
    if change["table"] not in ("match", "resultreport"):
        return change
    is_match = change["table"] == "match"
    return _convert(change, lambda _, values: _unfold_row(values, is_match=is_match))


def _unfold_row(values: Values, *, is_match: bool) -> Values:
    if "details" not in values:
        return values
    others = {name: value for name, value in values.items() if name != "details"}
    return {**others, **unfold_details(values["details"])} if is_match else others


def _convert(change: Mapping[str, Any], convert: Fold) -> Mapping[str, Any]:
    """A change of one row, or of many rows of a table, with its rows converted."""
    if "columns" not in change:
        sides = {side: change[side] and convert(change["id"], change[side]) for side in ("before", "after")}
        return {**change, **sides}
    columns, converted = change["columns"], dict(change)
    for side in ("created", "deleted", "before", "after"):
        if side in change:
            named = (dict(zip(change["columns"], row, strict=True)) for row in change[side])
            ids = change.get("ids") or [row[0] for row in change[side]]
            rows = [convert(pk, values) for pk, values in zip(ids, named, strict=True)]
            columns = list(rows[0]) if rows else columns
            converted[side] = [[row[name] for name in columns] for row in rows]
    return {**converted, "columns": columns}


def fold_log_params(value: Any) -> Any:
    """Parameters of a log line in which a result says its details, not what only one game had."""
    if isinstance(value, list):
        return [fold_log_params(each) for each in value]
    if not isinstance(value, dict):
        return value
    folded = {name: fold_log_params(each) for name, each in value.items()}
    if folded.get("code") != "result" or not isinstance(folded.get("params"), dict):
        return folded
    params = dict(folded["params"])
    number, is_declined = params.pop("quickenings", 0), params.pop("declined", False)
    details = (
        [{"code": "result_detail", "params": {"label": OLD_LABELS[0], "number": number}}] if number else []
    )
    if number and is_declined:
        details.append({"code": "result_detail.yes", "params": {"label": OLD_LABELS[1]}})
    return {**folded, "params": {"has_details": bool(details), "details": details, **params}}
