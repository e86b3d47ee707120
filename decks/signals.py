"""Raises the catalogue's version when rows are changed one by one, as the administration pages do.

Bulk writes send no signals; the services that make them raise the version themselves.
"""

from __future__ import annotations

from typing import Any

from django.db.models.signals import post_delete, post_save

from decks.models import Card, CardSet, Printing
from decks.services.catalogue import raise_version


def _changed(sender: type, instance: Card | CardSet | Printing, **kwargs: Any) -> None:
    raise_version(instance.game)


def connect() -> None:
    """Watch the three tables of the catalogue."""
    for model in (CardSet, Card, Printing):
        post_save.connect(_changed, sender=model, dispatch_uid=f"catalogue_saved_{model.__name__}")
        post_delete.connect(_changed, sender=model, dispatch_uid=f"catalogue_deleted_{model.__name__}")
