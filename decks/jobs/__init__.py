"""Background jobs: `enqueue` asks for one, `@job` says how a kind is done, the row `Job` tells how it stands.

A job survives the loss of its message, of its worker and of the broker. The price: it may be done twice, so
handlers must be idempotent.
"""

from decks.jobs.handlers import Cancelled, Handler, JobFailed, LeaseLost, Run, job, paused_garbage_collection
from decks.jobs.queue import SweepResult, cancel, enqueue, forget, latest, retry, sweep
from decks.jobs.worker import perform

__all__ = [
    "Cancelled",
    "Handler",
    "JobFailed",
    "LeaseLost",
    "Run",
    "SweepResult",
    "cancel",
    "enqueue",
    "forget",
    "job",
    "latest",
    "paused_garbage_collection",
    "perform",
    "retry",
    "sweep",
]
