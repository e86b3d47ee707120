"""Lists as tables and as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

from decks.exporters.model import Entry, by_zone

_HEADER = ("qty", "name", "set", "number", "variant", "zone", "id")


def write_csv(entries: Sequence[Entry], title: str | None, game: str | None) -> str:
    """One row an entry, below a header row; names carry their rank dots."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(_HEADER)
    for inside in by_zone(entries).values():
        rows.writerows(_row(entry) for entry in inside)
    return out.getvalue()


def _row(entry: Entry) -> tuple[object, ...]:
    number, variant = entry.collector_number or "", entry.variant or ""
    return (entry.qty, entry.shown, entry.set_code or "", number, variant, entry.zone, entry.card_id or "")


def write_json(entries: Sequence[Entry], title: str | None, game: str | None) -> str:
    """Zones with their entries; `card` is the identifier, or the name where there is none."""
    listed: dict[str, object] = {key: value for key, value in (("title", title), ("game", game)) if value}
    for zone, inside in by_zone(entries).items():
        listed[zone] = [_members(entry) for entry in inside]
    return json.dumps(listed, ensure_ascii=False, indent=1) + "\n"


def _members(entry: Entry) -> dict[str, object]:
    members = {
        "card": entry.card_id or entry.plain,
        "qty": entry.qty,
        "name": entry.shown if entry.card_id or entry.quoted else None,
        "set": entry.set_code,
        "number": entry.collector_number,
        "variant": entry.variant,
    }
    return {key: value for key, value in members.items() if value}
