"""More time for a table after a deck check."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest

from tournament.access.actor import Actor
from tournament.clock import services as clock
from tournament.judging.models import DeckCheck
from tournament.judging.selectors import match_at
from tournament.web.console_page import attempt


def extend_table(request: HttpRequest, check: DeckCheck, minutes: int) -> None:
    """Give the table of a check its minutes, if it still plays; says so, or why not."""
    place = (check.stage, check.round, check.table)
    if not minutes or None in place:
        return
    match = match_at(check.event, check.stage or 0, check.round or 0, check.table or 0)
    if match is None or match.is_finished:
        messages.info(request, f"Table {check.table} has finished; it needs no more time.")
        return
    actor = Actor.of_user(request.user)
    attempt(
        request,
        lambda: clock.change_time(match.round, actor, minutes=minutes, match=match, reason="Deck check"),
        f"Table {check.table} has {minutes} more minutes.",
    )
