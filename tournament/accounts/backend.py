"""Sign-in by e-mail and password with Django's own users."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest


def normalise_email(typed_email: str) -> str:
    """The spelling under which an e-mail address is stored as user name: trimmed, lower case."""
    return typed_email.strip().lower()


class EmailBackend(ModelBackend):
    """Find the user whose name is the typed e-mail address, however it was capitalised."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **credentials: Any,
    ) -> AbstractBaseUser | None:
        """The user, or None; `email` is understood as another word for `username`."""
        typed_email = username or credentials.get("email")
        if typed_email is None or password is None:
            return None
        return super().authenticate(request, username=normalise_email(typed_email), password=password)
