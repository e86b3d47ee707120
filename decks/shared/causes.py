"""Why stored lists are checked again: reasons in rows, words where they are read."""

from __future__ import annotations

from datetime import date

from decks.shared.wording import format_reason
from rules.reason import Reason, reasons_from_json
from rules.wording import describe_calendar_day


def render_causes(stored_causes: object) -> str:
    """Render causes as rows hold them, without the last full stop.

    Raises ValueError for anything else.
    """
    return ". ".join(format_reason("reason", each) for each in reasons_from_json(stored_causes))


def describe_day(day: date) -> Reason:
    """Return a day as a part of a sentence: "Tue 1 Dec 2026"."""
    return Reason("calendar_day", describe_calendar_day(day))
