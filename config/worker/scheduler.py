"""The scheduler, which sends a heartbeat with each look at its schedule."""

from __future__ import annotations

from typing import Any

from celery.beat import Scheduler as CeleryScheduler

from config.worker.notify import READY, notify


class Scheduler(CeleryScheduler):
    """Celery's scheduler, watched by its supervisor.

    It keeps no file that could fill a disk or break.
    """

    def tick(self, *args: Any, **options: Any) -> float:
        """Send what is due; returns the seconds until something is due again."""
        pause: float = super().tick(*args, **options)
        notify(READY)
        return pause
