"""Text beside the names of a list that tells nothing of a card.

Finds remarks, prices and categories.
"""

from __future__ import annotations

from collections.abc import Iterator

from decks.importers.model import DeckLine, ParsedDeck
from decks.importers.tags import is_finish
from decks.matching.catalogue import KnownCards
from rules.reason import Reason, reason

MOST_SHOWN = 5

_SAID_AT_LINE = frozenset({"zone_marked", "set_aside"})


def find_unread_marks(parsed_deck: ParsedDeck, catalogue: KnownCards) -> tuple[Reason, ...]:
    """Name the marks of card lines that nothing came of; none if all were read."""
    marks = (mark for line in parsed_deck.lines if line.kind == "card" for mark in _get_silent_marks(line))
    unread = [mark for mark in dict.fromkeys(marks) if not catalogue.index.states_set(mark)]
    if not unread:
        return ()
    first_marks = tuple(unread[:MOST_SHOWN])
    return (reason("marks_not_read", marks=first_marks, more=len(unread) - len(first_marks)),)


def _get_silent_marks(line: DeckLine) -> Iterator[str]:
    """Return the marks of a line that have no notice.

    A finish is left out, because it chooses the printing of the card.
    """
    noticed_words = {notice.params.get("words") for notice in line.notices if notice.code in _SAID_AT_LINE}
    return (mark for mark in line.ignored_marks if mark not in noticed_words and not is_finish(mark))
