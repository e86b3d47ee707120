"""The app of the events."""

from __future__ import annotations

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    """Events, players, rounds, cuts and everything that happens in the hall."""

    name = "tournament"
    verbose_name = "Events"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from decks import coming
        from tournament import signals
        from tournament.forms.words import say_plainly
        from tournament.selectors.coming import ComingEvents

        coming.register(ComingEvents())
        signals.connect()
        say_plainly()
