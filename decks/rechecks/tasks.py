"""Background jobs of rechecks: share the lists out, check them, look ahead."""

from __future__ import annotations

from typing import Any

from decks.editions.models import ListEdition
from decks.editions.selectors.editions import to_edition
from decks.jobs.handlers import JobFailed, Run, job
from decks.rechecks import services
from decks.rechecks.models import CONSEQUENCES_JOB, PART_JOB, PLAN_JOB, Recheck, RecheckPart
from decks.rechecks.selectors import find_consequences


@job(PLAN_JOB)
def plan_recheck(run: Run) -> dict[str, Any]:
    """Count the lists of coming events and share them out among the workers."""
    try:
        recheck = services.plan_recheck(run.payload["recheck"])
    except Recheck.DoesNotExist as error:
        raise JobFailed("recheck_gone", "The recheck no longer exists.") from error
    return {"lists": recheck.total}


@job(PART_JOB)
def recheck_part(run: Run) -> dict[str, Any]:
    """Check one share of the lists again."""
    try:
        return {"lists": services.check_part(run.payload["part"], run.progress)}
    except RecheckPart.DoesNotExist as error:
        raise JobFailed("recheck_gone", "The recheck no longer exists.") from error


@job(CONSEQUENCES_JOB)
def would_break(run: Run) -> dict[str, Any]:
    """Look what a draft would do to the lists of coming events, as it is when the job is done."""
    draft = ListEdition.objects.filter(pk=run.payload["draft"]).first()
    if draft is None:
        raise JobFailed("draft_gone", "The draft was thrown away.")
    found = find_consequences(to_edition(draft), run.progress)
    return {"revision": draft.revision, **found.to_json()}
