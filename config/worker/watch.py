"""Watch over this worker: it lives while it works, or while no job waits for it.

A worker has one process and shares no lock with another. If it takes nothing although jobs wait, or stays at
one task for longer than any job may take, it asks to be ended. If it is stopped as a whole, its heartbeats
stop too. Either way the supervisor of `bin/start`, or systemd, starts it again.
"""

from __future__ import annotations

import threading
import time
from typing import Any

import structlog
from celery import signals
from django.conf import settings
from django.db import DatabaseError, connection

from config.worker.notify import ALIVE, BROKEN, READY, notify, watchdog_seconds
from decks.jobs.queue import jobs_wait_for
from decks.jobs.worker import longest_job

log = structlog.get_logger(__name__)


class WorkerWatch:
    """The last activity of this worker, and its time."""

    def __init__(self) -> None:
        self.is_at_task = False
        self.changed_at = time.monotonic()

    def note_task(self, *, is_at_task: bool) -> None:
        """Note that a task begins or ends."""
        self.is_at_task = is_at_task
        self.changed_at = time.monotonic()

    def fault(self) -> str | None:
        """Return what is wrong with this worker, as a sentence.

        Returns None if it does its work.
        """
        seconds = time.monotonic() - self.changed_at
        if self.is_at_task:
            limit = longest_job().total_seconds()
            return f"The worker is at one task for {seconds:.0f} s." if seconds > limit else None
        if seconds <= settings.JOB_LEASE_SECONDS or not _jobs_wait():
            return None
        return f"The worker took nothing for {seconds:.0f} s while jobs wait."

    def run(self, seconds: float) -> None:
        """Send a heartbeat, several times in `seconds`, until there is a fault."""
        while (fault := self.fault()) is None:
            notify(ALIVE)
            time.sleep(seconds / 4)
        log.error("%s It ends, and is restarted.", fault)
        notify(BROKEN)


def _jobs_wait() -> bool:
    try:
        return jobs_wait_for(settings.JOB_LEASE_SECONDS)
    except DatabaseError:
        # Without the database no worker can take a job; another start would not help.
        return False
    finally:
        connection.close()


def connect() -> None:
    """Watch over the worker that this process becomes.

    This applies only if it becomes one and someone watches.
    """
    watch = WorkerWatch()

    def begin(**_: Any) -> None:
        notify(READY)
        watch.note_task(is_at_task=False)
        seconds = watchdog_seconds()
        if seconds is not None:
            threading.Thread(target=watch.run, args=(seconds,), name="watch", daemon=True).start()

    def note_begin(**_: Any) -> None:
        watch.note_task(is_at_task=True)

    def note_end(**_: Any) -> None:
        watch.note_task(is_at_task=False)

    signals.worker_ready.connect(begin, weak=False)
    signals.task_prerun.connect(note_begin, weak=False)
    signals.task_postrun.connect(note_end, weak=False)
