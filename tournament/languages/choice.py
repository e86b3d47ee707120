"""Choose the language of a response: the visitor's, the browser's or the event's."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation.trans_real import get_supported_language_variant, parse_accept_lang_header

MAX_HEADER_LENGTH = 400


def get_asked_language(request: HttpRequest) -> str | None:
    """Return the language that the visitor chose.

    Otherwise, it is the first that the browser asks for and that is available.
    """
    language = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    header = request.headers.get("Accept-Language", "")
    codes = (code for code, _ in parse_accept_lang_header(header[:MAX_HEADER_LENGTH]) if code != "*")
    return _first_known([language, *codes])


def _first_known(codes: Iterable[str]) -> str | None:
    for code in codes:
        if known_code := find_language(code):
            return known_code
    return None


def find_language(code: str) -> str | None:
    """Return the language that Ringside has for a code.

    For "de-at" it is "de". None if it has none.
    """
    try:
        return get_supported_language_variant(code)
    except LookupError:
        return None


def speak(language: str) -> AbstractContextManager[None]:
    """Use a language for all texts until the context ends.

    English is used if there is no such language.
    """
    return translation.override(find_language(language) or settings.LANGUAGE_CODE)


def speak_to_visitor(request: HttpRequest, language: str) -> AbstractContextManager[None]:
    """Speak the visitor's language, or this one if nothing is known of the visitor."""
    return speak(get_asked_language(request) or language)
