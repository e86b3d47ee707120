"""Sites that may show an event's public pages within their own."""

from __future__ import annotations

from django.db import models


class EmbeddingSite(models.Model):
    """A site that may embed an event's pairings, standings and bracket.

    It is written as `https://host`.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="embedding_sites")
    origin = models.CharField(max_length=200)

    class Meta:
        ordering = ["origin"]
        constraints = [
            models.UniqueConstraint(fields=["event", "origin"], name="a_site_is_named_once_an_event")
        ]

    def __str__(self) -> str:
        return self.origin
