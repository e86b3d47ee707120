"""Every row of an event in its current state.

It is for tests that ask whether nothing else changed.
"""

from __future__ import annotations

import json
from typing import Any

from django.apps import apps

from decks.submissions.models import DeckList
from tournament.archive.export import export_event
from tournament.events.models.event import Event

NOT_STATE = {"attempt", "device", "event", "logentry", "retiredlink"}
COUNTERS = {"version", "revision"}


def state_of(event: Event) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of all tables of events by id, without counters.

    It includes which version of each list counts.
    """
    tables = apps.get_app_config("tournament").get_models()
    rows = {
        model._meta.model_name: _rows(model) for model in tables if model._meta.model_name not in NOT_STATE
    }
    rows["event"] = [row for row in _rows(Event) if row["id"] == event.pk]
    deck_list_ids = {row["deck_list_id"] for row in rows["player"]}
    rows["decklist"] = [row for row in _rows(DeckList) if row["id"] in deck_list_ids]
    return rows


def _rows(model: Any) -> list[dict[str, Any]]:
    names = [field.attname for field in model._meta.concrete_fields if field.attname not in COUNTERS]
    return list(model._default_manager.order_by("pk").values(*names))


def archive_of(event: Event) -> str:
    """Return the archive of an event as in a file.

    It is without its log and the numbers that rise with each step.
    """
    document = export_event(Event.objects.get(pk=event.pk))
    del document["log"]
    return json.dumps(_without_counters(document), default=str)


def _without_counters(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_counters(part) for name, part in value.items() if name not in COUNTERS}
    return [_without_counters(part) for part in value] if isinstance(value, list) else value
