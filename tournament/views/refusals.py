"""Refusals of services as messages of a page."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.errors import Refused


def say(request: HttpRequest, refusal: Refused) -> None:
    """Show a refusal, each of its problems in a line of its own."""
    for problem in refusal.problems:
        messages.error(request, problem.message)


def form_too_old(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that came without its key: nothing is done, and a list that was written in it is shown again."""
    return render(request, "403_csrf.html", {"typed": typed(request)}, status=403)


def typed(request: HttpRequest) -> str:
    """The list in a form that could not be taken."""
    return request.POST.get("text", "")
