"""App configuration: register messages, hooks and signal receivers."""

from __future__ import annotations

from pathlib import Path

from django.apps import AppConfig
from django.utils.translation import get_language

from rules.rendering import register_messages, set_language_source
from rules.wording import SOURCE_LANGUAGE


class TournamentConfig(AppConfig):
    """Events, players, rounds, cuts and everything that happens in the venue."""

    name = "tournament"
    verbose_name = "Events"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        register_messages(Path(__file__).parent)
        set_language_source(lambda: get_language() or SOURCE_LANGUAGE)
        _register_hooks()
        _connect_receivers()


def _register_hooks() -> None:
    """Let lower rooms call rooms that they may not import."""
    from decks.rechecks.upcoming import register_source
    from tournament.access.player_details import DECLARATIONS
    from tournament.decklists.services.rechecks import UpcomingEvents, watch_terms
    from tournament.leagues.services import unmark_removed_registrations
    from tournament.log.services import BEFORE_DELETE_HOOKS, SETTINGS_CHECKS
    from tournament.log.step import CHANGE_WATCHERS
    from tournament.registration import fields
    from tournament.setup.services.events import refuse_invalid_settings

    register_source(UpcomingEvents())
    DECLARATIONS.append(lambda: fields.FIELDS)
    CHANGE_WATCHERS.append(watch_terms)
    SETTINGS_CHECKS.append(refuse_invalid_settings)
    BEFORE_DELETE_HOOKS.append(
        lambda deleted_rows, actor: unmark_removed_registrations(deleted_rows.get("player", []), actor)
    )


def _connect_receivers() -> None:
    from tournament.accounts import services as accounts

    accounts.connect_signals()
