"""Own values of rows as an archive carries them, and back."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext

from tournament.archive.column_values import refuse_unreadable
from tournament.events.models.event import FIRST_YEAR, LAST_YEAR
from tournament.log.changes import Values

EXCLUDED_FIELDS = {
    "id", "version", "created_at", "archived_at", "exported_version", "changes", "takes_back", "about",
}  # fmt: skip


def own_fields(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    """Return the fields of a table with values of their own, not links to other rows."""
    return [f for f in model._meta.concrete_fields if not f.is_relation and f.name not in EXCLUDED_FIELDS]


def own_values(row: models.Model) -> Values:
    """Return a row's own values, times as ISO 8601 text."""
    return {f.name: _to_json_value(getattr(row, f.attname)) for f in own_fields(type(row))}


def _to_json_value(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def clean_value(field: models.Field[Any, Any], archived_value: Any) -> Any:
    """Return the value for a field, checked as a form would.

    Raises ValidationError or Refused for a wrong one.
    """
    refuse_unreadable(field, archived_value)
    try:
        value = field.clean(archived_value, None)
    except ValidationError as error:
        # A text that people must fill in, Ringside itself may leave empty; one of several values it may not.
        if getattr(error, "code", "") == "blank" and not field.choices:
            return field.to_python(archived_value)
        raise
    if isinstance(value, date) and not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise ValidationError(gettext("does not fit this column"), code="year_out_of_range")
    return value
