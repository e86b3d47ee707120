"""Phones that asked to be notified of one player."""

from __future__ import annotations

from django.db import models


class PushSubscription(models.Model):
    """One browser notified of what changes for one player, until the event is over.

    It is no part of the event: no log has it, and no archive. `link` is the digest of the private link under
    which the browser asked; with a new link the subscription ends. `words` were said last, `digest` and
    `version` are what they were said of.
    """

    player = models.ForeignKey("tournament.Player", on_delete=models.CASCADE, related_name="+")
    endpoint = models.CharField(max_length=1000)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    link = models.CharField(max_length=64)
    language = models.CharField(max_length=16)
    created_at = models.DateTimeField()
    version = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=40, blank=True)
    words = models.CharField(max_length=400, blank=True)
    failures = models.PositiveSmallIntegerField(default=0)
    retry_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "endpoint"], name="one_subscription_a_browser"),
        ]

    def __str__(self) -> str:
        return f"A phone of {self.player}"
