"""Registers the models of this app with Django."""

from decks.catalogue.models import Card, CardSet, CatalogueImport, CatalogueState, ImportedFile, Printing
from decks.editions.models import ListEdition
from decks.jobs.models import Job
from decks.rechecks.models import Recheck, RecheckPart
from decks.submissions.models import DeckList, DeckVersion, ListAnswer, Rechecked, Ruling, VerdictOutcome

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
    "Printing",
    "Recheck",
    "RecheckPart",
    "Rechecked",
    "Ruling",
    "VerdictOutcome",
]
