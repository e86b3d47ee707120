"""Asking for jobs, and taking the asking back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from celery import current_app
from django.db import IntegrityError, transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from decks.jobs.models import Job

log = structlog.get_logger(__name__)

FIRST_HINT_LASTS = timedelta(seconds=5)
LONGEST_HINT_LASTS = timedelta(minutes=5)
OPEN = (Job.State.QUEUED, Job.State.RUNNING)


def enqueue(
    kind: str,
    payload: Mapping[str, Any],
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
    made = Job(
        kind=kind,
        payload=dict(payload),
        key=key or "",
        requested_by=requested_by,
        max_tries=max_tries,
        run_after=now,
        created_at=now,
        hints=1,
        hint_after=now + hint_lasts(1),
    )
    stored = _store(made)
    if stored is made:
        transaction.on_commit(lambda: hint(made.pk), robust=True)
    return stored


def _store(made: Job) -> Job:
    # An open job with this key may finish between the refusal and the look-up; then there is room for ours.
    while True:
        try:
            with transaction.atomic():
                made.save(force_insert=True)
            return made
        except IntegrityError:
            standing = Job.objects.filter(kind=made.kind, key=made.key, state__in=OPEN).first()
            if standing is not None:
                return standing
            if not made.key:
                raise


def hint(job_id: UUID) -> None:
    """Send the broker a message that this job waits; a broker that does not answer is only logged."""
    try:
        current_app.send_task("decks.run_job", [str(job_id)], retry=False)
    except (OperationalError, OSError) as error:
        log.warning(
            "The broker does not answer; the sweep will tell of the job.", job=str(job_id), error=str(error)
        )


def hint_lasts(hints: int) -> timedelta:
    """How long the n-th hint may go unanswered before the next: 5 s, doubling up to 5 minutes."""
    return min(FIRST_HINT_LASTS * 2 ** (min(hints, 10) - 1), LONGEST_HINT_LASTS)


def latest(kind: str, key: str) -> Job | None:
    """The newest job of this kind and key, in whatever state, or None."""
    return Job.objects.filter(kind=kind, key=key).order_by("-created_at").first()


def cancel(job_id: UUID) -> Job:
    """Cancel a waiting job at once, a running one at its next report of progress, a closed one not at all.

    Returns the job as it stands then. Raises Job.DoesNotExist for an unknown one.
    """
    now = timezone.now()
    Job.objects.filter(pk=job_id, state=Job.State.QUEUED).update(
        state=Job.State.CANCELLED, cancel_requested=True, finished_at=now
    )
    Job.objects.filter(pk=job_id, state=Job.State.RUNNING).update(cancel_requested=True)
    return Job.objects.get(pk=job_id)


def retry(job_id: UUID) -> Job:
    """Queue a failed or cancelled job anew, with all its tries; leave any other alone.

    Returns the job as it stands then. Raises Job.DoesNotExist for an unknown one, IntegrityError when another
    job with its key is open by now.
    """
    now = timezone.now()
    changed = Job.objects.filter(pk=job_id, state__in=(Job.State.FAILED, Job.State.CANCELLED)).update(
        **_fresh(now), cancel_requested=False, tries=0, error="", error_code="", finished_at=None
    )
    if changed:
        transaction.on_commit(lambda: hint(job_id), robust=True)
    return Job.objects.get(pk=job_id)


def _fresh(now: datetime) -> dict[str, Any]:
    return {"state": Job.State.QUEUED, "run_after": now, "hints": 1, "hint_after": now + hint_lasts(1)}
