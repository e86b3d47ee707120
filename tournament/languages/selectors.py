"""Read the language of an account, and list the languages that there are."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.utils.translation import get_language, get_language_info

from tournament.languages.choice import find_language
from tournament.languages.models import AccountLanguage


@dataclass(frozen=True, slots=True)
class OfferedLanguage:
    """A language to choose: its code, its own name and its direction.

    The direction says whether it is read from right to left.
    """

    code: str
    name: str
    is_rtl: bool
    is_current: bool


def list_languages() -> list[OfferedLanguage]:
    """Return all languages, each by the name that its readers give it."""
    current = get_language()
    return [
        OfferedLanguage(code, name, is_right_to_left(code), code == current)
        for code, name in settings.LANGUAGES
    ]


def is_right_to_left(code: str) -> bool:
    """Return whether a language is read from right to left."""
    try:
        return bool(get_language_info(code)["bidi"])
    except KeyError:
        return False


def get_account_language(user: AbstractBaseUser | AnonymousUser | None) -> str | None:
    """Return the language that an account chose, while it is still available.

    None if it chose none.
    """
    if user is None or not user.pk:
        return None
    language = AccountLanguage.objects.filter(user_id=user.pk).values_list("language", flat=True).first()
    return find_language(language) if language else None
