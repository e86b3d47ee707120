"""Bring back what an archive holds of the clock of a round and of matches settled at time."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tournament.clock.models import ClockEntry, TimeSettlement
from tournament.clock.services import SEEDS
from tournament.engine.clock import draw_hidden_end
from tournament.events.models.round import Match, Round

Values = Mapping[str, Any]
Build = Callable[..., Any]


def restore_clock(played: Round, matches: Sequence[Match], values: Values, at: str, build: Build) -> None:
    """The facts of a round's clock; an end that was still hidden is drawn anew, for no archive tells it."""
    for index, row in enumerate(values.get("clock", [])):
        match = matches[row["match"]] if row["match"] is not None else None
        entry = build(ClockEntry, row, f"{at}.clock[{index}]", round=played, match=match)
        if entry.earliest is not None and entry.latest is not None and entry.drawn is None:
            entry.drawn = draw_hidden_end(secrets.randbelow(SEEDS), entry.earliest, entry.latest)
        entry.save(force_insert=True)


def restore_settlement(match: Match, values: Values, at: str, build: Build) -> None:
    """What was answered at the table when time was called."""
    if values.get("settlement"):
        build(TimeSettlement, values["settlement"], f"{at}.settlement", match=match).save(force_insert=True)
