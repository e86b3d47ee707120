"""What people of an event were told about a list that a later check found wanting."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class ListNotice(models.Model):
    """One person told once of one round of checking: a player of his own list, or staff of the event's lists.

    The row is written before the mail goes out, so that nobody hears of the same thing twice; `mail` says
    what became of it. `rechecked` is the verdict that a player is told of. In an archive the players'
    notices travel; staff is known by account only.
    """

    class Mail(models.TextChoices):
        NONE = "none", "No address"
        WAITING = "waiting", "To be sent"
        SENT = "sent", "Handed to the mail server"
        FAILED = "failed", "Not taken by the mail server"

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="list_notices")
    recheck = models.ForeignKey(
        "decks.Recheck", null=True, blank=True, on_delete=models.SET_NULL, related_name="notices"
    )
    player = models.ForeignKey(
        "tournament.Player", null=True, blank=True, on_delete=models.CASCADE, related_name="list_notices"
    )
    rechecked = models.ForeignKey(
        "decks.Rechecked", null=True, blank=True, on_delete=models.CASCADE, related_name="notices"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="list_notices"
    )
    written_at = models.DateTimeField()
    mail = models.CharField(max_length=7, choices=Mail.choices, default=Mail.NONE)
    mail_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["rechecked"], name="one_notice_a_later_verdict"),
            models.UniqueConstraint(
                fields=["event", "recheck", "user"], name="one_notice_a_recheck_and_staff"
            ),
            models.CheckConstraint(
                condition=Q(player__isnull=False, rechecked__isnull=False, user__isnull=True)
                | Q(player__isnull=True, rechecked__isnull=True, user__isnull=False),
                name="a_notice_is_for_one_person",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}: notice for {self.player or self.user}"
