"""Why stored lists are checked again: reasons in rows, words where they are read."""

from __future__ import annotations

from datetime import date

from decks.shared.wording import format_reason
from rules.reason import Reason, reason, reasons_from_json


def render_causes(stored: object) -> str:
    """Causes as rows hold them in words, without the last full stop. Raises ValueError for anything else."""
    return ". ".join(format_reason("reason", each) for each in reasons_from_json(stored))


def describe_day(day: date) -> Reason:
    """A day as a part of a sentence: "1 December 2026"."""
    return reason("calendar_day", day=day.day, month=day.month, year=day.year)
