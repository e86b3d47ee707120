"""Export a list, and read it back to prove that nothing was lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from decks.exporters.model import ZONES, Exportable, ExportEntry, to_export_entry
from decks.exporters.writers import (
    write_arena,
    write_cockatrice,
    write_csv,
    write_forum,
    write_json,
    write_lackey,
    write_lackey_text,
    write_mtgo,
    write_octgn,
    write_text,
    write_uncounted_text,
)
from decks.importers.model import MAX_QUANTITY
from decks.importers.parsing import FORMATS, parse
from rules.reason import Param, Reason, reason
from rules.rendering import register_messages, render

register_messages(Path(__file__).parent)

Writer = Callable[..., str]

_WRITERS: dict[str, Writer] = {
    "text": write_text,
    "arena": write_arena,
    "forum": write_forum,
    "lackey-text": write_lackey_text,
    "csv": write_csv,
    "octgn": write_octgn,
    "lackey": write_lackey,
    "mtgo": write_mtgo,
    "cockatrice": write_cockatrice,
    "json": write_json,
}
_WITHOUT_IDS = {"text", "arena", "forum", "lackey-text"}


class CannotExport(ValueError):
    """The list holds something that the format cannot express.

    The reason names the entry.
    """

    def __init__(self, why: Reason) -> None:
        super().__init__(render("reason", why))
        self.reason = why


def export(
    deck: Iterable[Exportable], format: str, *, title: str | None = None, game: str | None = None
) -> str:
    """Return the list as a file of one of the formats `decks.importers.FORMATS`.

    The file is to be encoded as UTF-8. Reading the result gives the same entries in the same order within
    each zone: quantity, name, rank dots, set, number, variant and zone, and the identifier except in typed
    text. Raises CannotExport if that cannot be had, and ValueError for a format that does not exist.
    """
    if format not in _WRITERS:
        raise ValueError(f"There is no format '{format}'; there are {', '.join(FORMATS)}.")
    write = partial(_WRITERS[format], title=title, game=game)
    return _export(deck, format, write, with_ids=format not in _WITHOUT_IDS)


def export_for_typing(deck: Iterable[Exportable], *, title: str | None = None) -> str:
    """Return the list as typed text to go on with: its headings have no counts.

    Raises CannotExport.
    """
    return _export(deck, "text", partial(write_uncounted_text, title=title, game=None), with_ids=False)


def _export(
    deck: Iterable[Exportable], format: str, write: Callable[[Sequence[ExportEntry]], str], *, with_ids: bool
) -> str:
    entries = [to_export_entry(line) for line in deck]
    _refuse_impossible(entries)
    missing_entry: Reason | None = None
    for careful in (entries, _careful_where_needed(entries, write, with_ids), [*map(_careful, entries)]):
        text = write(careful)
        missing_entry = _find_missing_entry(entries, text, with_ids)
        if not missing_entry:
            return text
    raise CannotExport(reason("export_impossible", entry=missing_entry, format=format))


def _careful(entry: ExportEntry) -> ExportEntry:
    return replace(entry, is_quoted=True, is_braced=True)


def _careful_where_needed(
    entries: Iterable[ExportEntry], write: Callable[..., str], with_ids: bool
) -> list[ExportEntry]:
    """Quote names and put braces around printings where needed.

    They are needed where the entry would not be read back otherwise.
    """
    careful = []
    for entry in entries:
        spellings = (entry, replace(entry, is_braced=True), replace(entry, is_quoted=True))
        whole = (each for each in spellings if not _find_missing_entry([each], write([each]), with_ids))
        careful.append(next(whole, _careful(entry)))
    return careful


def _refuse_impossible(entries: Iterable[ExportEntry]) -> None:
    for entry in entries:
        if not 1 <= entry.qty <= MAX_QUANTITY or entry.zone not in ZONES or not (entry.name or entry.card_id):
            facts: dict[str, Param] = {"qty": entry.qty, "name": entry.name_with_dots, "zone": entry.zone}
            raise CannotExport(reason("export_entry_wrong", **facts))


def _find_missing_entry(entries: Sequence[ExportEntry], text: str, with_ids: bool) -> Reason | None:
    """Return the first entry that cannot be read back from the text.

    None if reading the text gives the list.
    """
    parsed_deck = parse(text, max_bytes=len(text) + 1, max_lines=_lines_needed(entries))
    listed_entries = [replace(entry, key=entry.card_id) for entry in map(to_export_entry, parsed_deck.cards)]
    for zone in ZONES:
        expected_copies, copies_read = (
            _copies(entries, zone, with_ids),
            _copies(listed_entries, zone, with_ids),
        )
        for place, copy in enumerate(expected_copies):
            if copies_read[place : place + 1] != [copy]:
                return reason("export_entry", name=copy[0], zone=zone)
        if len(copies_read) > len(expected_copies) or parsed_deck.problems or parsed_deck.questions:
            return reason("export_cards", count=len(copies_read), zone=zone)
    return None


def _lines_needed(entries: Sequence[ExportEntry]) -> int:
    return sum(entry.qty for entry in entries) + 2 * len(entries) + 50


def _copies(entries: Iterable[ExportEntry], zone: str, with_ids: bool) -> list[tuple[str | int | None, ...]]:
    """Return every single card of a zone in order.

    Each copy is a card because some formats write one entry per copy.
    """
    inside = (entry for entry in entries if entry.zone == zone)
    return [_facts(entry, with_ids) for entry in inside for _ in range(entry.qty)]


def _facts(entry: ExportEntry, with_ids: bool) -> tuple[str | int | None, ...]:
    identifier = entry.card_id if with_ids else entry.key
    identifier = None if identifier in {entry.name, entry.name_with_dots} else identifier
    return (entry.name, entry.dots, entry.set_code, entry.collector_number, entry.variant, identifier)
