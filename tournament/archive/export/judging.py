"""What judges kept, in an event's archive: rows point to each other by their places in these lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import models

from tournament.events.models.event import Event

Values = dict[str, Any]


def judging_rows(event: Event, plain: Callable[[models.Model], Values]) -> Values:
    """Draws, deck checks, penalties, calls and rulings, each in the order they were made."""
    draws = list(event.check_draws.order_by("pk"))
    checks = list(event.deck_checks.select_related("player", "version").order_by("pk"))
    calls = list(event.judge_calls.select_related("player").order_by("pk"))
    of_draw, of_check, of_call = _places(draws), _places(checks), _places(calls)
    return {
        "check_draws": [plain(draw) for draw in draws],
        "deck_checks": [
            {
                **plain(check),
                "player": check.player.number,
                "list_version": check.version.number if check.version else None,
                "draw": of_draw.get(check.draw_id),
            }
            for check in checks
        ],
        "penalties": [
            {**plain(p), "player": p.player.number, "deck_check": of_check.get(p.deck_check_id)}
            for p in event.penalties.select_related("player").order_by("pk")
        ],
        "judge_calls": [{**plain(call), "player": call.player.number} for call in calls],
        "table_rulings": [
            {
                **plain(ruling),
                "player": ruling.player.number if ruling.player else None,
                "call": of_call.get(ruling.call_id),
            }
            for ruling in event.table_rulings.select_related("player").order_by("pk")
        ],
    }


def _places(rows: list[Any]) -> dict[int | None, int]:
    return {row.pk: place for place, row in enumerate(rows)}
