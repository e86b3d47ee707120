"""Signal receivers: raise the catalogue version, recheck lists after publishing.

The version rises here when rows are changed one by one, as the administration pages do. Bulk writes send no
signals; the services that make them raise the version themselves.
"""

from __future__ import annotations

from typing import Any

from django.db.models.signals import post_delete, post_save

from decks.catalogue.models import Card, CardSet, Printing
from decks.catalogue.services.catalogue import raise_version
from decks.editions.models import ListEdition
from decks.editions.services import edition_published
from decks.rechecks import services as rechecking


def _catalogue_row_changed(sender: type, instance: Card | CardSet | Printing, **kwargs: Any) -> None:
    raise_version(instance.game)


def _edition_published(sender: type, edition: ListEdition, **kwargs: Any) -> None:
    rechecking.start_recheck(edition, asked_by=edition.published_by)


def connect_signals() -> None:
    """Watch the three tables of the catalogue and the publishing of editions."""
    edition_published.connect(_edition_published, dispatch_uid="recheck_after_publishing")
    for model in (CardSet, Card, Printing):
        post_save.connect(
            _catalogue_row_changed, sender=model, dispatch_uid=f"catalogue_saved_{model.__name__}"
        )
        post_delete.connect(
            _catalogue_row_changed, sender=model, dispatch_uid=f"catalogue_deleted_{model.__name__}"
        )
