"""Write checked lists as deck files of any type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

import rules
from decks.checking.check import check_text
from decks.checking.export_entries import OCTGN, to_export_entries
from decks.exporters.exporting import CannotExport, export
from decks.matching.records import EntryRecord
from decks.shared.refusals import Refused


@dataclass(frozen=True, slots=True)
class DeckFileType:
    """A type of deck file.

    Holds its key in addresses, its name for people, and the suffix of such files.
    """

    key: str
    words: str | Promise
    suffix: str


FILE_TYPES: Mapping[str, DeckFileType] = {
    kind.key: kind
    for kind in (
        DeckFileType("text", gettext_lazy("Plain text"), "txt"),
        DeckFileType("arena", gettext_lazy("Arena text"), "txt"),
        DeckFileType("forum", gettext_lazy("Forum code"), "txt"),
        DeckFileType("csv", gettext_lazy("Table (CSV)"), "csv"),
        DeckFileType("octgn", "OCTGN", "o8d"),
        DeckFileType("lackey", "LackeyCCG", "dek"),
        DeckFileType("lackey-text", gettext_lazy("LackeyCCG text"), "txt"),
        DeckFileType("mtgo", "Magic Online", "dek"),
        DeckFileType("cockatrice", "Cockatrice", "cod"),
        DeckFileType("json", "JSON", "json"),
    )
}


def write_deck_file(game: str, entries: Iterable[EntryRecord], kind: str, *, title: str = "") -> str:
    """Return entries as a version stores them, as a file of a type.

    Raises Refused (cannot_export).
    """
    # OCTGN opens a deck in the game of that identifier, others by its name.
    octgn_game = rules.get_game(game).cards.octgn_game if kind == OCTGN else ""
    try:
        return export(
            to_export_entries(game, entries, kind), kind, title=title or None, game=octgn_game or game
        )
    except CannotExport as error:
        raise Refused("cannot_export", why=error.reason) from error


def check_and_write_file(game: str, format: str, source: str | bytes, kind: str) -> str:
    """Return a list as someone wrote it, as a file of a type.

    Raises Refused (lines_not_read, cannot_export).
    """
    checked_list = check_text(game, format, source)
    if open_lines := checked_list.asking_lines:
        raise Refused("questions_open", lines=open_lines, count=len(open_lines))
    unread_lines = tuple(line.number for line in checked_list.lines if line.kind == "problem")
    if unread_lines or checked_list.problems:
        raise Refused("lines_not_read", lines=unread_lines, count=len(unread_lines))
    return write_deck_file(game, checked_list.entries_json(), kind, title=checked_list.title)
