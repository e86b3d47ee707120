"""`manage.py runjobs`: do the waiting jobs here and now, without a worker."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from decks.jobs.models import Job
from decks.jobs.queue import sweep
from decks.jobs.worker import perform


class Command(BaseCommand):
    """Reclaim lost jobs, then do whatever waits, oldest first, until nothing does."""

    help = "Run the waiting background jobs in the foreground."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one line for each job, with how it ended."""
        sweep()
        while job := self._claim_next():
            perform(job.pk)
            job.refresh_from_db()
            self.stdout.write(f"{job.kind}: {job.get_state_display().lower()} {job.error}".rstrip())

    def _claim_next(self) -> Job | None:
        due = Job.objects.filter(state=Job.State.QUEUED, run_after__lte=timezone.now())
        return due.order_by("created_at").first()
