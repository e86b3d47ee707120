"""Tables of rechecks: stored lists checked again after a list changed.

A verdict on record never changes: what a new check says is a row of its own beside it.
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from decks.editions.models import ListEdition
from decks.shared.causes import render_causes
from decks.shared.stated_reasons import StatedReason, state_reason
from rules.reason import reasons_from_json

# Kind of the background job that looks ahead; those of a recheck are in `chain.py`.
CONSEQUENCES_JOB = "would_break"


class Recheck(models.Model):
    """One round of rechecking the lists of coming events, and its progress.

    `causes` are the reasons for it; `since` the day from which the new edition holds (None: always). Without
    an edition one event alone is meant, its `occasion`: what its lists are held to has changed. Without both,
    the catalogue of the game has changed. `total` is None until the lists have been counted. One that was
    canceled has ended as well.
    """

    game = models.CharField(max_length=32)
    edition = models.ForeignKey(
        ListEdition, null=True, blank=True, on_delete=models.PROTECT, related_name="rechecks"
    )
    occasion = models.PositiveBigIntegerField(null=True, blank=True)
    causes = models.JSONField(default=list)
    since = models.DateField(null=True, blank=True)
    asked_by = models.CharField(max_length=160, blank=True)
    asked_at = models.DateTimeField()
    total = models.PositiveIntegerField(null=True, blank=True)
    cancelled_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["edition"],
                condition=Q(ended_at__isnull=True),
                name="one_open_recheck_an_edition",
            ),
            models.CheckConstraint(
                condition=Q(cancelled_at__isnull=True) | Q(ended_at__isnull=False),
                name="a_cancelled_recheck_has_ended",
            ),
        ]

    def __str__(self) -> str:
        return self.cause

    @property
    def is_of_catalogue(self) -> bool:
        """Return whether a change of the catalogue is the cause.

        Then lists of all events are checked.
        """
        return self.edition_id is None and self.occasion is None

    @property
    def cause(self) -> str:
        """Why the lists are checked again, in words without the last full stop."""
        return render_causes(self.causes)

    @property
    def stated_causes(self) -> list[StatedReason]:
        """The causes with their codes and facts."""
        return [state_reason(each) for each in reasons_from_json(self.causes)]


class RecheckPart(models.Model):
    """A share of a recheck that one worker does.

    It is the lists with ids from `first` to `last`, both included.
    """

    recheck = models.ForeignKey(Recheck, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    first = models.BigIntegerField()
    last = models.BigIntegerField()
    lists = models.PositiveIntegerField()
    checked_count = models.PositiveIntegerField(default=0)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["recheck", "number"]
        constraints = [
            models.UniqueConstraint(fields=["recheck", "number"], name="one_recheck_part_a_number"),
            models.CheckConstraint(condition=Q(first__lte=F("last")), name="recheck_part_runs_up"),
        ]

    def __str__(self) -> str:
        return f"part {self.number} of recheck {self.recheck_id}"
