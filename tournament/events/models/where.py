"""From tournament.models.judging."""

from __future__ import annotations

from django.db import models


class Where(models.Model):
    """Where something happened; empty before the first round."""

    stage = models.PositiveSmallIntegerField(null=True, blank=True)
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    table = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def place(self) -> tuple[int, int]:
        """Stage and round as a pair that sorts as the event is played; zeros before the first round."""
        return self.stage or 0, self.round or 0
