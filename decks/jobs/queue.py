"""Queue, cancel and retry jobs; requeue lost ones and delete old ones."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from uuid import UUID

import structlog
from celery import current_app
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from decks.jobs.models import Job
from decks.shared.disk import is_disk_full
from decks.shared.refusals import Refused

log = structlog.get_logger(__name__)

OPEN_STATES = (Job.State.QUEUED, Job.State.RUNNING)


def enqueue(
    kind: str,
    payload: Mapping[str, object],
    *,
    key: str | None = None,
    requested_by: str = "",
    max_tries: int = 3,
) -> Job:
    """Write down a job and tell a worker once the transaction is committed.

    With a `key`, an open job of the same kind and key is returned instead of a second one. `payload` is what
    JSON can hold. A broker that does not answer is no error: the sweep tells the worker later.
    """
    now = timezone.now()
    job = Job(
        kind=kind,
        payload=dict(payload),
        key=key or "",
        requested_by=requested_by,
        max_tries=max_tries,
        run_after=now,
        created_at=now,
        hints=1,
        hint_after=now + hint_timeout(),
    )
    stored_job = _store(job)
    if stored_job is job:
        transaction.on_commit(lambda: send_hint(job.pk), robust=True)
    return stored_job


def _store(job: Job) -> Job:
    # An open job with this key may finish between the refusal and the look-up; then there is room for ours.
    while True:
        try:
            with transaction.atomic():
                job.save(force_insert=True)
            return job
        except IntegrityError:
            open_job = Job.objects.filter(kind=job.kind, key=job.key, state__in=OPEN_STATES).first()
            if open_job is not None:
                return open_job
            if not job.key:
                raise


def send_hint(job_id: UUID) -> None:
    """Send the broker a message that this job waits.

    If the broker does not answer, this is only logged.
    """
    try:
        current_app.send_task("decks.run_job", [str(job_id)], retry=False)
    except (OperationalError, OSError) as error:
        log.warning(
            "%s; the sweep will tell of the job.",
            "The disk is full" if is_disk_full(error) else "The broker does not answer",
            job=str(job_id),
            error=str(error),
        )


def hint_timeout() -> timedelta:
    """Return how long a hint may go unanswered before the next one.

    It is half a lease, so that a lost hint costs less. Only a worker that is free sweeps; so jobs behind busy
    workers are not announced again and again.
    """
    return timedelta(seconds=settings.JOB_LEASE_SECONDS / 2)


def jobs_wait_for(seconds: float) -> bool:
    """Return whether a job that could be done waits for longer than that."""
    since = timezone.now() - timedelta(seconds=seconds)
    return Job.objects.filter(state=Job.State.QUEUED, run_after__lt=since).exists()


def latest_job(kind: str, key: str) -> Job | None:
    """Return the newest job of this kind and key, in whatever state, or None."""
    return Job.objects.filter(kind=kind, key=key).order_by("-created_at").first()


def cancel(job_id: UUID) -> Job:
    """Cancel a job.

    A waiting job is canceled at once, a running one at its next report of progress, a closed one not at all.

    Returns the job as it is then. Raises Job.DoesNotExist for an unknown one.
    """
    now = timezone.now()
    Job.objects.filter(pk=job_id, state=Job.State.QUEUED).update(
        state=Job.State.CANCELLED, cancel_requested=True, finished_at=now
    )
    Job.objects.filter(pk=job_id, state=Job.State.RUNNING).update(cancel_requested=True)
    return Job.objects.get(pk=job_id)


def retry(job_id: UUID) -> Job:
    """Queue a failed or canceled job again, with all its tries.

    Any other job is left alone.

    Returns the job as it is then. Raises Job.DoesNotExist for an unknown one, IntegrityError when another
    job with its key is open by now.
    """
    now = timezone.now()
    retried_count = Job.objects.filter(pk=job_id, state__in=(Job.State.FAILED, Job.State.CANCELLED)).update(
        **_queued_values(now), cancel_requested=False, tries=0, failure=[], error_code="", finished_at=None
    )
    if retried_count:
        transaction.on_commit(lambda: send_hint(job_id), robust=True)
    return Job.objects.get(pk=job_id)


def _queued_values(now: datetime) -> dict[str, object]:
    return {"state": Job.State.QUEUED, "run_after": now, "hints": 1, "hint_after": now + hint_timeout()}


MAX_HINTS_PER_SWEEP = 200


@dataclass(frozen=True, slots=True)
class SweepResult:
    """The result of one sweep.

    Holds jobs queued again, given up and canceled, and waiting jobs announced again.
    """

    requeued_count: int = 0
    failed_count: int = 0
    canceled_count: int = 0
    hinted_count: int = 0


def sweep() -> SweepResult:
    """Reclaim jobs whose lease has expired and repeat unanswered hints.

    This is safe anywhere and at any time.
    """
    now = timezone.now()
    expired_jobs = Job.objects.filter(state=Job.State.RUNNING, lease_until__lt=now)
    # Asking first spares the database a writer every two seconds.
    taken_back = _requeue_expired(expired_jobs, now) if expired_jobs.exists() else (0, 0, 0)
    return SweepResult(*taken_back, _repeat_hints(now))


def _requeue_expired(expired_jobs: QuerySet[Job], now: datetime) -> tuple[int, int, int]:
    """Queue expired jobs again and give up on those without tries left.

    Return the counts of (queued, given up, canceled).
    """
    closing_values = {"claim": None, "lease_until": None}
    cancelled_count = expired_jobs.filter(cancel_requested=True).update(
        state=Job.State.CANCELLED, finished_at=now, **closing_values
    )
    failed_count = expired_jobs.filter(tries__gte=F("max_tries")).update(
        state=Job.State.FAILED,
        error_code="worker-lost",
        failure=Refused("worker-lost").to_records(),
        finished_at=now,
        **closing_values,
    )
    requeued_count = expired_jobs.update(
        state=Job.State.QUEUED, run_after=now, hints=0, hint_after=now, progress_stage=None, **closing_values
    )
    return requeued_count, failed_count, cancelled_count


def _repeat_hints(now: datetime) -> int:
    due = Job.objects.filter(state=Job.State.QUEUED, run_after__lte=now, hint_after__lte=now)
    hint_count = 0
    for job_id, hints in due.order_by("created_at").values_list("pk", "hints")[:MAX_HINTS_PER_SWEEP]:
        hint_count += _hint_once(due, job_id, hints, now)
    return hint_count


def _hint_once(due: QuerySet[Job], job_id: UUID, hints: int, now: datetime) -> int:
    # Conditional on the count, so that of two sweeps at once only one tells.
    mine = due.filter(pk=job_id, hints=hints)
    if not mine.update(hints=hints + 1, hint_after=now + hint_timeout()):
        return 0
    send_hint(job_id)
    return 1


def delete_old_jobs(*, older_than: timedelta) -> int:
    """Delete closed jobs that ended longer ago than that, with their files.

    Return how many.
    """
    old = Job.objects.exclude(state__in=OPEN_STATES).filter(finished_at__lt=timezone.now() - older_than)
    return delete_jobs(list(old.values_list("pk", flat=True)[:10_000]))


def delete_jobs(ids: Collection[UUID]) -> int:
    """Delete jobs, and their files once the deletion is committed.

    A worker that runs one of them finds its lease gone.
    """
    transaction.on_commit(partial(_delete_files, list(ids)))
    return Job.objects.filter(pk__in=ids).delete()[0]


def _delete_files(ids: Collection[UUID]) -> None:
    for job_id in ids:
        shutil.rmtree(Path(settings.JOB_FILES_DIR) / str(job_id), ignore_errors=True)
