"""Background jobs: `enqueue` asks for one, `@job` says how a kind is done, the row `Job` tells how it stands.

A job survives the loss of its message, of its worker and of the broker. The price: it may be done twice, so
handlers must be idempotent.
"""

from decks.jobs.collector import paused_collector
from decks.jobs.handlers import Handler, JobFailed, job
from decks.jobs.queue import cancel, enqueue, latest, retry
from decks.jobs.run import Cancelled, LeaseLost, Run
from decks.jobs.sweeping import Swept, forget, sweep
from decks.jobs.worker import perform

__all__ = [
    "Cancelled",
    "Handler",
    "JobFailed",
    "LeaseLost",
    "Run",
    "Swept",
    "cancel",
    "enqueue",
    "forget",
    "job",
    "latest",
    "paused_collector",
    "perform",
    "retry",
    "sweep",
]
