"""What keeps the promise: lost workers are noticed, lost messages repeated, old jobs forgotten."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db.models import F, QuerySet
from django.utils import timezone

from decks.jobs.models import Job
from decks.jobs.queue import OPEN, hint, hint_lasts

AT_MOST = 200


@dataclass(frozen=True)
class Swept:
    """What one sweep did: jobs queued again, given up, cancelled, and waiting jobs told of."""

    requeued: int = 0
    failed: int = 0
    cancelled: int = 0
    hinted: int = 0


def sweep() -> Swept:
    """Take back jobs whose lease has run out and repeat unanswered hints; safe anywhere and at any time."""
    now = timezone.now()
    expired = Job.objects.filter(state=Job.State.RUNNING, lease_until__lt=now)
    # Asking first spares the database a writer every two seconds.
    taken_back = _take_back(expired, now) if expired.exists() else (0, 0, 0)
    return Swept(*taken_back, _repeat_hints(now))


def _take_back(expired: QuerySet[Job], now: datetime) -> tuple[int, int, int]:
    """Queue the jobs again, give up on those without tries left; counts of (queued, given up, cancelled)."""
    closed = {"claim": None, "lease_until": None}
    cancelled = expired.filter(cancel_requested=True).update(
        state=Job.State.CANCELLED, finished_at=now, **closed
    )
    failed = expired.filter(tries__gte=F("max_tries")).update(
        state=Job.State.FAILED,
        error_code="worker-lost",
        error="The worker was lost each time the job was tried.",
        finished_at=now,
        **closed,
    )
    requeued = expired.update(
        state=Job.State.QUEUED, run_after=now, hints=0, hint_after=now, progress_words="", **closed
    )
    return requeued, failed, cancelled


def _repeat_hints(now: datetime) -> int:
    due = Job.objects.filter(state=Job.State.QUEUED, run_after__lte=now, hint_after__lte=now)
    told = 0
    for job_id, hints in due.order_by("created_at").values_list("pk", "hints")[:AT_MOST]:
        told += _hint_once(due, job_id, hints, now)
    return told


def _hint_once(due: QuerySet[Job], job_id: UUID, hints: int, now: datetime) -> int:
    # Conditional on the count, so that of two sweeps at once only one tells.
    mine = due.filter(pk=job_id, hints=hints)
    if not mine.update(hints=hints + 1, hint_after=now + hint_lasts(hints + 1)):
        return 0
    hint(job_id)
    return 1


def forget(*, older_than: timedelta) -> int:
    """Delete closed jobs that ended longer ago than that, with their files; returns how many."""
    old = Job.objects.exclude(state__in=OPEN).filter(finished_at__lt=timezone.now() - older_than)
    ids = list(old.values_list("pk", flat=True)[:10_000])
    for job_id in ids:
        shutil.rmtree(Path(settings.JOB_FILES_DIR) / str(job_id), ignore_errors=True)
    return Job.objects.filter(pk__in=ids).delete()[0]
