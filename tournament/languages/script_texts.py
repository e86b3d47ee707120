"""Texts of scripts in one language, sent as a script that comes before them."""

from __future__ import annotations

import hashlib
from functools import cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from tournament.languages.choice import speak

A_YEAR = 365 * 24 * 3600


class ScriptTexts(JavaScriptCatalog):
    """Our own texts alone, not those that the scripts of other packages say."""

    def get_paths(self, packages: list[str]) -> list[str]:
        """Return the folders of our translations."""
        return list(settings.LOCALE_PATHS)


@require_safe
def script_texts(request: HttpRequest, language: str) -> HttpResponse:
    """Return the texts of a language.

    Browsers keep them as long as the address has the same mark.
    """
    if language not in dict(settings.LANGUAGES):
        raise Http404(gettext("There is no such language."))
    response = HttpResponse(_write_texts(language), content_type="text/javascript; charset=utf-8")
    is_current = request.GET.get("v") == get_mark(language)
    response["Cache-Control"] = f"public, max-age={A_YEAR}, immutable" if is_current else "no-cache"
    return response


@cache
def _write_texts(language: str) -> bytes:
    with speak(language):
        return bytes(ScriptTexts(packages=["config"]).get(HttpRequest()).content)


@cache
def get_mark(language: str) -> str:
    """Return a mark that changes with the texts of a language."""
    return hashlib.blake2b(_write_texts(language), digest_size=6).hexdigest()
