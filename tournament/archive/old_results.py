"""Conversion of columns of one game that results had before `details`.

It applies to the changes of a log, and goes back as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournament.log.changes import ChangeData, Values, convert_rows

OLD_COLUMNS: Mapping[str, object] = {"quickenings": None, "quickenings_declined": False}

OLD_LABELS = ("Quickenings in play", "The winner declines them")


def fold_details(values: Mapping[str, object]) -> Values:
    """Return the details of a result that has old columns: only what was answered."""
    return {name: values[name] for name, empty in OLD_COLUMNS.items() if values.get(name, empty) != empty}


def unfold_details(details: Mapping[str, object]) -> Values:
    """Return the old columns of a result that has details."""
    return {name: details.get(name, empty) for name, empty in OLD_COLUMNS.items()}


class ChangeFolder:
    """Folds the changes of one event's log, given in their order.

    A change names the columns that changed; the other one is known from the changes before.
    """

    def __init__(self) -> None:
        self._values_by_row: dict[int, Values] = {}

    def fold(self, change: ChangeData) -> ChangeData:
        """Return the change with `details` in place of the old columns."""
        return convert_rows(change, self._fold_row) if change["table"] == "match" else change

    def _fold_row(self, pk: int, values: Values) -> Values:
        if not OLD_COLUMNS.keys() & values.keys():
            return values
        row_values = self._values_by_row.setdefault(pk, dict(OLD_COLUMNS))
        row_values.update({name: values[name] for name in OLD_COLUMNS if name in values})
        others = {name: value for name, value in values.items() if name not in OLD_COLUMNS}
        return {**others, "details": fold_details(row_values)}


def unfold_change(change: ChangeData) -> ChangeData:
    """Return the change with the old columns in place of `details`.

    Reports did not have `details`.
    """
    if change["table"] not in ("match", "resultreport"):
        return change
    is_match = change["table"] == "match"
    return convert_rows(change, lambda _, values: _unfold_row(values, is_match=is_match))


def _unfold_row(values: Values, *, is_match: bool) -> Values:
    if "details" not in values:
        return values
    others = {name: value for name, value in values.items() if name != "details"}
    return {**others, **unfold_details(values["details"])} if is_match else others


def fold_log_params(value: Any) -> Any:
    """Return log parameters in which a result has its details.

    They replace what only one game had.
    """
    if isinstance(value, list):
        return [fold_log_params(each) for each in value]
    if not isinstance(value, dict):
        return value
    folded_params = {name: fold_log_params(each) for name, each in value.items()}
    if folded_params.get("code") != "result" or not isinstance(folded_params.get("params"), dict):
        return folded_params
    params = dict(folded_params["params"])
    number, is_declined = params.pop("quickenings", 0), params.pop("declined", False)
    details = (
        [{"code": "result_detail", "params": {"label": OLD_LABELS[0], "number": number}}] if number else []
    )
    if number and is_declined:
        details.append({"code": "result_detail.yes", "params": {"label": OLD_LABELS[1]}})
    return {**folded_params, "params": {"has_details": bool(details), "details": details, **params}}
