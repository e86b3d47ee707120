"""Imports of catalogue files: what was sent, what it would change, what was decided and what came of it."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone


class CatalogueImport(models.Model):
    """One file on its way into the catalogue.

    `base` is the stamp of the catalogue that the preview was made against; another stamp makes it stale.
    `decisions` holds "all" ("keep" or "take") and "each", by the tokens of conflicts. `preview` and `report`
    are kept after the file is gone, which without a decision is forgotten after `IMPORT_KEEP_DAYS`.
    """

    class State(models.TextChoices):
        READING = "reading", "Being read"
        OPEN = "open", "Waits for you"
        APPLYING = "applying", "Being written"
        DONE = "done", "Written"
        THROWN_AWAY = "thrown_away", "Thrown away"
        UNREADABLE = "unreadable", "Not readable"
        FORGOTTEN = "forgotten", "Forgotten"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    asked_game = models.CharField(max_length=32, blank=True)
    game = models.CharField(max_length=32, blank=True)
    file_name = models.CharField(max_length=200, blank=True)
    size = models.PositiveIntegerField()
    digest = models.CharField(max_length=64, help_text="SHA-256 of the file, in hexadecimal.")
    state = models.CharField(max_length=12, choices=State.choices, default=State.READING)
    base = models.CharField(max_length=64, blank=True)
    preview = models.JSONField(default=dict, blank=True)
    decisions = models.JSONField(default=dict, blank=True)
    report = models.JSONField(default=dict, blank=True)
    error = models.TextField(blank=True)
    job = models.ForeignKey(
        "decks.Job", null=True, blank=True, editable=False, on_delete=models.SET_NULL, related_name="+"
    )
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    sent_by_name = models.CharField(max_length=200, blank=True)
    sent_at = models.DateTimeField(default=timezone.now)
    finished_by_name = models.CharField(max_length=200, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-sent_at"]
        indexes = [models.Index(fields=["game", "sent_at"], name="import_by_game")]
        permissions = [("import_catalogue", "Can import catalogue files")]

    def __str__(self) -> str:
        return f"{self.file_name or 'Pasted text'} ({self.get_state_display().lower()})"

    @property
    def is_at_work(self) -> bool:
        """Whether a worker has the file: it is being read or written."""
        return self.state in (self.State.READING, self.State.APPLYING)

    @property
    def kept_until(self) -> datetime:
        """When the file is forgotten if nobody has decided on it by then."""
        return self.sent_at + timedelta(days=settings.IMPORT_KEEP_DAYS)

    def side(self, token: str) -> str:
        """What was decided of a conflict: "keep" (the default) or "take"."""
        each: dict[str, Any] = self.decisions.get("each", {})
        return str(each.get(token, self.decisions.get("all", "keep")))


class ImportedFile(models.Model):
    """The bytes of a file, compressed; they go once it is written or thrown away."""

    catalogue_import = models.OneToOneField(CatalogueImport, on_delete=models.CASCADE, related_name="file")
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"File of {self.catalogue_import_id}"
