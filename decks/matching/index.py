"""A line of a deck file to a card of the catalogue, or suggestions; and search as one types.

    index = CardIndex(printings)
    index.resolve(line).card_key
    index.search("kem", 10)

Nothing here knows a database: the caller hands over the printings and keeps the index while they hold.
"""

from __future__ import annotations

from collections.abc import Iterable

from decks.importers.model import Line
from decks.matching.fuzzy import Finder
from decks.matching.matching import Matcher
from decks.matching.model import Match, Printing, Status, Suggestion
from decks.matching.tables import Tables

__all__ = ["CardIndex", "Match", "Printing", "Status", "Suggestion"]


class CardIndex:
    """A catalogue ready for matching and searching; it never changes once made, so share it freely."""

    def __init__(self, printings: Iterable[Printing]) -> None:
        self._tables = Tables(printings)
        self._finder = Finder(self._tables)
        self._matcher = Matcher(self._tables, self._finder)

    def resolve(self, line: Line) -> Match:
        """What a line of a parsed deck names; never raises and never guesses.

        Lines that cannot be a card give the status `not-a-card`; a heading that is also the name of a
        card is `ambiguous`. Only `exact` and `normalised` name a card.
        """
        return self._matcher.match(line)

    def search(self, text: str, limit: int = 10) -> tuple[Suggestion, ...]:
        """Cards for what has been typed so far, best first, each card once; at most `limit`."""
        return self._finder.search(text, limit)
