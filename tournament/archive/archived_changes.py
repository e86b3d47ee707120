"""Checks of the lines of an archived log.

Anyone may have written them, and an undo would write what they say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias, TypeGuard

from django.core.exceptions import ValidationError
from django.db import models

from rules.reason import Reference, iter_references, params_from_json
from tournament.archive.tables import map_links, travelling_tables
from tournament.archive.values import clean_value
from tournament.log.models import get_table_model

ROW_KEYS = frozenset({"table", "id", "before", "after"})
BULK_KEYS = frozenset(
    {
        frozenset({"table", "columns", "created"}),
        frozenset({"table", "columns", "deleted"}),
        frozenset({"table", "columns", "ids", "before", "after"}),
    }
)
REFERENCE = re.compile(r"[pr]-?\d{1,9}", re.ASCII)

Columns: TypeAlias = "Mapping[str, models.Field[Any, Any]]"


def iter_params_references(params: Any) -> Iterator[Reference]:
    """Return what the parameters of an archived line refer to.

    Raises ValueError if they make no sense.
    """
    return iter_references(tuple(params_from_json(params).values()))


def get_number(reference: Reference) -> int:
    """Return the id or place by which a reference names something.

    Raises ValueError if it is none.
    """
    if not _is_whole(reference.key):
        raise ValueError(f"{reference.kind} {reference.key!r} is named by no number")
    return reference.key


def refuse_bad_lines(lines: Any) -> None:
    """Raise ValueError where a line names something that no event has.

    This is a table, column, row or value. The error gives its place.
    """
    checker = _Checker()
    for place, line in enumerate(_as_list(lines, "log")):
        checker.check_line(line, place, f"log[{place}]")


def _fail(at: str, why: str) -> NoReturn:
    raise ValueError(f"{at}: {why}")


def _as_list(value: Any, at: str) -> Sequence[Any]:
    return value if isinstance(value, list) else _fail(at, "is not a list")


def _is_whole(value: Any) -> TypeGuard[int]:
    return type(value) is int


class _Checker:
    def __init__(self) -> None:
        # Most values come many times: what was found to be right is not looked at again.
        self._valid_values: set[tuple[models.Field[Any, Any], type, Any]] = set()

    def check_line(self, line: Any, place: int, at: str) -> None:
        """Check what one line changed, which lines it names, and what it is about."""
        if not isinstance(line, dict):
            _fail(at, "is not an object")
        for index, change in enumerate(_as_list(line.get("changes", []), f"{at}.changes")):
            self.check_change(change, f"{at}.changes[{index}]")
        earlier = [line["head"]] if line.get("head") is not None else []
        for other in [*earlier, *_as_list(line.get("takes_back", []), f"{at}.takes_back")]:
            if not _is_whole(other) or not 0 <= other < place:
                _fail(at, "names a line that is not before it")
        later = line.get("undone_by")
        if later is not None and (not _is_whole(later) or later <= place):
            _fail(at, "is undone by a line that is not after it")
        self._check_facts(line, place, at)
        for word in _as_list(line.get("about", []), f"{at}.about"):
            if not isinstance(word, str) or not REFERENCE.fullmatch(word):
                _fail(f"{at}.about", "names neither a player nor a round")

    def _check_facts(self, line: Mapping[str, object], place: int, at: str) -> None:
        by_player = line.get("by_player")
        if by_player is not None and not _is_whole(by_player):
            _fail(f"{at}.by_player", "names no player")
        for reference in iter_params_references(line.get("params", {})):
            if reference.kind == "entry" and not (_is_whole(reference.key) and 0 <= reference.key < place):
                _fail(f"{at}.params", "refers to a line that is not before it")

    def check_change(self, change: Any, at: str) -> None:
        """Check one change: a row, or many rows of a table."""
        table = change.get("table") if isinstance(change, dict) else None
        if not isinstance(table, str) or table not in travelling_tables():
            _fail(at, "names no table of an event")
        fields = {field.attname: field for field in get_table_model(table)._meta.concrete_fields}
        if change.keys() == ROW_KEYS:
            self._check_row(change, fields, at)
        elif frozenset(change) in BULK_KEYS:
            self._check_rows(change, fields, at)
        else:
            _fail(at, "is no change of rows")

    def _check_row(self, change: Mapping[str, object], fields: Columns, at: str) -> None:
        if not _is_whole(change["id"]) or change["before"] is change["after"] is None:
            _fail(at, "names no row")
        for side in ("before", "after"):
            values = change[side]
            if values is not None and not isinstance(values, dict):
                _fail(f"{at}.{side}", "is not an object")
            for column, value in (values or {}).items():
                self._check_value(column, value, fields, at)

    def _check_rows(self, change: Mapping[str, object], fields: Columns, at: str) -> None:
        columns = _as_list(change["columns"], f"{at}.columns")
        if len(set(columns)) != len(columns) or ("ids" not in change and columns[:1] != ["id"]):
            _fail(f"{at}.columns", "does not name each column once")
        counts = set()
        for side in change.keys() & {"created", "deleted", "before", "after"}:
            rows = _as_list(change[side], f"{at}.{side}")
            counts.add(len(rows))
            for row in rows:
                if len(_as_list(row, f"{at}.{side}")) != len(columns):
                    _fail(f"{at}.{side}", "has a row with too many or too few values")
                for column, value in zip(columns, row, strict=True):
                    self._check_value(column, value, fields, at)
        ids = _as_list(change.get("ids", []), f"{at}.ids")
        if not all(map(_is_whole, ids)) or ("ids" in change and counts != {len(ids)}):
            _fail(f"{at}.ids", "does not name each row once")

    def _check_value(self, column: Any, value: Any, fields: Columns, at: str) -> None:
        field = fields.get(column) if isinstance(column, str) else None
        if field is None:
            _fail(at, "names no column of its table")
        if field.is_relation or field.primary_key:
            if not (_is_whole(value) or (value is None and field.null)):
                _fail(f"{at}.{column}", "names no row")
            if field.is_relation and column not in map_links(field.model):
                _fail(f"{at}.{column}", "leads out of the event")
            return
        if isinstance(value, str | int | bool | None):
            key = (field, type(value), value)
            if key in self._valid_values:
                return
            self._valid_values.add(key)
        try:
            clean_value(field, value)
        except ValidationError as error:
            _fail(f"{at}.{column}", "; ".join(error.messages))
