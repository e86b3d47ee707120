"""From a published list to the last email.

Covers every hop of the chain, and what asks for it.

    publish_draft            the edition is published, its recheck is stored             (one transaction)
    raise_version            a catalogue changes, the recheck of its game is stored      (one transaction)
      ▼ plan_recheck         finds the lists concerned, shares them out in parts         (one transaction)
      ▼ recheck_part         a job a part: checks its lists, a slice a transaction
      ▼ tell_of_recheck      asked for with the end of the last part: a step an event, with its notices
      ▼ mail_list_notices    a job an event: sends the emails that still wait

Each hop is a job with a key, and is requested in the transaction in which the hop before it records its end.
So a worker that is lost between two hops loses none, and a hop that runs again finds what is done and does
the rest. The first arrow is the signal `edition_published`, connected in `decks/apps.py`. `tasks.py` has the
hops, `services.py` what they do. Events are not known here: what the chain asks of them is
`UpcomingEventSource` in `upcoming.py`. `docs/explanation/rechecks.md` describes the chain.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet

from decks import jobs
from decks.jobs.models import Job
from decks.rechecks.models import Recheck, RecheckPart

PLAN_JOB = "plan_recheck"
PART_JOB = "recheck_part"
TELL_JOB = "tell_of_recheck"
EMAIL_JOB = "mail_list_notices"
HOPS = (PLAN_JOB, PART_JOB, TELL_JOB, EMAIL_JOB)

# A mail server is away for longer than anything else that a hop needs.
EMAIL_TRIES = 5


def request_plan(recheck: Recheck, *, asked_by: str = "") -> Job:
    """Request the plan.

    This is done after publishing, after new terms of an event, and to continue after an error.
    """
    return _enqueue(PLAN_JOB, {"recheck": recheck.pk}, str(recheck.pk), asked_by or recheck.asked_by)


def request_part(part: RecheckPart) -> Job:
    """Ask for one part of the plan."""
    return _enqueue(PART_JOB, {"part": part.pk}, str(part.pk), part.recheck.asked_by)


def request_telling(recheck: Recheck, *, asked_by: str = "") -> Job:
    """Queue the notification of the events; the recheck has ended."""
    return _enqueue(TELL_JOB, {"recheck": recheck.pk}, str(recheck.pk), asked_by or recheck.asked_by)


def request_emails(recheck: Recheck, event: int) -> Job:
    """Ask for the emails of one event; its notices are written."""
    payload = {"recheck": recheck.pk, "event": event}
    return jobs.enqueue(EMAIL_JOB, payload, key=f"{recheck.pk}:{event}", max_tries=EMAIL_TRIES)


def _enqueue(kind: str, payload: dict[str, int], key: str, asked_by: str) -> Job:
    return jobs.enqueue(kind, payload, key=key, requested_by=asked_by[:200])


def open_parts(recheck: Recheck) -> QuerySet[RecheckPart]:
    """Return the parts that are not done."""
    return recheck.parts.filter(done_at__isnull=True)


def cancel_parts(recheck: Recheck) -> None:
    """Cancel the parts that wait or run."""
    keys = [str(part.pk) for part in open_parts(recheck)]
    for job in Job.objects.filter(kind=PART_JOB, key__in=keys, state__in=jobs.OPEN_STATES):
        jobs.cancel(job.pk)


def count_failed(recheck: Recheck) -> int:
    """Return how many hops of a recheck stopped with an error and wait to continue."""
    parts = [str(part.pk) for part in open_parts(recheck)]
    whole = {"kind__in": (PLAN_JOB, TELL_JOB), "key": str(recheck.pk)}
    latest = {
        (job.kind, job.key): job.state
        for job in Job.objects.filter(Q(kind=PART_JOB, key__in=parts) | Q(**whole)).order_by("created_at")
    }
    return list(latest.values()).count(Job.State.FAILED)
