"""App configuration: register hooks and signal receivers."""

from __future__ import annotations

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    """Events, players, rounds, cuts and everything that happens in the hall."""

    name = "tournament"
    verbose_name = "Events"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from decks.rechecks import upcoming as coming
        from tournament import signals
        from tournament.decklists.services import rechecks as list_terms
        from tournament.decklists.services.rechecks import UpcomingEvents
        from tournament.leagues import services as leagues_services
        from tournament.log import services as undo
        from tournament.log import step as recorder
        from tournament.shared.form_words import say_plainly

        coming.register_source(UpcomingEvents())
        recorder.CHANGE_WATCHERS.append(list_terms.watch_terms)
        undo.BEFORE_DELETE_HOOKS.append(
            lambda gone, actor: leagues_services.unmark_removed_registrations(gone.get("player", []), actor)
        )
        signals.connect()
        say_plainly()
