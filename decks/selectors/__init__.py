"""Everything that reads lists or the catalogue; nothing here writes."""

from decks.selectors.cards import card_page, search_cards
from decks.selectors.catalogue import Catalogue, catalogue
from decks.selectors.lists import as_checked, as_deck, current_version, ruling, standing_outcome, versions

__all__ = [
    "Catalogue",
    "as_checked",
    "as_deck",
    "card_page",
    "catalogue",
    "current_version",
    "ruling",
    "search_cards",
    "standing_outcome",
    "versions",
]
