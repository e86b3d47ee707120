"""Steps of a catalogue import: receive, preview, decide, apply, discard.

The file is kept in the database until it is written, discarded or forgotten. Each step takes the import from
one state to the next by a conditional update, so that of two presses on one button only the first does
anything.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from decks.catalogue.importing.files import MAX_BYTES, CatalogueFile, mark_removed_facts, read_catalogue
from decks.catalogue.importing.plan import FactDifference
from decks.catalogue.importing.preview import build_preview, build_report, clean_for_storage, format_value
from decks.catalogue.models import CatalogueImport, ImportedFile
from decks.catalogue.services.catalogue import apply_plan, catalogue_stamp, lock_catalogue, plan_import
from decks.catalogue.services.undo import ImportRecorder
from decks.jobs.handlers import ProgressCallback
from decks.jobs.queue import enqueue
from decks.shared.fingerprints import make_fingerprint
from decks.shared.refusals import Conflict, Refused, refuse_all
from rules.reason import reason

READ_JOB = "read_catalogue_file"
APPLY_JOB = "write_catalogue_file"
SIDES = ("keep", "take")
ImportState = CatalogueImport.State


@transaction.atomic
def receive_file(
    content: bytes,
    *,
    file_name: str,
    game: str,
    person: User,
    removed_facts: Mapping[str, Sequence[str]] | None = None,
) -> CatalogueImport:
    """Keep a file and ask for its preview.

    Raises Refused (file_empty, file_too_large). `removed_facts` are those cleared in the grid, by the keys of
    their printings.
    """
    if not content.strip():
        raise Refused("file_empty", field="file")
    if len(content) > MAX_BYTES:
        raise Refused("file_too_large", field="file", megabytes=MAX_BYTES // 2**20)
    catalogue_import = CatalogueImport.objects.create(
        asked_game=game,
        game=game,
        file_name=clean_for_storage(file_name)[:200],
        size=len(content),
        digest=sha256(content).hexdigest(),
        sent_by=person,
        sent_by_name=_user_name(person),
    )
    ImportedFile.objects.create(
        catalogue_import=catalogue_import,
        content=zlib.compress(content, 6),
        removed_facts=dict(removed_facts or {}),
    )
    return _enqueue_job(catalogue_import, READ_JOB, person)


def make_preview(import_id: UUID, progress: ProgressCallback) -> None:
    """Read the file and record what it would change.

    If the file cannot be read at all, that is recorded.
    """
    catalogue_import = _find_with_file(import_id, ImportState.READING)
    if catalogue_import is None:
        return
    progress(0, 3, reason("reading_file"))
    try:
        content = _read(catalogue_import)
    except Refused as refusal:
        _transition(
            catalogue_import,
            ImportState.READING,
            state=ImportState.UNREADABLE,
            failure=refusal.to_records(),
            job=None,
        )
        return
    base = catalogue_stamp(content.game)
    plan = plan_import(
        content,
        lambda each: catalogue_import.side(each.token) == "take",
        _progress_reporter(content, progress),
    )
    progress(2, 3, reason("writing_preview"))
    new_values = {"game": content.game, "base": base, "preview": build_preview(plan), "failure": []}
    _transition(catalogue_import, ImportState.READING, state=ImportState.OPEN, job=None, **new_values)


def decisions_fingerprint(catalogue_import: CatalogueImport) -> str:
    """Return a fingerprint of the decisions on a file that someone saw.

    Other decisions have another fingerprint.
    """
    content = json.dumps(
        [catalogue_import.decisions.get("all", ""), catalogue_import.decisions.get("each", {})],
        sort_keys=True,
    )
    return make_fingerprint(content)


def decide(
    catalogue_import: CatalogueImport,
    *,
    all_of_them: str = "",
    each: Mapping[str, str] | None = None,
    seen_mark: str | None = None,
) -> None:
    """Store what was decided about conflicts.

    A decision about all of them discards single decisions. A decision may also be about some of them. Raises
    Refused (unknown_side, import_not_open, unknown_conflict, name_not_decidable, and decisions_changed if all
    are decided over other decisions than those with the mark `seen_mark`); then none is kept.
    """
    sides = [*(each or {}).values(), *([all_of_them] if all_of_them else [])]
    if not set(sides) <= set(SIDES):
        raise Refused("unknown_side")
    with transaction.atomic():
        locked_import = CatalogueImport.objects.select_for_update().get(pk=catalogue_import.pk)
        if locked_import.state != ImportState.OPEN:
            raise _not_open_error()
        if all_of_them and seen_mark not in (None, decisions_fingerprint(locked_import)):
            raise Conflict("decisions_changed")
        new = dict(each or {})
        refuse_all(_invalid_decisions(locked_import, new))
        kept_decisions = {} if all_of_them else locked_import.decisions
        for_all = {"all": all_of_them} if all_of_them else {}
        decisions = {**kept_decisions, **for_all, "each": {**kept_decisions.get("each", {}), **new}}
        if not _transition(catalogue_import, ImportState.OPEN, decisions=decisions):
            raise _not_open_error()


def _invalid_decisions(catalogue_import: CatalogueImport, each: Mapping[str, str]) -> list[Refused]:
    """Return what of these decisions cannot be.

    The preview has no such conflict, or the file cannot win it.
    """
    conflicts_by_token = {
        conflict["token"]: conflict for conflict in catalogue_import.preview.get("conflicts", [])
    }
    problems = []
    for token, side in each.items():
        conflict = conflicts_by_token.get(token)
        if conflict is None:
            problems.append(Refused("unknown_conflict", field="each", token=token[:40]))
        elif side == "take" and not conflict["is_decidable"]:
            names = {name: format_value(conflict[name]) for name in ("stored", "incoming")}
            problems.append(Refused("name_not_decidable", field="each", key=conflict["key"], **names))
    return problems


@transaction.atomic
def refresh_preview(catalogue_import: CatalogueImport, person: User) -> CatalogueImport:
    """Make the preview again, as after someone else's import.

    Raises Refused (import_not_open).
    """
    if not _transition(catalogue_import, ImportState.OPEN, state=ImportState.READING):
        raise _not_open_error()
    return _enqueue_job(catalogue_import, READ_JOB, person)


def decide_and_apply(
    catalogue_import: CatalogueImport, person: User, *, each: Mapping[str, str], seen_mark: str | None
) -> CatalogueImport:
    """Keep these decisions of conflicts, then do what `request_apply` does.

    Raises Refused (decisions_changed) if others decided since someone saw the mark `seen_mark`. Decisions
    that could be kept stay kept, whatever is refused then.
    """
    with transaction.atomic():
        locked_import = CatalogueImport.objects.select_for_update().get(pk=catalogue_import.pk)
        is_seen = seen_mark in (None, decisions_fingerprint(locked_import))
        if each:
            decide(locked_import, each=each)
            locked_import.refresh_from_db()
        try:
            if is_seen:
                return request_apply(locked_import, person)
        except Refused as refusal:
            refusal_to_raise = refusal
        else:
            refusal_to_raise = Conflict("decisions_changed")
    raise refusal_to_raise


@transaction.atomic
def request_apply(catalogue_import: CatalogueImport, person: User) -> CatalogueImport:
    """Have a worker write what the preview shows.

    Raises Refused (import_not_open, preview_stale).
    """
    if catalogue_import.state == ImportState.OPEN and is_stale(catalogue_import):
        raise stale_preview_error()
    if not _transition(
        catalogue_import, ImportState.OPEN, state=ImportState.APPLYING, finished_by_name=_user_name(person)
    ):
        raise _not_open_error()
    return _enqueue_job(catalogue_import, APPLY_JOB, person)


def is_stale(catalogue_import: CatalogueImport) -> bool:
    """Return whether the catalogue differs from the one used for the preview."""
    return str(catalogue_import.base) != catalogue_stamp(catalogue_import.game)


def stale_preview_error() -> Conflict:
    """Return the refusal of a preview that someone else's import has overtaken."""
    return Conflict("preview_stale")


