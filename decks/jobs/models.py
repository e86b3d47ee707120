"""Work done in the background.

The row is authoritative, the message broker only a hint.
"""

from __future__ import annotations

import uuid
from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from decks.shared.refusals import Refused, render_records
from decks.shared.stated_reasons import StatedReason, state_reason
from rules.reason import Reason


class Job(models.Model):
    """One piece of work, from the moment it was requested until it is forgotten."""

    class State(models.TextChoices):
        QUEUED = "queued", pgettext_lazy("state", "Waiting")
        RUNNING = "running", pgettext_lazy("state", "Running")
        DONE = "done", pgettext_lazy("state", "Done")
        FAILED = "failed", pgettext_lazy("state", "Failed")
        CANCELLED = "cancelled", pgettext_lazy("state", "Canceled")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=64)
    payload = models.JSONField(default=dict, blank=True)
    key = models.CharField(
        max_length=200,
        blank=True,
        help_text="There is at most one waiting or running job of a kind and key.",
    )
    requested_by = models.CharField(max_length=200, blank=True)

    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    tries = models.PositiveSmallIntegerField(default=0)
    max_tries = models.PositiveSmallIntegerField(default=3)
    run_after = models.DateTimeField(default=timezone.now)
    hints = models.PositiveSmallIntegerField(default=0)
    hint_after = models.DateTimeField(default=timezone.now)
    claim = models.UUIDField(
        null=True,
        blank=True,
        help_text="The worker that holds the lease. Only this worker may finish the job.",
    )
    lease_until = models.DateTimeField(null=True, blank=True)
    cancel_requested = models.BooleanField(default=False)

    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(null=True, blank=True)
    progress_stage = models.JSONField(
        null=True, blank=True, help_text="The current step: a code with parameters."
    )

    result = models.JSONField(null=True, blank=True)
    result_file = models.CharField(max_length=250, blank=True, help_text="Path in the folder of job files.")
    error_code = models.CharField(max_length=64, blank=True)
    failure = models.JSONField(
        default=list, blank=True, help_text="Why it failed: problems as codes with parameters."
    )

    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [
            models.Index(fields=["state", "hint_after"], name="job_to_hint"),
            models.Index(fields=["state", "lease_until"], name="job_to_sweep"),
            models.Index(fields=["kind", "key", "created_at"], name="job_by_key"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "key"],
                condition=Q(state__in=["queued", "running"]) & ~Q(key=""),
                name="one_open_job_a_key",
            ),
            models.CheckConstraint(
                condition=Q(state="running", claim__isnull=False, lease_until__isnull=False)
                | (~Q(state="running") & Q(claim__isnull=True, lease_until__isnull=True)),
                name="job_is_leased_while_running",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} ({self.get_state_display().lower()})"

    @property
    def is_open(self) -> bool:
        """Whether the job still waits or runs."""
        return self.state in (self.State.QUEUED, self.State.RUNNING)

    @property
    def problems(self) -> list[dict[str, object]]:
        """Why the job failed, for programs."""
        return [Refused.from_record(each).to_json() for each in self.failure]

    @property
    def error(self) -> str:
        """Why the job failed, in words; empty for one that did not."""
        return render_records(self.failure)

    @property
    def progress_words(self) -> str:
        """Return the current step in words; empty until one was reported."""
        return self.progress.sentence if self.progress else ""

    @property
    def progress(self) -> StatedReason | None:
        """The current step, for programs and people; None until one was reported."""
        return state_reason(Reason.from_json(self.progress_stage)) if self.progress_stage else None

    @property
    def percent(self) -> int | None:
        """Progress from 0 to 100, or None while the total is unknown."""
        if self.state == self.State.DONE:
            return 100
        if not self.progress_total:
            return None
        return min(100, 100 * self.progress_done // self.progress_total)

    @property
    def file_path(self) -> Path | None:
        """Return the path of the file that the job made.

        None without a file, or for a path outside the job's folder.
        """
        if not self.result_file:
            return None
        files = Path(settings.JOB_FILES_DIR).resolve()
        path = (files / self.result_file).resolve()
        return path if path.is_relative_to(files / str(self.pk)) else None
