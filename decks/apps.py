"""App configuration of cards and decklists.

It covers messages, groups and signal receivers.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig

from rules.rendering import register_messages

if TYPE_CHECKING:
    from decks.catalogue.models import Card, CardSet, Printing
    from decks.editions.models import ListEdition


class DecksConfig(AppConfig):
    """Catalogue of cards, submitted lists and the table of background jobs."""

    name = "decks"
    verbose_name = "Cards and decklists"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        register_messages(Path(__file__).parent)
        from decks.access import connect_groups
        from decks.catalogue.services.catalogue import catalogue_changed
        from decks.editions.services import edition_published
        from decks.shared.form_messages import use_own_messages

        edition_published.connect(_recheck_lists, dispatch_uid="recheck_after_publishing")
        catalogue_changed.connect(_recheck_game, dispatch_uid="recheck_after_catalogue")
        _watch_catalogue()
        connect_groups(self)
        use_own_messages()


def _recheck_lists(sender: type, edition: ListEdition, **kwargs: Any) -> None:
    from decks.rechecks.services import start_recheck

    start_recheck(edition, asked_by=edition.published_by)


def _recheck_game(sender: type, game: str, **kwargs: Any) -> None:
    from decks.rechecks.services import start_catalogue_recheck

    start_catalogue_recheck(game)


def _watch_catalogue() -> None:
    """Raise the catalogue version when rows change one by one.

    The administration pages change rows in this way. Bulk writes send no signals; the services that make them
    raise the version themselves.
    """
    from django.db.models.signals import post_delete, post_save

    from decks.catalogue.models import Card, CardSet, Printing

    for model in (CardSet, Card, Printing):
        name = model.__name__
        post_save.connect(_raise_version, sender=model, dispatch_uid=f"catalogue_saved_{name}")
        post_delete.connect(_raise_version, sender=model, dispatch_uid=f"catalogue_deleted_{name}")


def _raise_version(sender: type, instance: Card | CardSet | Printing, **kwargs: Any) -> None:
    from decks.catalogue.services.catalogue import raise_version

    raise_version(instance.game)
