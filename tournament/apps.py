"""The app of the events."""

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
        from tournament.decklists.selectors.upcoming import ComingEvents
        from tournament.decklists.services import terms as list_terms
        from tournament.leagues.services import leagues
        from tournament.log import services as undo
        from tournament.log import step as recorder
        from tournament.shared.form_words import say_plainly

        coming.register(ComingEvents())
        recorder.WATCHES.append(list_terms.watch)
        undo.BEFORE_ROWS_GO.append(lambda gone, actor: leagues.let_go(gone.get("player", []), actor))
        signals.connect()
        say_plainly()
