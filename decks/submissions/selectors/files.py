"""A submitted list as a deck file of any type that can be read."""

from __future__ import annotations

from decks.checking.files import entries_of, file_of
from decks.exporters.model import Entry
from decks.submissions.models import DeckVersion


def as_file(version: DeckVersion, kind: str, *, title: str = "") -> str:
    """The cards of a version as a file of a type, one of `FILE_TYPES`. Raises Refused (cannot_export)."""
    return file_of(version.deck_list.game, version.entries, kind, title=title)


def exportable(version: DeckVersion, kind: str = "text") -> list[Entry]:
    """The entries of a version, as `entries_of` gives them."""
    return entries_of(version.deck_list.game, version.entries, kind)
