"""Ask a worker to prepare the printouts and pages of a published round.

Everyone wants them once the round is published.
"""

from __future__ import annotations

from decks.jobs.models import Job
from decks.jobs.queue import enqueue
from tournament.access.permissions import Actor
from tournament.events.models.round import Round

WARM_ROUND_JOB_KIND = "warm_round"


def request_warm_round(published_round: Round, actor: Actor, base: str) -> Job:
    """Return the job that prepares a published round.

    `base` is the address that codes on printouts lead to.
    """
    payload: dict[str, object] = {
        "event": published_round.stage.event_id,
        "stage": published_round.stage.position,
        "round": published_round.number,
        "base": base,
    }
    return enqueue(
        WARM_ROUND_JOB_KIND, payload, key=str(published_round.pk), requested_by=actor.label, max_tries=1
    )
