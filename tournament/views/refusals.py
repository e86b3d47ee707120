"""Refusals of services as messages of a page."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest

from tournament.errors import Refused


def say(request: HttpRequest, refusal: Refused) -> None:
    """Show a refusal, each of its problems in a line of its own."""
    for problem in refusal.problems:
        messages.error(request, problem.message)
