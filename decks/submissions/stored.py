"""From decks.judging."""

from __future__ import annotations

from datetime import date

from decks.checking.judge import Stored, Terms
from decks.checking.result import CheckedLine, unread
from decks.submissions.models import DeckVersion


def terms_of(version: DeckVersion, on: date | None) -> Terms:
    """The terms that a version was submitted under, on another day."""
    held = version.deck_list
    return Terms(held.format_key, held.rules_version, on, version.judged_under.get("overlay"))


def stored_of(version: DeckVersion) -> Stored:
    """The version as values; where it was called legal, its lines need no second look."""
    if version.outcome == "legal":
        return Stored(version.entries, version.options)
    lines = [CheckedLine.from_json(line) for line in version.lines]
    problems = version.judged_under["problems"]
    unclear = {line.number: line for line in lines if not line.is_resolved}
    is_read = not unclear and not problems
    return Stored(version.entries, version.options, unread(lines, problems), unclear, is_read)
