"""Answer each request in the language of its reader."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import patch_vary_headers

from tournament.languages.choice import get_asked_language, speak


class LanguageMiddleware:
    """Speaks the language that the visitor chose or that the browser asks for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer in the requested language.

        Caches are told that the answer depends on what was requested.
        """
        with speak(get_asked_language(request) or settings.LANGUAGE_CODE):
            response = self.get_response(request)
        patch_vary_headers(response, ["Accept-Language"])
        return response