def write_import(import_id: UUID, progress: ProgressCallback) -> None:
    """Write what was previewed and keep the report; the file goes.

    Done once, however often it is called, and not at all once it is discarded. Raises Refused
    (preview_stale) when the catalogue changed; the import then waits to be looked at again.
    """
    catalogue_import = _find_with_file(import_id, ImportState.APPLYING)
    if catalogue_import is None:
        return
    progress(0, 3, reason("reading_file"))
    content = _read(catalogue_import)
    progress(1, 3, reason("writing_records", count=len(content.card_records)))
    if not _write(catalogue_import, content):
        raise stale_preview_error()


@transaction.atomic
def _write(catalogue_import: CatalogueImport, content: CatalogueFile) -> bool:
    """Write the import unless another worker did or someone discarded it.

    Returns whether the preview still holds; if it does not, the import is open again.
    """
    lock_catalogue(content.game)
    applying_imports = CatalogueImport.objects.filter(pk=catalogue_import.pk, state=ImportState.APPLYING)
    if not applying_imports.select_for_update().exists():
        return True
    if is_stale(catalogue_import):
        _transition(catalogue_import, ImportState.APPLYING, state=ImportState.OPEN, job=None)
        return False

    def takes(conflict: FactDifference) -> bool:
        return catalogue_import.side(conflict.token) == "take"

    plan = plan_import(content, takes)
    report = build_report(plan)
    recorder = ImportRecorder(plan)
    apply_plan(plan)
    report["version"] = int(catalogue_stamp(content.game).partition(":")[0])
    new_values = {
        "report": report,
        "finished_at": timezone.now(),
        "preview": {},
        "undo_rows": recorder.to_rows(),
    }
    _transition(catalogue_import, ImportState.APPLYING, state=ImportState.DONE, **new_values)
    ImportedFile.objects.filter(catalogue_import=catalogue_import).delete()
    return True


