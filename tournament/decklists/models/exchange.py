"""Exchanges with the sideboard that a judge held against the registered list."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from decks.submissions.models import Outcome


class ExchangeCheck(models.Model):
    """One exchange as it was presented at the table, and the verdict on it (UFS 101.4, 101.5).

    `stage` and `round` are plain numbers: a round that is taken back does not take the record with it.
    `taken_out` and `brought_in` hold records with `card`, `name` and `qty`.
    """

    player = models.ForeignKey("tournament.Player", on_delete=models.CASCADE, related_name="exchange_checks")
    version = models.ForeignKey("decks.DeckVersion", on_delete=models.PROTECT, related_name="exchange_checks")
    stage = models.PositiveSmallIntegerField(null=True, blank=True)
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    game_in_round = models.PositiveSmallIntegerField()
    taken_out = models.JSONField(default=list, blank=True)
    brought_in = models.JSONField(default=list, blank=True)
    verdict = models.JSONField()
    outcome = models.CharField(max_length=8, choices=Outcome.choices)
    checked_at = models.DateTimeField()
    checked_by = models.CharField(max_length=120)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(game_in_round__gte=1), name="games_of_a_round_start_at_one"),
            models.CheckConstraint(condition=Q(outcome__in=Outcome.values), name="exchange_outcome_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.player}, game {self.game_in_round}: {self.get_outcome_display()}"
