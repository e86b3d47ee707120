"""Query parameters that choose what a page shows.

A value that does not exist is not found.
"""

from __future__ import annotations

from collections.abc import Collection

from django.http import Http404, HttpRequest
from django.utils.translation import gettext

from rules.rendering import get_messages

MAX_DIGITS = 9


def read_choice(request: HttpRequest, name: str, choices: Collection[str]) -> str:
    """Return one of the choices; empty without the parameter.

    Raises Http404 for another value.
    """
    value = request.GET.get(name, "")
    if value and value not in choices:
        sentence = gettext("“%(name)s” must be one of %(choices)s.")
        raise Http404(sentence % {"name": name, "choices": get_messages().join([*choices])})
    return value


def read_number(request: HttpRequest, name: str, numbers: Collection[int] | None = None) -> int | None:
    """Return a whole number, one of `numbers` if given; None without the parameter.

    Raises Http404 for others.
    """
    text = request.GET.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
        raise Http404(gettext("“%(name)s” must be a whole number.") % {"name": name})
    if numbers is not None and int(text) not in numbers:
        raise Http404(gettext("There is no %(name)s %(number)s.") % {"name": name, "number": text})
    return int(text)
