"""Performs a job.

It claims the job, renews its lease while the handler works, and stores the outcome.
"""

from __future__ import annotations

import signal
import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from types import FrameType
from uuid import UUID

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone

from decks.jobs.handlers import Cancelled, JobDelayed, JobFailed, LeaseLost, Run, get_handler
from decks.jobs.models import Job
from decks.shared.disk import is_disk_full
from decks.shared.refusals import Refused

log = structlog.get_logger(__name__)

LONGEST_PAUSE = timedelta(minutes=5)

SECONDS_BETWEEN_TRIES = 1.0

# A job that its time limit does not stop (a library may hold the signal back) is given up after this.
SECONDS_AFTER_LIMIT = 30


def perform(job_id: UUID, *, heartbeat: bool = True) -> bool:
    """Do the job if it waits to be done; whether this call did it (however it ended).

    `heartbeat` keeps the lease from a thread of its own; without it only the handler's reports do. What the
    handler raises is never raised here but written to the job.
    """
    run = _claim(job_id)
    if run is None:
        return False
    with structlog.contextvars.bound_contextvars(job=str(run.job_id), kind=run.kind):
        with _heartbeat(run) if heartbeat else _no_heartbeat():
            changes = _attempt(run)
        if changes is None or not _close(run, changes):
            log.warning("The lease of the job ran out; its outcome was dropped.")
    return True


def _close(run: Run, changes: Mapping[str, object]) -> bool:
    """Write how the attempt ended.

    If the database cannot store it, try again for as long as a lease lasts.
    """
    until = time.monotonic() + settings.JOB_LEASE_SECONDS
    while True:
        try:
            return run.close(**changes)
        except (DatabaseError, InterfaceError) as error:
            log.error(
                "%s: how the job ended cannot be stored.",
                "The disk is full" if is_disk_full(error) else "The database does not answer",
                error=str(error),
            )
            if time.monotonic() > until:
                return False
            if not connection.in_atomic_block:
                connection.close_if_unusable_or_obsolete()
            time.sleep(SECONDS_BETWEEN_TRIES)


def _claim(job_id: UUID) -> Run | None:
    now, claim = timezone.now(), uuid.uuid4()
    due_jobs = Job.objects.filter(pk=job_id, state=Job.State.QUEUED, run_after__lte=now)
    claimed_count = due_jobs.update(
        state=Job.State.RUNNING,
        claim=claim,
        lease_until=now + timedelta(seconds=settings.JOB_LEASE_SECONDS),
        tries=F("tries") + 1,
        started_at=Coalesce("started_at", now),
        progress_done=0,
        progress_total=None,
        progress_stage=None,
    )
    return Run(Job.objects.get(pk=job_id), claim) if claimed_count else None


def _attempt(run: Run) -> dict[str, object] | None:
    """Return what to write about this attempt; None when another worker has the job."""
    try:
        with _time_limit(60 * settings.JOB_MINUTES_MAX):
            result = get_handler(run.kind)(run)
    except Cancelled:
        return {"state": Job.State.CANCELLED, "finished_at": timezone.now()}
    except LeaseLost:
        return None
    except JobDelayed as delay:
        return _retry_or_fail(run, delay.why)
    except JobFailed as failure:
        return _failure_values(failure.why)
    except SoftTimeLimitExceeded:
        return _failure_values(Refused("took-too-long"))
    except Exception as error:
        log.exception("A job stopped with an unexpected error.")
        return _retry_or_fail(run, _find_failure(error))
    return {
        "state": Job.State.DONE,
        "result": result,
        "result_file": run.file,
        "failure": [],
        "error_code": "",
        "finished_at": timezone.now(),
    }


def _failure_values(refusal: Refused) -> dict[str, object]:
    return {
        "state": Job.State.FAILED,
        "error_code": refusal.code,
        "failure": refusal.to_records(),
        "finished_at": timezone.now(),
    }


def _retry_or_fail(run: Run, refusal: Refused) -> dict[str, object]:
    limit = Job.objects.values_list("max_tries", flat=True).get(pk=run.job_id)
    if run.tries >= limit:
        return _failure_values(refusal)
    due = timezone.now() + pause_before(run.tries + 1)
    return {
        "state": Job.State.QUEUED,
        "error_code": refusal.code,
        "failure": refusal.to_records(),
        "run_after": due,
        "hints": 0,
        "hint_after": due,
    }


def _find_failure(error: Exception) -> Refused:
    """Return why a job stopped with an error that no handler expected."""
    if is_disk_full(error):
        return Refused("disk-full")
    return Refused("unexpected", error=type(error).__name__, says=str(error))


def pause_before(attempt: int) -> timedelta:
    """Return how long to wait before the n-th attempt.

    It is 1 s before the second, doubling up to 5 minutes.
    """
    return min(timedelta(seconds=2 ** min(attempt - 2, 10)), LONGEST_PAUSE)


def longest_job() -> timedelta:
    """Return how long a worker may be at one job, until it counts as lost."""
    return timedelta(seconds=60 * settings.JOB_MINUTES_MAX + SECONDS_AFTER_LIMIT)


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise SoftTimeLimitExceeded in the block after that time.

    Only the main thread can be stopped in this way.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise SoftTimeLimitExceeded

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


@contextmanager
def _no_heartbeat() -> Iterator[None]:
    yield


@contextmanager
def _heartbeat(run: Run) -> Iterator[None]:
    """Renew the lease from a thread for as long as the block runs."""
    done_event = threading.Event()
    thread = threading.Thread(target=_renew_lease_until, args=(run, done_event), name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done_event.set()
        thread.join()


def _renew_lease_until(run: Run, done_event: threading.Event) -> None:
    limit = time.monotonic() + longest_job().total_seconds()
    try:
        while not done_event.wait(settings.JOB_LEASE_SECONDS / 4):
            try:
                if time.monotonic() > limit:
                    run.close(**_failure_values(Refused("took-too-long")))
                    return
                if not run.renew_lease():
                    return
            except DatabaseError:
                log.warning("The lease of a job could not be prolonged; trying again.", exc_info=True)
                connection.close()
    finally:
        connection.close()
