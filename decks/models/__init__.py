"""The tables of the lower app: catalogue, submitted and checked lists, editions of lists, background jobs."""

from decks.models.catalogue import Card, CardSet, CatalogueState, Printing
from decks.models.editions import ListEdition
from decks.models.importing import CatalogueImport, ImportedFile
from decks.models.job import Job
from decks.models.recheck import Recheck, Rechecked, RecheckPart
from decks.models.submission import DeckList, DeckVersion, ListAnswer, Outcome, Ruling, Unchangeable

__all__ = [
    "Card",
    "CardSet",
    "CatalogueImport",
    "CatalogueState",
    "DeckList",
    "DeckVersion",
    "ImportedFile",
    "Job",
    "ListAnswer",
    "ListEdition",
    "Outcome",
    "Printing",
    "Recheck",
    "RecheckPart",
    "Rechecked",
    "Ruling",
    "Unchangeable",
]
