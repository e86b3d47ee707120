"""Staff invitations, and digests of private links that were replaced."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from tournament.events.models.event import StaffRole


def new_invitation_token() -> str:
    """Return an address that cannot be guessed: 144 random bits."""
    return secrets.token_urlsafe(18)


def hash_token(token: str) -> str:
    """Return the digest of a replaced private link: enough to recognize it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class Invitation(models.Model):
    """A link to join the staff in one role, until used up, expired or revoked."""

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="invitations")
    kind = models.CharField(
        max_length=12,
        choices=[choice for choice in StaffRole.Kind.choices if choice[0] != StaffRole.Kind.OWNER],
    )
    token = models.CharField(max_length=32, unique=True, default=new_invitation_token, editable=False)
    note = models.CharField(
        max_length=120, blank=True, help_text="A note for you on who gets the invitation."
    )
    uses = models.PositiveSmallIntegerField(default=1, help_text="How many people can use it to join.")
    used = models.PositiveSmallIntegerField(default=0, editable=False)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="an_invitation_is_used_at_most_so_often", condition=Q(used__lte=F("uses"))
            ),
            models.CheckConstraint(name="nobody_is_invited_as_owner", condition=~Q(kind="owner")),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.event}"

    def is_open(self, now: datetime) -> bool:
        """Return whether it can still be used to join."""
        return self.revoked_at is None and self.used < self.uses and now < self.expires_at


class RetiredLink(models.Model):
    """A player's private link that a new one replaced.

    Only its digest is kept.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="retired_links")
    digest = models.CharField(max_length=64, unique=True)
    retired_at = models.DateTimeField()

    class Meta:
        ordering = ["digest"]

    def __str__(self) -> str:
        return f"a replaced link of {self.event}"


def find_retired_link(token: str) -> RetiredLink | None:
    """Return what this was once, if it was a private link; with its event."""
    return RetiredLink.objects.filter(digest=hash_token(token)).select_related("event").first()
