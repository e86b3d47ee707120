"""The wiring as an app, so that its checks run."""

from __future__ import annotations

from django.apps import AppConfig


class WiringConfig(AppConfig):
    """Registers the checks of the configuration."""

    name = "config"
    label = "wiring"
    verbose_name = "Wiring"

    def ready(self) -> None:
        """Import the checks, which registers them."""
        from config import checks  # noqa: F401 - imported for its registrations
