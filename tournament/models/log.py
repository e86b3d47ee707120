"""The log of an event: every change, by whom, why, and what it was before."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class LogEntry(models.Model):
    """One change. `changes` lists the rows touched with their former and later values."""

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

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["event", "-id"], name="log_of_an_event")]

    def __str__(self) -> str:
        return self.sentence
