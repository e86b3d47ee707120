"""The log of an event: every change, by whom, why, and what it was before."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class LogEntry(models.Model):
    """One sentence about one step. The first entry of a step carries `changes`: rows before and after.

    `takes_back` names the entries that an undo took back; each of those points to it with `undone_by`.
    `about` lists the players and rounds concerned as words (" p12 r3 "), for the filters of the log.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="log")
    at = models.DateTimeField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="event_changes",
    )
    actor = models.CharField(max_length=120)
    action = models.CharField(max_length=40)
    sentence = models.CharField(max_length=400)
    reason = models.CharField(max_length=400, blank=True)
    changes = models.JSONField(default=list)
    head = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="further", editable=False
    )
    undone_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )
    takes_back = models.JSONField(default=list, editable=False)
    about = models.TextField(default="", blank=True, editable=False)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["event", "-id"], name="log_of_an_event")]

    def __str__(self) -> str:
        return self.sentence

    @property
    def is_undo(self) -> bool:
        """Whether this step took others back."""
        return bool(self.takes_back)

    @property
    def is_redo(self) -> bool:
        """Whether this step did again what another had taken back."""
        return self.action == "redone"
