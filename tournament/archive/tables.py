"""The tables whose rows travel in an archive, and the links between them."""

from __future__ import annotations

from functools import cache

from django.db import models

from tournament.events.models.event import Event
from tournament.log.models import EVENT_TABLES, get_table_model

# Rows that stay on their installation: roles of accounts, links, and notices of rechecks.
TABLES_LEFT_OUT = frozenset(
    {
        "staffrole",
        "invitation",
        "retiredlink",
        "listnotice",
        "rechecked",
        "ruling",
        "listanswer",
        "embeddingsite",
    }
)

# Links that do not say what a row is, so that rows are not put in order by them.
UNSORTED_LINKS = {"player": {"deck_list_id"}, "decklist": {"current_id", "created_at", "locked_at"}}


@cache
def travelling_tables() -> frozenset[str]:
    """Return the tables that the changes of an archived log may name.

    The event's own table is among them.
    """
    return frozenset(EVENT_TABLES) - TABLES_LEFT_OUT


@cache
def list_archived_models() -> tuple[type[models.Model], ...]:
    """Return every table of an event whose rows an archive carries, parents first."""
    models_left = [get_table_model(name) for name in EVENT_TABLES if name in travelling_tables() - {"event"}]
    ordered_models: list[type[models.Model]] = []
    while models_left:
        ready = [m for m in models_left if not any(target in models_left for _, target in parent_links(m))]
        ordered_models += ready or models_left
        models_left = [m for m in models_left if m not in ordered_models]
    return tuple(ordered_models)


def parent_links(model: type[models.Model]) -> list[tuple[str, type[models.Model]]]:
    """Return the links of a table to others that say what a row is, by column."""
    left_out = UNSORTED_LINKS.get(str(model._meta.model_name), set())
    return [
        (field.attname, field.related_model)
        for field in model._meta.concrete_fields
        if field.related_model is not None
        and field.attname not in left_out
        and field.related_model is not model
    ]


@cache
def map_links(model: type[models.Model]) -> dict[str, str]:
    """Return the columns of a table that point to rows of an archive.

    Each has the name of the table that it points to.
    """
    archived_models = (*list_archived_models(), Event)
    return {
        field.attname: str(field.related_model._meta.model_name)
        for field in model._meta.concrete_fields
        if field.related_model is not None and field.related_model in archived_models
    }
