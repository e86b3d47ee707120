"""One entry of a list, as exporters need it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from decks.importers.names import clean
from decks.importers.tags import is_finish

ZONES = ("pregame", "main", "sideboard", "pool", "aside")


class Exportable(Protocol):
    """Anything with these attributes can be exported.

    A line of a parsed deck is an example.
    """

    @property
    def qty(self) -> int | None: ...
    @property
    def name(self) -> str: ...
    @property
    def zone(self) -> str: ...
    @property
    def set_code(self) -> str | None: ...
    @property
    def collector_number(self) -> str | None: ...
    @property
    def dots(self) -> int | None: ...
    @property
    def variant(self) -> str | None: ...
    @property
    def card_id(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class ExportEntry:
    """One entry of a list.

    `name` is without rank dots; `card_id` is the identifier of another program. `key` is the identifier that
    typed text has to state, because the rest does not tell the card. `is_quoted` puts the name in quotation
    marks, `is_braced` the facts of its printing in braces.
    """

    qty: int
    name: str
    zone: str = "main"
    set_code: str | None = None
    collector_number: str | None = None
    dots: int | None = None
    variant: str | None = None
    card_id: str | None = None
    is_quoted: bool = False
    key: str | None = None
    is_braced: bool = False

    @property
    def name_with_dots(self) -> str:
        """The name with its rank dots."""
        return f"{self.name} {'●' * self.dots}" if self.dots else self.name

    @property
    def shown_name(self) -> str:
        """Return the same as it is written.

        It is in quotation marks where a character of the name would mislead.
        """
        if not self.is_quoted or not self.name:
            return self.name_with_dots
        name = self.name.replace('"', '""')
        return f'"{name}" {"●" * (self.dots or 0)}'.rstrip()


def to_export_entry(line: Exportable) -> ExportEntry:
    """Return an entry without empty values, each text on one line.

    A foil finish is not part of a list.
    """
    variant = clean(line.variant or "").lower()
    return ExportEntry(
        line.qty or 0,
        clean(line.name),
        line.zone,
        clean(line.set_code or "").upper() or None,
        clean(line.collector_number or "") or None,
        line.dots or None,
        None if is_finish(variant) else variant or None,
        clean(line.card_id or "") or None,
        key=line.key if isinstance(line, ExportEntry) else None,
    )


def group_by_zone(entries: Iterable[ExportEntry]) -> dict[str, list[ExportEntry]]:
    """Return the entries of each zone that has any.

    Zones are in the order of ZONES, entries in their own order.
    """
    entries_in_order = list(entries)
    entries_by_zone = {zone: [entry for entry in entries_in_order if entry.zone == zone] for zone in ZONES}
    return {zone: inside for zone, inside in entries_by_zone.items() if inside}
