"""Cards that an organizer added for one event, beside those of the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

from decks.importers.model import DeckLine
from decks.matching.catalogue import CatalogueCard, index_printing, rank_dots
from decks.matching.index import CardIndex
from decks.matching.model import CardSuggestion, LineMatch, SearchBudget


class AddedCardRecord(TypedDict):
    """A card as an event and the verdicts under it keep it.

    `facts` hold its set and number too.
    """

    key: str
    name: str
    facts: dict[str, object]


def make_added_cards(records: Iterable[AddedCardRecord]) -> dict[str, CatalogueCard]:
    """Return the cards by their keys, each with one printing."""
    cards = {}
    for record in records:
        facts: Mapping[str, object] = {**record["facts"], "name": record["name"]}
        printings = {record["key"]: dict(facts)}
        cards[record["key"]] = CatalogueCard(record["key"], record["name"], rank_dots(facts), printings)
    return cards


def index_added_cards(game: str, cards: Mapping[str, CatalogueCard]) -> CardIndex:
    """Index the added cards alone."""
    return CardIndex(index_printing(game, key, card, card.printings[key]) for key, card in cards.items())


class JoinedIndex(CardIndex):
    """Finds the cards of a catalogue and those added to it.

    A name that both know belongs to the catalogue.
    """

    def __init__(self, index: CardIndex, added_index: CardIndex) -> None:
        self._tables = index._tables
        self._catalogue, self._added_index = index, added_index

    def resolve(self, line: DeckLine, budget: SearchBudget | None = None) -> LineMatch:
        """Return what a line names.

        The catalogue is searched first, then the added cards.
        """
        added_match = self._added_index.resolve(line, SearchBudget(0))
        if not added_match.meant_keys and added_match.status != "ambiguous":
            return self._catalogue.resolve(line, budget)
        catalogue_match = self._catalogue.resolve(line, SearchBudget(0))
        is_in_catalogue = catalogue_match.meant_keys or catalogue_match.status == "ambiguous"
        return catalogue_match if is_in_catalogue else added_match

    def states_set(self, mark: str) -> bool:
        """Return whether words beside a name state a set of either."""
        return self._catalogue.states_set(mark) or self._added_index.states_set(mark)

    def search(self, text: str, limit: int = 10) -> tuple[CardSuggestion, ...]:
        """Return cards for what has been typed so far, best first, of both."""
        hits: Sequence[CardSuggestion] = (
            *self._added_index.search(text, limit),
            *self._catalogue.search(text, limit),
        )
        return tuple(sorted(hits, key=lambda each: -each.score)[:limit])
