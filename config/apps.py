"""The wiring as an app, so that its checks run."""

from __future__ import annotations

from contextlib import suppress

from django.apps import AppConfig
from django.conf import settings


class WiringConfig(AppConfig):
    """The configuration app.

    It registers the checks of the configuration and makes the folders that messages travel through.
    """

    name = "config"
    label = "wiring"
    verbose_name = "Wiring"

    def ready(self) -> None:
        """Import the checks, which registers them, and make the folders."""
        from config.env import broker

        # If that is not allowed, the check of the data folder reports it.
        with suppress(OSError):
            broker.make_folders(settings.CELERY_BROKER_TRANSPORT_OPTIONS)
