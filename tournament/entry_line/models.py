"""Accepted lines typed at the desk, each by the key that the browser gave it."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class AcceptedEntry(models.Model):
    """An accepted line.

    A browser that lost the answer sends the line again and finds it here. `line_hash` tells whether it is the
    same line; `log_entry` is its step, if it changed anything.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.UUIDField()
    line_hash = models.CharField(max_length=64)
    log_entry = models.ForeignKey(
        "tournament.LogEntry", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    accepted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="entry_accepted_once")]

    def __str__(self) -> str:
        return str(self.key)
