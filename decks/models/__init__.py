"""The tables of the lower app: catalogue, submitted lists, background jobs."""

from decks.models.catalogue import Card, CardSet, CatalogueState, Printing
from decks.models.job import Job
from decks.models.submission import DeckList, DeckVersion, Outcome, Ruling, Unchangeable

__all__ = [
    "Card",
    "CardSet",
    "CatalogueState",
    "DeckList",
    "DeckVersion",
    "Job",
    "Outcome",
    "Printing",
    "Ruling",
    "Unchangeable",
]
