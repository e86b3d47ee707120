"""Celery tasks of the job queue."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from uuid import UUID

import structlog
from celery import shared_task
from django.conf import settings
from django.db import OperationalError

from decks.jobs import queue
from decks.jobs.worker import perform
from decks.shared.disk import is_disk_full

log = structlog.get_logger(__name__)


@contextmanager
def one_line_on_a_full_disk() -> Iterator[None]:
    """Log a full disk in one line.

    A traceback every two seconds would need disk space as well.
    """
    try:
        yield
    except (OperationalError, OSError) as error:
        if not is_disk_full(error):
            raise
        log.error("The disk is full: jobs wait until there is room.")


@shared_task(name="decks.run_job")
def run_job(job_id: str) -> None:
    """Do the job with this id, unless it is done or taken."""
    with one_line_on_a_full_disk():
        perform(UUID(job_id))


@shared_task(name="decks.sweep_jobs")
def sweep_jobs() -> None:
    """Reclaim lost jobs and repeat lost hints."""
    with one_line_on_a_full_disk():
        queue.sweep()


@shared_task(name="decks.forget_jobs")
def forget_jobs() -> None:
    """Delete jobs that no one asks for any more."""
    queue.delete_old_jobs(older_than=timedelta(days=settings.JOB_KEEP_DAYS))
