"""Refusals of services as messages of a page, and forms that could not be taken at all."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme

from decks.shared.refusals import Refused

# Why a part of a page was refused, for the script of that page: signed-out or form-too-old.
WHY = "X-Ringside-Why"
# Behind the address of a page: what was typed on it is put in again.
AGAIN = "typed=again"
# What a form carries that nobody typed.
CARRIED = frozenset(("csrfmiddlewaretoken", "next", "revision", "match", "show", "seen", "mark", "check"))


def say(request: HttpRequest, refusal: Refused) -> None:
    """Show a refusal, each of its problems in a line of its own."""
    for problem in refusal.problems:
        messages.error(request, problem.message)


def form_too_old(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that came without its key: nothing is done, and what was written in it is shown again."""
    answer = render(request, "403_csrf.html", _what_was_sent(request), status=403)
    answer[WHY] = "form-too-old"
    return answer


def signed_out(request: HttpRequest) -> HttpResponse:
    """A form of somebody who was signed out meanwhile: what was written, and the way back to its page."""
    answer = render(request, "tournament/web/signed_out.html", _what_was_sent(request), status=403)
    answer[WHY] = "signed-out"
    return answer


def _what_was_sent(request: HttpRequest) -> dict[str, Any]:
    return {"typed": typed(request), "way_back": way_back(request), "had_file": bool(request.FILES)}


def way_back(request: HttpRequest) -> str:
    """From a form that was not taken to its page, which puts in what was typed; empty for a page itself.

    Asks nobody, neither the database nor who is signed in. What stands behind the address makes it another
    one than that of the answer: a browser would stay where it is.
    """
    if request.method != "POST":
        return ""
    page = _page_of_the_form(request)
    return f"{page}{'&' if '?' in page else '?'}{AGAIN}"


def _page_of_the_form(request: HttpRequest) -> str:
    """The address within this site that the form was on; the one it was sent to where that is not known."""
    came_from = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(came_from, {request.get_host()}):
        return request.path
    parts = urlsplit(came_from)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def typed(request: HttpRequest) -> str:
    """What was written in a form that could not be taken: the one text, or each field with its name."""
    fields = {
        name: "\n".join(values)
        for name, values in request.POST.lists()
        if name not in CARRIED and not name.startswith("initial-") and "password" not in name
    }
    written = {name: text for name, text in fields.items() if text.strip()}
    if len(written) == 1:
        return next(iter(written.values()))
    return "\n".join(f"{name.replace('_', ' ').capitalize()}: {text}" for name, text in written.items())