@transaction.atomic
def discard_import(catalogue_import: CatalogueImport, person: User) -> None:
    """Forget the file, writing nothing.

    Raises Refused (import_not_open) for one that a worker has.
    """
    states = [
        ImportState.OPEN,
        ImportState.UNREADABLE,
        *([ImportState.READING, ImportState.APPLYING] if is_stuck(catalogue_import) else []),
    ]
    changes = {"finished_at": timezone.now(), "finished_by_name": _user_name(person), "job": None}
    mine = CatalogueImport.objects.filter(pk=catalogue_import.pk, state__in=states)
    if not mine.update(state=ImportState.THROWN_AWAY, preview={}, **changes):
        raise _not_open_error()
    ImportedFile.objects.filter(catalogue_import=catalogue_import).delete()


def expire_undecided(now: datetime) -> int:
    """Forget the files on which no one has decided in `IMPORT_KEEP_DAYS`; how many.

    What is at work stays.
    """
    old = CatalogueImport.objects.filter(sent_at__lt=now - timedelta(days=settings.IMPORT_KEEP_DAYS))
    undecided_imports = old.exclude(
        state__in=(ImportState.DONE, ImportState.THROWN_AWAY, ImportState.FORGOTTEN, ImportState.UNDONE)
    ).select_related("job")
    return sum(
        _expire(catalogue_import, now)
        for catalogue_import in undecided_imports.defer("preview", "decisions", "report")
    )


@transaction.atomic
def _expire(catalogue_import: CatalogueImport, now: datetime) -> bool:
    if catalogue_import.is_at_work and not is_stuck(catalogue_import):
        return False
    # Conditional, for someone may decide in this very moment.
    if not _transition(
        catalogue_import,
        catalogue_import.state,
        state=ImportState.FORGOTTEN,
        preview={},
        finished_at=now,
        job=None,
    ):
        return False
    ImportedFile.objects.filter(catalogue_import=catalogue_import).delete()
    return True


@transaction.atomic
def retry_import(catalogue_import: CatalogueImport, person: User) -> CatalogueImport:
    """Give a file whose job ended without an answer to a worker again.

    Raises Refused (import_not_open).
    """
    if not is_stuck(catalogue_import):
        raise _not_open_error()
    return _enqueue_job(
        catalogue_import, READ_JOB if catalogue_import.state == ImportState.READING else APPLY_JOB, person
    )


def is_stuck(catalogue_import: CatalogueImport) -> bool:
    """Return whether the import waits for a worker that will not come.

    Its job failed or is forgotten.
    """
    return catalogue_import.is_at_work and not (catalogue_import.job and catalogue_import.job.is_open)


def _enqueue_job(catalogue_import: CatalogueImport, kind: str, person: User) -> CatalogueImport:
    job = enqueue(
        kind,
        {"import": str(catalogue_import.pk)},
        key=str(catalogue_import.pk),
        requested_by=_user_name(person),
    )
    CatalogueImport.objects.filter(pk=catalogue_import.pk).update(job=job)
    catalogue_import.refresh_from_db()
    return catalogue_import


def _transition(catalogue_import: CatalogueImport, before: str, /, **changes: Any) -> bool:
    """Change the import if it still is in the state `before`; whether it was."""
    return CatalogueImport.objects.filter(pk=catalogue_import.pk, state=before).update(**changes) == 1


def _find_with_file(import_id: UUID, state: str) -> CatalogueImport | None:
    """Return the import if it is in this state, with its file from the same moment.

    The file is deleted when the state ends, so two queries could find the import and no file.
    """
    imports_in_state = CatalogueImport.objects.filter(pk=import_id, state=state)
    return imports_in_state.select_related("file").first()


def _read(catalogue_import: CatalogueImport) -> CatalogueFile:
    stored_file = catalogue_import.file
    content = read_catalogue(zlib.decompress(stored_file.content), game=catalogue_import.asked_game or None)
    mark_removed_facts(content, stored_file.removed_facts)
    return content


def _progress_reporter(content: CatalogueFile, progress: ProgressCallback) -> Callable[[int], None]:
    total = len(content.card_records)
    return lambda done_count: progress(1, 3, reason("comparing_records", done=done_count, total=total))


def _not_open_error() -> Conflict:
    return Conflict("import_not_open")


def _user_name(person: User) -> str:
    return person.get_full_name() or person.get_username()
