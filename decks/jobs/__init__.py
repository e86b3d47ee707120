"""Background jobs.

`enqueue` requests one, `@job` registers a handler, and the row `Job` holds the state. A job survives the loss
of its message, its worker and the broker. Therefore it may run twice: handlers must be idempotent.
"""

from decks.jobs.handlers import Cancelled, Handler, JobFailed, LeaseLost, Run, job, paused_garbage_collection
from decks.jobs.queue import (
    OPEN_STATES,
    SweepResult,
    cancel,
    delete_old_jobs,
    enqueue,
    latest_job,
    retry,
    sweep,
)
from decks.jobs.worker import perform

__all__ = [
    "OPEN_STATES",
    "Cancelled",
    "Handler",
    "JobFailed",
    "LeaseLost",
    "Run",
    "SweepResult",
    "cancel",
    "delete_old_jobs",
    "enqueue",
    "job",
    "latest_job",
    "paused_garbage_collection",
    "perform",
    "retry",
    "sweep",
]
