"""The language of an account."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class AccountLanguage(models.Model):
    """The language in which an account reads pages and emails.

    An account without a row chose none.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    language = models.CharField(max_length=16)

    def __str__(self) -> str:
        return self.language
