"""Infractions, penalty levels and the penalties of players."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from tournament.events.models.round import EventLocation


class Infraction(models.TextChoices):
    """The infraction.

    The games' documents are silent; this list is a Ringside default.
    """

    LATE = "late", gettext_lazy("Late to the table")
    LIST = "list", gettext_lazy("Mistake in the submitted decklist")
    DECK = "deck", gettext_lazy("Deck differs from the decklist")
    PLAY = "play", gettext_lazy("Mistake in play")
    SLOW = "slow", gettext_lazy("Slow play")
    OUTSIDE = "outside", gettext_lazy("Coaching or scouting")
    CONDUCT = "conduct", gettext_lazy("Unsporting conduct")
    CHEATING = "cheating", gettext_lazy("Cheating")
    OTHER = "other", gettext_lazy("Something else")


class PenaltyLevel(models.TextChoices):
    """The penalty levels, mildest first.

    The games' documents are silent; these levels are Ringside defaults.
    """

    NOTE = "note", pgettext_lazy("penalty", "Note")
    WARNING = "warning", pgettext_lazy("penalty", "Warning")
    GAME_LOSS = "game_loss", gettext_lazy("Game loss")
    MATCH_LOSS = "match_loss", gettext_lazy("Match loss")
    DISQUALIFICATION = "disqualification", gettext_lazy("Disqualification")


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
        """Return what it was for, in which round, and the note: “Slow play, round 2.

        Third time today”.
        """
        return self._add_note(self._summarize())

    @property
    def summary_for_player(self) -> str:
        """The same, and whether it still counts."""
        summary = self._summarize()
        if self.is_next:
            summary = gettext("%(summary)s (counts in your next match)") % {"summary": summary}
        return self._add_note(summary)

    def _summarize(self) -> str:
        infraction = str(self.get_infraction_display())
        if not self.round:
            return infraction
        return gettext("%(infraction)s, round %(round)s") % {"infraction": infraction, "round": self.round}

    def _add_note(self, summary: str) -> str:
        if not self.note:
            return summary
        return gettext("%(summary)s. %(note)s") % {"summary": summary, "note": self.note}
