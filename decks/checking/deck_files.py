"""Write checked lists as deck files of any type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

import rules
from decks.catalogue.models import Printing
from decks.catalogue.selectors import LoadedCatalogue, get_catalogue
from decks.checking.check import check_text
from decks.exporters.exporting import CannotExport, export
from decks.exporters.model import ExportEntry
from decks.importers.model import DeckLine
from decks.matching.records import EntryRecord
from decks.shared.refusals import Refused

OCTGN = "octgn"


@dataclass(frozen=True, slots=True)
class DeckFileType:
    """A type of deck file: its key in addresses, its name for people, how such files end."""

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
    """Entries as a version stores them, as a file of a type. Raises Refused (cannot_export)."""
    # OCTGN opens a deck in the game of that identifier, others by its name.
    octgn_game = rules.get_game(game).cards.octgn_game if kind == OCTGN else ""
    try:
        return export(
            to_export_entries(game, entries, kind), kind, title=title or None, game=octgn_game or game
        )
    except CannotExport as error:
        raise Refused("cannot_export", why=error.reason) from error


def check_and_write_file(game: str, format: str, source: str | bytes, kind: str) -> str:
    """A list as someone wrote it, as a file of a type. Raises Refused (lines_not_read, cannot_export)."""
    checked = check_text(game, format, source)
    if asking := checked.asking_lines:
        raise Refused("questions_open", lines=asking, count=len(asking))
    lost = tuple(line.number for line in checked.lines if line.kind == "problem")
    if lost or checked.problems:
        raise Refused("lines_not_read", lines=lost, count=len(lost))
    return write_deck_file(game, checked.entries_json(), kind, title=checked.title)


def to_export_entries(game: str, entries: Iterable[EntryRecord], kind: str = "text") -> list[ExportEntry]:
    """Entries with set, number and identifiers, as far as their lines told the printing.

    OCTGN knows cards by identifier alone: there a card without a printing takes its first. Two queries.
    """
    catalogue, listed = get_catalogue(game), list(entries)
    chosen = [_choose_printing(entry, catalogue, kind) for entry in listed]
    rows = Printing.objects.filter(game=catalogue.game, key__in=[key for key in chosen if key])
    ids = {key: external.get(OCTGN) for key, external in rows.values_list("key", "external_ids")}
    pairs = zip(listed, chosen, strict=True)
    return [
        _to_export_entry(entry, catalogue, key, ids.get(key or ""))
        for entry, key in pairs
        if (entry["qty"] or 0) > 0
    ]


def _choose_printing(entry: EntryRecord, catalogue: LoadedCatalogue, kind: str) -> str | None:
    card = catalogue.cards.get(entry["card"] or "")
    if card is None or entry["printing"] in card.printings:
        return entry["printing"] if card else None
    return next(iter(card.printings), None) if kind == OCTGN else None


def _to_export_entry(
    entry: EntryRecord, catalogue: LoadedCatalogue, printing: str | None, octgn_id: str | None
) -> ExportEntry:
    card = catalogue.cards.get(entry["card"] or "")
    if card is None:
        plain = entry["name"].rstrip("● ")
        return ExportEntry(entry["qty"] or 0, plain, entry["zone"], dots=entry["name"].count("●") or None)
    facts = card.printings.get(printing or "", {}) if entry["printing"] else {}
    number = facts.get("number_as_printed") or facts.get("number")
    exported = ExportEntry(
        entry["qty"] or 0,
        card.name,
        entry["zone"],
        set_code=str(facts.get("set") or "").upper() or None,
        collector_number=str(number) if number else None,
        dots=card.dots or None,
        variant=str(facts.get("variant") or "") or None,
        card_id=octgn_id or (printing if entry["printing"] else None),
    )
    if _tells_card(exported, entry, catalogue):
        return exported
    key = entry["printing"] or card.key
    return replace(exported, key=key, card_id=octgn_id or key)


def _tells_card(exported: ExportEntry, entry: EntryRecord, catalogue: LoadedCatalogue) -> bool:
    """Return whether name, set and number alone lead back to the card, and to a named printing."""
    facts = asdict(exported)
    card_parts = {
        part: facts[part] for part in ("qty", "name", "set_code", "collector_number", "dots", "variant")
    }
    match = catalogue.index.resolve(DeckLine(1, exported.plain, "card", **card_parts, written=exported.plain))
    return match.card_key == entry["card"] and (
        not entry["printing"] or match.printing_key == entry["printing"]
    )
