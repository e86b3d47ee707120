"""Celery tasks of the job queue."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from celery import shared_task
from django.conf import settings

from decks.jobs import queue
from decks.jobs.worker import perform


@shared_task(name="decks.run_job")
def run_job(job_id: str) -> None:
    """Do the job with this id, unless it is done or taken."""
    perform(UUID(job_id))


@shared_task(name="decks.sweep_jobs")
def sweep_jobs() -> None:
    """Take back lost jobs and repeat lost hints."""
    queue.sweep()


@shared_task(name="decks.forget_jobs")
def forget_jobs() -> None:
    """Delete jobs that no one asks for any more."""
    queue.delete_old_jobs(older_than=timedelta(days=settings.JOB_KEEP_DAYS))
