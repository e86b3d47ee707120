"""Infractions, penalty levels and the penalties of players."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tournament.events.models.round import EventLocation


class Infraction(models.TextChoices):
    """What went wrong. The games' documents are silent; this list is ours."""

    LATE = "late", "Late to the table"
    LIST = "list", "Mistake in the registered list"
    DECK = "deck", "Deck differs from the list"
    PLAY = "play", "Mistake in play"
    SLOW = "slow", "Slow play"
    OUTSIDE = "outside", "Coaching or scouting"
    CONDUCT = "conduct", "Unsporting conduct"
    CHEATING = "cheating", "Cheating"
    OTHER = "other", "Something else"


class PenaltyLevel(models.TextChoices):
    """The steps of the ladder, mildest first. The games' documents are silent; this ladder is ours."""

    NOTE = "note", "Note"
    WARNING = "warning", "Warning"
    GAME_LOSS = "game_loss", "Game loss"
    MATCH_LOSS = "match_loss", "Match loss"
    DISQUALIFICATION = "disqualification", "Disqualification"


class Penalty(EventLocation):
    """A player's infraction and its penalty level.

    `is_next` of a game or match loss: it counts in the player's next match, not in the one of `round`.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="penalties")
    player = models.ForeignKey("tournament.Player", on_delete=models.CASCADE, related_name="penalties")
    deck_check = models.ForeignKey(
        "tournament.DeckCheck", null=True, blank=True, on_delete=models.SET_NULL, related_name="penalties"
    )
    infraction = models.CharField(max_length=12, choices=Infraction.choices)
    degree = models.CharField(max_length=16, choices=PenaltyLevel.choices)
    note = models.CharField(max_length=400, blank=True)
    is_next = models.BooleanField(default=False)
    given_at = models.DateTimeField()
    given_by = models.CharField(max_length=120)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "penalties"
        constraints = [
            models.CheckConstraint(condition=Q(infraction__in=Infraction.values), name="infraction_is_known"),
            models.CheckConstraint(condition=Q(degree__in=PenaltyLevel.values), name="degree_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.get_degree_display()} of {self.player}"

    @property
    def summary(self) -> str:
        """What it was for, in which round, and the note: “slow play, round 2. Third time today”."""
        return self._summarize("")

    @property
    def summary_for_player(self) -> str:
        """The same, and whether it still counts."""
        return self._summarize("; it counts in your next match" if self.is_next else "")

    def _summarize(self, counts: str) -> str:
        where = f", round {self.round}" if self.round else ""
        note = f". {self.note}" if self.note else ""
        return f"{self.get_infraction_display().lower()}{where}{counts}{note}"
