"""Background jobs of the catalogue: preview and write its files, forget old ones."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from decks.catalogue.services import imports
from decks.jobs.handlers import JobFailed, Run, job
from decks.shared.refusals import Refused


@job(imports.READ_JOB)
def read_catalogue_file(run: Run) -> None:
    """Work out what a catalogue file would change."""
    imports.make_preview(UUID(run.read_text("import")), run.progress)


@job(imports.APPLY_JOB)
def write_catalogue_file(run: Run) -> None:
    """Write a catalogue file as it was decided on."""
    try:
        imports.write_import(UUID(run.read_text("import")), run.progress)
    except Refused as refusal:
        raise JobFailed.of(refusal) from refusal


@shared_task(name="decks.forget_imports")
def forget_imports() -> None:
    """Forget the catalogue files on which no one has decided in time."""
    imports.expire_undecided(timezone.now())
