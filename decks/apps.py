"""The app of the catalogue, the lists and the background jobs."""

from __future__ import annotations

from django.apps import AppConfig


class DecksConfig(AppConfig):
    """Catalogue of cards, submitted lists and the table of background jobs."""

    name = "decks"
    verbose_name = "Cards and decklists"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from decks import signals
        from decks.access import groups

        signals.connect()
        groups.connect(self)
