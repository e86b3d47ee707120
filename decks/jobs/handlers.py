"""Register job handlers, and the run that a handler receives."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path, PurePath
from typing import Any
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.utils import timezone

from decks.jobs.models import Job
from decks.shared.refusals import Refused
from rules.reason import Param, Reason

Handler = Callable[["Run"], object]

ProgressCallback = Callable[[int, int, Reason], None]

_handlers: dict[str, Handler] = {}


class JobFailed(Exception):
    """Raised by a handler that knows why it cannot succeed.

    Trying again would not help.
    """

    def __init__(self, code: str, **params: Param) -> None:
        super().__init__(code)
        self.why = Refused.of(Reason(code, params))

    def __str__(self) -> str:
        return self.why.message

    @classmethod
    def of(cls, refusal: Refused) -> JobFailed:
        """Return the failure of a job whose step was refused."""
        failure = cls(refusal.reason.code)
        failure.why = refusal
        return failure


class JobDelayed(JobFailed):
    """Raised by a handler that knows why it has not succeeded yet.

    The job is tried again.
    """


def job(kind: str) -> Callable[[Handler], Handler]:
    """Register the decorated function as the one that does jobs of `kind`.

    It takes a Run and returns what JSON can hold (or None), which becomes the job's result. It must be
    idempotent: after the loss of a worker it is called again. Raises ValueError for a kind that is taken.
    """

    def register(handler: Handler) -> Handler:
        earlier_handler = _handlers.get(kind)
        if earlier_handler is not None and earlier_handler.__qualname__ != handler.__qualname__:
            raise ValueError(f"Jobs of the kind {kind!r} are already done by {earlier_handler.__qualname__}.")
        _handlers[kind] = handler
        return handler

    return register


def get_handler(kind: str) -> Handler:
    """Return the function that does jobs of `kind`.

    Raises JobFailed when there is none.
    """
    if kind not in _handlers:
        current_app.loader.import_default_modules()
    if kind not in _handlers:
        raise JobFailed("unknown-kind", kind=kind)
    return _handlers[kind]


@contextmanager
def paused_garbage_collection() -> Iterator[None]:
    """Hold the collector back inside the block and collect once at its end.

    Laying out a long sheet makes millions of objects that live until its end; looking through them again and
    again takes up to half of the time. What was there before is not looked through at the end either. It is a
    setting of the whole process: use it in workers only.
    """
    was_on = gc.isenabled()
    gc.disable()
    gc.freeze()
    try:
        yield
    finally:
        gc.collect()
        gc.unfreeze()
        if was_on:
            gc.enable()


SECONDS_BETWEEN_REPORTS = 0.2


class Cancelled(Exception):
    """Someone canceled the job; raised by `Run.progress` so that the handler ends."""


class LeaseLost(Exception):
    """The lease ran out and someone else may be at the job.

    Whatever this attempt made is not wanted.
    """


class Run:
    """One attempt at a job.

    `payload` is what was requested, `tries` counts the attempts from 1.
    """

    def __init__(self, job: Job, claim: UUID) -> None:
        self.job_id: UUID = job.pk
        self.kind: str = job.kind
        self.payload: dict[str, object] = job.payload
        self.requested_by: str = job.requested_by
        self.tries: int = job.tries
        self.file = ""
        self._claim = claim
        self._reported_at = 0.0

    def read_number(self, name: str, default: int | None = None) -> int:
        """Return a number of the payload, or the default.

        Raises JobFailed (bad-payload) if there is neither.
        """
        value = default if self.payload.get(name) is None else self.payload[name]
        if type(value) is not int:
            raise JobFailed("bad-payload", name=name)
        return value

    def read_text(self, name: str) -> str:
        """Return a text of the payload.

        Raises JobFailed (bad-payload) if it has none of that name.
        """
        value = self.payload.get(name)
        if not isinstance(value, str):
            raise JobFailed("bad-payload", name=name)
        return value

    def progress(self, done: int, total: int | None = None, stage: Reason | None = None) -> None:
        """Report that `done` of `total` steps are complete, and keep the lease.

        The report also says which step is under way. Raises Cancelled or LeaseLost when there is no use in
        going on. Reports in quick succession are dropped, the last one (`done` equal to `total`) never.
        """
        now = time.monotonic()
        if now - self._reported_at < SECONDS_BETWEEN_REPORTS and done != total:
            return
        self._reported_at = now
        stored_stage = stage.to_json() if stage else None
        if not self.renew_lease(progress_done=done, progress_total=total, progress_stage=stored_stage):
            raise LeaseLost
        if Job.objects.filter(pk=self.job_id, cancel_requested=True).exists():
            raise Cancelled

    def renew_lease(self, **changes: Any) -> bool:
        """Renew the lease and write `changes`.

        Return whether this worker still had the lease.
        """
        until = timezone.now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)
        return self._update(lease_until=until, **changes)

    def close(self, **changes: Any) -> bool:
        """Release the lease and write `changes`.

        Return whether this worker still had the lease.
        """
        return self._update(claim=None, lease_until=None, **changes)

    def save(self, name: str, content: bytes) -> Path:
        """Store `content` as the file that the job makes.

        It is stored completely or not at all. Return where it is. `name` is a plain file name. Raises
        ValueError when it is a path.
        """
        if PurePath(name).name != name or name in ("", ".", ".."):
            raise ValueError(f"{name!r} is not a plain file name.")
        folder = Path(settings.JOB_FILES_DIR) / str(self.job_id)
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / f".{self._claim}"
        try:
            draft.write_bytes(content)
        except OSError:
            draft.unlink(missing_ok=True)
            raise
        os.replace(draft, folder / name)  # noqa: PTH105 - the one call that is atomic by contract
        self.file = f"{self.job_id}/{name}"
        return folder / name

    def _update(self, **changes: Any) -> bool:
        mine = Job.objects.filter(pk=self.job_id, claim=self._claim, state=Job.State.RUNNING)
        return mine.update(**changes) == 1
