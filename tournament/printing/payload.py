"""Wishes for paper as they travel to the worker: read back from a job's payload."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from decks.jobs.handlers import JobFailed
from tournament.events.models.event import Event
from tournament.printing.registry import Sheet, round_for, sheet_or_404
from tournament.printing.request import Asked


def read(payload: Mapping[str, Any], now: datetime) -> tuple[Sheet, Asked]:
    """The sheet and the wish. Raises JobFailed for an event, round or player that is gone by now."""
    event = Event.objects.filter(pk=payload["event"]).first()
    if event is None:
        raise JobFailed("event_gone", "The event no longer exists.")
    sheet = sheet_or_404(payload["sheet"])
    shown = round_for(event, payload["stage"], payload["round"])
    if shown is None and sheet.of_a_round:
        raise JobFailed("round_gone", "The round no longer exists.")
    number = payload.get("player")
    player = event.players.filter(number=number).select_related("deck_list__current").first()
    if number is not None and player is None:
        raise JobFailed("player_gone", "The player is no longer in the event.")
    return sheet, Asked(
        event=event,
        round=shown,
        paper=payload["paper"],
        now=now,
        base=payload.get("base", ""),
        player=player if number is not None else None,
        is_blank=bool(payload.get("blank")),
    )
