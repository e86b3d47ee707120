"""The tables of the lower app: catalogue, submitted and checked lists, editions of lists, background jobs."""

from decks.catalogue.models.cards import Card, CardSet, CatalogueState, Printing
from decks.catalogue.models.imports import CatalogueImport, ImportedFile
from decks.editions.models import ListEdition
from decks.jobs.models import Job
from decks.rechecks.models import Recheck, RecheckPart
from decks.shared.kept_rows import Unchangeable
from decks.submissions.models import DeckList, DeckVersion, ListAnswer, Outcome, Rechecked, Ruling

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
