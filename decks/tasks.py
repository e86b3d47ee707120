"""Background jobs of cards and lists."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from decks.catalogue.services import imports as catalogue_imports
from decks.editions.models import ListEdition
from decks.editions.selectors.editions import to_edition
from decks.jobs.handlers import JobFailed, Run, job
from decks.rechecks import services as rechecking_parts
from decks.rechecks.models import Recheck, RecheckPart
from decks.rechecks.selectors import find_consequences
from decks.shared.refusals import Refused


@job(rechecking_parts.PLAN)
def plan_recheck(run: Run) -> dict[str, Any]:
    """Count the lists of coming events and share them out among the workers."""
    try:
        recheck = rechecking_parts.plan_recheck(run.payload["recheck"])
    except Recheck.DoesNotExist as error:
        raise JobFailed("recheck_gone", "The recheck no longer exists.") from error
    return {"lists": recheck.total}


@job(rechecking_parts.PART)
def recheck_part(run: Run) -> dict[str, Any]:
    """Check one share of the lists again."""
    try:
        return {"lists": rechecking_parts.check_part(run.payload["part"], run.progress)}
    except RecheckPart.DoesNotExist as error:
        raise JobFailed("recheck_gone", "The recheck no longer exists.") from error


@job(catalogue_imports.READ)
def read_catalogue_file(run: Run) -> None:
    """Work out what a catalogue file would change."""
    catalogue_imports.make_preview(UUID(run.payload["import"]), run.progress)


@job(catalogue_imports.APPLY)
def write_catalogue_file(run: Run) -> None:
    """Write a catalogue file as it was decided on."""
    try:
        catalogue_imports.write_import(UUID(run.payload["import"]), run.progress)
    except Refused as refusal:
        raise JobFailed(refusal.code, refusal.message) from refusal


@job(rechecking_parts.LOOK_AHEAD)
def would_break(run: Run) -> dict[str, Any]:
    """Look what a draft would do to the lists of coming events, as it stands when the job is done."""
    draft = ListEdition.objects.filter(pk=run.payload["draft"]).first()
    if draft is None:
        raise JobFailed("draft_gone", "The draft was thrown away.")
    found = find_consequences(to_edition(draft), run.progress)
    return {"revision": draft.revision, **found.to_json()}


@shared_task(name="decks.forget_imports")
def forget_imports() -> None:
    """Forget the catalogue files on which nobody has decided in time."""
    catalogue_imports.expire_undecided(timezone.now())
