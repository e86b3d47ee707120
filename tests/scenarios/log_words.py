"""Lines of a log in words, as the pages show them to someone with all rights."""

from __future__ import annotations

from collections.abc import Iterable

from tournament.leagues.models import LeagueLine
from tournament.leagues.selectors import show_lines
from tournament.log.models import LogEntry
from tournament.log.wording import show_entries


def words_of(line: LogEntry | LeagueLine) -> str:
    """Return the sentence of one line."""
    return (show_entries([line]) if isinstance(line, LogEntry) else show_lines([line]))[0].sentence


def all_words(lines: Iterable[LogEntry]) -> list[str]:
    """Return the sentences of several lines, in their order."""
    return [entry.sentence for entry in show_entries(lines)]
