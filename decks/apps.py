"""Django app configuration of cards and decklists."""

from __future__ import annotations

from django.apps import AppConfig


class DecksConfig(AppConfig):
    """Catalogue of cards, submitted lists and the table of background jobs."""

    name = "decks"
    verbose_name = "Cards and decklists"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from decks import access, signals

        signals.connect_signals()
        access.connect_groups(self)
