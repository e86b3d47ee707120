"""Remember the language that a visitor or an account chose."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpResponseBase

from tournament.languages.models import AccountLanguage
from tournament.languages.selectors import get_account_language


def choose_language(user: AbstractBaseUser | AnonymousUser, language: str) -> None:
    """Store the language of an account.

    For a visitor without an account, nothing is stored here.
    """
    if user.is_authenticated:
        AccountLanguage.objects.update_or_create(user_id=user.pk, defaults={"language": language})


def remember_language(response: HttpResponseBase, language: str) -> None:
    """Let this browser ask for the language from now on."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def remember_account_language(response: HttpResponseBase, user: AbstractBaseUser) -> None:
    """Let the browser in which an account signs in ask for its language."""
    language = get_account_language(user)
    if language:
        remember_language(response, language)
