"""The cards of a checked list as exporters need them.

They have set, number and identifiers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace

from decks.catalogue.models import Printing
from decks.catalogue.selectors import LoadedCatalogue, get_catalogue
from decks.exporters.model import ExportEntry
from decks.importers.model import DeckLine
from decks.matching.records import EntryRecord

OCTGN, JSON = "octgn", "json"


def to_export_entries(game: str, entries: Iterable[EntryRecord], kind: str = "text") -> list[ExportEntry]:
    """Return entries with set, number and identifiers.

    They are included as far as their lines named the printing. OCTGN knows cards by identifier alone: there a
    card without a printing takes its first. Two queries.
    """
    catalogue, entries_in_order = get_catalogue(game), list(entries)
    chosen_printings = [_choose_printing(entry, catalogue, kind) for entry in entries_in_order]
    rows = Printing.objects.filter(game=catalogue.game, key__in=[key for key in chosen_printings if key])
    ids = {key: external.get(OCTGN) for key, external in rows.values_list("key", "external_ids")}
    pairs = zip(entries_in_order, chosen_printings, strict=True)
    return [
        _to_export_entry(entry, catalogue, key, ids.get(key or ""), is_key_or_name=kind == JSON)
        for entry, key in pairs
        if (entry["qty"] or 0) > 0
    ]


def to_typed_entry(entry: EntryRecord, catalogue: LoadedCatalogue) -> ExportEntry:
    """Return an entry as typed text writes it.

    It has a key only where nothing else identifies the card.
    """
    return _to_export_entry(entry, catalogue, _choose_printing(entry, catalogue, "text"), None)


def _choose_printing(entry: EntryRecord, catalogue: LoadedCatalogue, kind: str) -> str | None:
    card = catalogue.cards.get(entry["card"] or "")
    if card is None or entry["printing"] in card.printings:
        return entry["printing"] if card else None
    return next(iter(card.printings), None) if kind == OCTGN else None


def _to_export_entry(
    entry: EntryRecord,
    catalogue: LoadedCatalogue,
    printing: str | None,
    octgn_id: str | None,
    *,
    is_key_or_name: bool = False,
) -> ExportEntry:
    card = catalogue.cards.get(entry["card"] or "")
    if card is None:
        plain = entry["name"].rstrip("● ")
        return ExportEntry(entry["qty"] or 0, plain, entry["zone"], dots=entry["name"].count("●") or None)
    facts = card.printings.get(printing or "", {}) if entry["printing"] else {}
    number = facts.get("number_as_printed") or facts.get("number")
    exported_entry = ExportEntry(
        entry["qty"] or 0,
        card.name,
        entry["zone"],
        set_code=str(facts.get("set") or "").upper() or None,
        collector_number=str(number) if number else None,
        dots=card.dots or None,
        variant=str(facts.get("variant") or "") or None,
        card_id=octgn_id or (printing if entry["printing"] else None),
    )
    if _tells_card(
        exported_entry, entry, catalogue, is_key_or_name=is_key_or_name and not exported_entry.card_id
    ):
        return exported_entry
    key = entry["printing"] or card.key
    return replace(exported_entry, key=key, card_id=octgn_id or key)


def _tells_card(
    exported_entry: ExportEntry, entry: EntryRecord, catalogue: LoadedCatalogue, *, is_key_or_name: bool
) -> bool:
    """Return whether name, set and number alone identify the card.

    They must also identify the printing if one is named. `is_key_or_name`: the name is in a place for keys,
    so it may be the key of another card.
    """
    facts = asdict(exported_entry)
    card_parts = {
        part: facts[part] for part in ("qty", "name", "set_code", "collector_number", "dots", "variant")
    }
    line = DeckLine(
        1, exported_entry.name_with_dots, "card", **card_parts, written_text=exported_entry.name_with_dots
    )
    if is_key_or_name:
        line = replace(line, card_id=exported_entry.name_with_dots, is_key_or_name=True)
    match = catalogue.index.resolve(line)
    return match.card_key == entry["card"] and (
        not entry["printing"] or match.printing_key == entry["printing"]
    )
