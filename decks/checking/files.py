"""From decks.selectors.exporting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from decks.catalogue.models.cards import Printing
from decks.catalogue.selectors.catalogue import Catalogue, catalogue
from decks.checking.check import check_text
from decks.exporters.exporting import CannotExport, export
from decks.exporters.model import Entry
from decks.shared.refusals import Refused

OCTGN = "octgn"


@dataclass(frozen=True, slots=True)
class FileType:
    """A type of deck file: its key in addresses, its name for people, how such files end."""

    key: str
    words: str
    suffix: str


FILE_TYPES: Mapping[str, FileType] = {
    kind.key: kind
    for kind in (
        FileType("text", "Plain text", "txt"),
        FileType("arena", "Arena text", "txt"),
        FileType("forum", "Forum code", "txt"),
        FileType("csv", "Table (CSV)", "csv"),
        FileType("octgn", "OCTGN", "o8d"),
        FileType("lackey", "LackeyCCG", "dek"),
        FileType("lackey-text", "LackeyCCG text", "txt"),
        FileType("mtgo", "Magic Online", "dek"),
        FileType("cockatrice", "Cockatrice", "cod"),
        FileType("json", "JSON", "json"),
    )
}


def file_of(game: str, entries: Iterable[Mapping[str, Any]], kind: str, *, title: str = "") -> str:
    """Entries as a version stores them, as a file of a type. Raises Refused (cannot_export)."""
    try:
        return export(entries_of(game, entries, kind), kind, title=title or None, game=game)
    except CannotExport as error:
        fix = "Take the list as it was handed in, or another type of file."
        raise Refused("cannot_export", str(error), fix=fix) from error


def checked_file(game: str, format: str, source: str | bytes, kind: str) -> str:
    """A list as somebody wrote it, as a file of a type. Raises Refused (lines_not_read, cannot_export)."""
    checked = check_text(game, format, source)
    lost = [str(line.number) for line in checked.lines if line.kind == "problem"]
    if lost or checked.problems:
        what = (
            f"Line {lost[0]} was" if len(lost) == 1 else f"{len(lost)} lines were" if lost else "The file was"
        )
        fix = "Mend what the verdict marks, then take the file."
        raise Refused("lines_not_read", f"{what} not read and would be missing in the file.", fix=fix)
    return file_of(game, checked.entries_json(), kind, title=checked.title)


def entries_of(game: str, entries: Iterable[Mapping[str, Any]], kind: str = "text") -> list[Entry]:
    """Entries with set, number and identifiers, as far as their lines told the printing.

    OCTGN knows cards by identifier alone: there a card without a printing takes its first. Two queries.
    """
    known, listed = catalogue(game), list(entries)
    chosen = [_printing(entry, known, kind) for entry in listed]
    rows = Printing.objects.filter(game=known.game, key__in=[key for key in chosen if key])
    ids = {key: external.get(OCTGN) for key, external in rows.values_list("key", "external_ids")}
    pairs = zip(listed, chosen, strict=True)
    return [_entry(entry, known, key, ids.get(key)) for entry, key in pairs if (entry["qty"] or 0) > 0]


def _printing(entry: Mapping[str, Any], known: Catalogue, kind: str) -> str | None:
    card = known.cards.get(entry["card"] or "")
    if card is None or entry["printing"] in card.printings:
        return entry["printing"] if card else None
    return next(iter(card.printings), None) if kind == OCTGN else None


def _entry(entry: Mapping[str, Any], known: Catalogue, printing: str | None, octgn_id: str | None) -> Entry:
    card = known.cards.get(entry["card"] or "")
    if card is None:
        plain = entry["name"].rstrip("● ")
        return Entry(entry["qty"], plain, entry["zone"], dots=entry["name"].count("●") or None)
    facts = card.printings.get(printing or "", {})
    told = facts if entry["printing"] else {}
    number = told.get("number_as_printed") or told.get("number")
    return Entry(
        entry["qty"],
        card.name,
        entry["zone"],
        set_code=told.get("set") or None,
        collector_number=str(number) if number else None,
        dots=card.dots or None,
        variant=told.get("variant") or None,
        card_id=octgn_id or (printing if entry["printing"] else None),
    )
