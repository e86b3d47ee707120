"""Match deck lines to cards of a catalogue, and search as one types.

    index = CardIndex(printings)
    index.resolve(line).card_key
    index.search("kem", 10)

Nothing here knows a database: the caller hands over the printings and keeps the index while they hold.
"""

from __future__ import annotations

from collections.abc import Iterable

from decks.importers.model import DeckLine
from decks.matching.fuzzy import FuzzyFinder
from decks.matching.lines import LineMatcher, add_labels
from decks.matching.lookup import LookupTables
from decks.matching.model import CardSuggestion, IndexedPrinting, LineMatch, MatchStatus, SearchBudget
from decks.matching.twins import Twins

__all__ = ["CardIndex", "CardSuggestion", "IndexedPrinting", "LineMatch", "MatchStatus", "SearchBudget"]


class CardIndex:
    """A catalogue ready for matching and searching.

    It never changes once made, so it can be shared freely.
    """

    def __init__(self, printings: Iterable[IndexedPrinting]) -> None:
        self._tables = LookupTables(printings)
        self._finder = FuzzyFinder(self._tables)
        self._matcher = LineMatcher(self._tables, self._finder.near)
        add_labels(self._tables)

    @property
    def twins(self) -> Twins:
        """The cards that no fact tells apart, by the key of the first of them."""
        return self._tables.twins

    def resolve(self, line: DeckLine, budget: SearchBudget | None = None) -> LineMatch:
        """Return what a line of a parsed deck names; never raises and never guesses.

        Lines that cannot be a card give the status `not-a-card`; a heading that is also the name of a
        card is `ambiguous`. Only `exact` and `normalised` name a card. An unknown name is searched for
        similar ones as long as the budget of its list lasts, then it is `not-searched`.
        """
        return self._matcher.resolve(line, budget)

    def states_set(self, mark: str) -> bool:
        """Return whether words beside a name state a set of the catalogue."""
        return self._matcher.states_set(mark)

    def search(self, text: str, limit: int = 10) -> tuple[CardSuggestion, ...]:
        """Return cards for what has been typed so far.

        They are best first, each card once, and at most `limit`.
        """
        return self._finder.search(text, limit)
