"""Signed-in devices, and attempts counted for rate limits."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Device(models.Model):
    """A browser in which somebody is signed in. Taking its session away signs it out."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="devices")
    session_key = models.CharField(max_length=40, unique=True)
    name = models.CharField(max_length=80, help_text="What kind of browser, as far as it says.")
    signed_in_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ["-seen_at", "-id"]

    def __str__(self) -> str:
        return f"{self.user} on {self.name}"


class Attempt(models.Model):
    """One try to sign in, create an account or reset a password."""

    kind = models.CharField(max_length=16)
    key = models.CharField(max_length=64, help_text="Digest of who tried: a network address or a mailbox.")
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["kind", "key", "at"], name="attempts_by_key")]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at:%H:%M}"
