"""The background worker's application; it finds the tasks of every room."""

from __future__ import annotations

import os
from pkgutil import iter_modules
from typing import Any

from celery import Celery, signals

import decks
import tournament
from config.worker import file_messages

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def list_rooms() -> list[str]:
    """Return the rooms of both apps.

    Those with background jobs have a module `tasks`.
    """
    return [
        f"{package.__name__}.{room.name}"
        for package in (decks, tournament)
        for room in iter_modules(package.__path__)
        if room.ispkg
    ]


file_messages.use()
app = Celery("ringside")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(list_rooms)


@signals.worker_init.connect
def watch_worker(**_: Any) -> None:
    """Watch over the worker, only now: what it needs of Django is ready."""
    from config.worker import watch

    watch.connect()
