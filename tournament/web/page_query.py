"""Query parameters that choose what a page shows: a value that does not exist is not found."""

from __future__ import annotations

from collections.abc import Collection

from django.http import Http404, HttpRequest

MAX_DIGITS = 9


def read_choice(request: HttpRequest, name: str, choices: Collection[str]) -> str:
    """One of the choices; empty without the parameter. Raises Http404 for another value."""
    value = request.GET.get(name, "")
    if value and value not in choices:
        raise Http404(f"“{name}” is one of {', '.join(choices)}.")
    return value


def read_number(request: HttpRequest, name: str, numbers: Collection[int] | None = None) -> int | None:
    """A whole number, one of `numbers` if given; None without the parameter. Raises Http404 for others."""
    text = request.GET.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
        raise Http404(f"“{name}” is a whole number.")
    if numbers is not None and int(text) not in numbers:
        raise Http404(f"There is no {name} {text}.")
    return int(text)
