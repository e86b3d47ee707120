"""Write lists as text, CSV, JSON, and the XML of OCTGN, Lackey, MTGO, Cockatrice."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

from decks.exporters.model import ExportEntry, group_by_zone
from decks.importers.names import clean
from decks.importers.places import join_facts
from decks.shared.csv_cells import write_rows

_CSV_HEADER = ("qty", "name", "set", "number", "variant", "zone", "id")


def write_csv(entries: Sequence[ExportEntry], title: str | None, game: str | None) -> str:
    """Return one row an entry, below a header row; names carry their rank dots."""
    out = io.StringIO()
    inside = (entry for zone in group_by_zone(entries).values() for entry in zone)
    write_rows(out, [_CSV_HEADER, *map(_csv_row, inside)], line_end="\n")
    return out.getvalue()


def _csv_row(entry: ExportEntry) -> tuple[object, ...]:
    number, variant = entry.collector_number or "", entry.variant or ""
    return (
        entry.qty,
        entry.shown_name,
        entry.set_code or "",
        number,
        variant,
        entry.zone,
        entry.card_id or "",
    )


def write_json(entries: Sequence[ExportEntry], title: str | None, game: str | None) -> str:
    """Write zones with their entries as JSON.

    `card` is the identifier, or the name if there is none.
    """
    zones: dict[str, object] = {key: value for key, value in (("title", title), ("game", game)) if value}
    for zone, inside in group_by_zone(entries).items():
        zones[zone] = [_json_entry(entry) for entry in inside]
    return json.dumps(zones, ensure_ascii=False, indent=1) + "\n"


def _json_entry(entry: ExportEntry) -> dict[str, object]:
    members = {
        "card": entry.card_id or entry.name_with_dots,
        "qty": entry.qty,
        "name": entry.shown_name if entry.card_id or entry.is_quoted else None,
        "set": entry.set_code,
        "number": entry.collector_number,
        "variant": entry.variant,
    }
    return {key: value for key, value in members.items() if value}


_HEADINGS = {
    "pregame": "Pre-game",
    "main": "Main deck",
    "sideboard": "Sideboard",
    "pool": "Pool",
    "aside": "Maybe",
}

_ARENA_HEADINGS = {**_HEADINGS, "main": "Deck"}

_LACKEY_HEADINGS = {**_HEADINGS, "main": "Deck"}


def write_text(entries: Sequence[ExportEntry], title: str | None, game: str | None) -> str:
    """Write headings with counts, then `4 Name ●● (SET 12)`."""
    return _write_lines(entries, title, game, "{heading} ({count})")


def write_uncounted_text(entries: Sequence[ExportEntry], title: str | None, game: str | None) -> str:
    """Return the same with headings that a change of the lines leaves true."""
    return _write_lines(entries, title, game, "{heading}")


def write_arena(entries: Sequence[ExportEntry], title: str | None, game: str | None) -> str:
    """Write `4 Name (SET) 12` below Deck and Sideboard."""
    lines = ["About", f"Name {clean(title)}", ""] if title and clean(title) else []
    for zone, inside in group_by_zone(entries).items():
        lines += [_ARENA_HEADINGS[zone], *(_card_line(entry, _arena_tag) for entry in inside), ""]
    return _join_lines(lines)


def write_forum(entries: Sequence[ExportEntry], title: str | None, game: str | None) -> str:
    """Write headings in bold forum code, as players post their lists."""
    return _write_lines(entries, title, game, "[b]{heading} ({count})[/b]")


def _write_lines(
    entries: Sequence[ExportEntry], title: str | None, game: str | None, heading_form: str
) -> str:
    lines = _header_lines(title, game)
    for zone, inside in group_by_zone(entries).items():
        heading = heading_form.format(heading=_HEADINGS[zone], count=_total(inside))
        lines += [heading, *(_card_line(entry, _tag) for entry in inside), ""]
    return _join_lines(lines)


def write_lackey_text(entries: Sequence[ExportEntry], title: str | None, game: str | None) -> str:
    """Write quantity, tab and name on each line.

    Zones other than the deck follow below their name and a colon.
    """
    lines: list[str] = []
    for zone, inside in group_by_zone(entries).items():
        if zone != "main" or lines:
            lines.append(f"{_LACKEY_HEADINGS[zone]}:")
        lines += [_card_line(entry, _tag).replace(" ", "\t", 1) for entry in inside]
    return _join_lines(lines)


def _header_lines(title: str | None, game: str | None) -> list[str]:
    facts = [("Title", clean(title or "")), ("Game", clean(game or ""))]
    lines = [f"{key}: {value}" for key, value in facts if value]
    return [*lines, ""] if lines else []


def _card_line(entry: ExportEntry, tag: Callable[[ExportEntry], str]) -> str:
    if entry.is_braced or entry.key:
        facts = {"set": entry.set_code, "number": entry.collector_number, "variant": entry.variant}
        braces = join_facts(**facts, key=entry.key)
        return " ".join(part for part in (str(entry.qty), entry.shown_name, braces) if part)
    variant = f"[{entry.variant}]" if entry.variant else ""
    return " ".join(part for part in (str(entry.qty), entry.shown_name, tag(entry), variant) if part)


def _tag(entry: ExportEntry) -> str:
    if entry.set_code and entry.collector_number:
        return f"({entry.set_code} {entry.collector_number})"
    if entry.collector_number:
        return (
            f"({entry.collector_number})" if "/" in entry.collector_number else f"#{entry.collector_number}"
        )
    return f"[{entry.set_code}]" if entry.set_code else ""


def _arena_tag(entry: ExportEntry) -> str:
    if entry.set_code and entry.collector_number and " " not in entry.collector_number:
        return f"({entry.set_code}) {entry.collector_number}"
    return _tag(entry)


def _total(entries: Iterable[ExportEntry]) -> int:
    return sum(entry.qty for entry in entries)


def _join_lines(lines: Sequence[str]) -> str:
    return "\n".join(lines).strip("\n") + "\n"


_XML_DECLARATION = '<?xml version="1.0" encoding="utf-8" standalone="yes"?>'

_OCTGN = {"main": "Main", "sideboard": "Sideboard", "pregame": "Pre-Game", "pool": "Pool", "aside": "Tokens"}

_LACKEY = {**_OCTGN, "main": "Deck"}

_COCKATRICE = {**{zone: zone for zone in _OCTGN}, "sideboard": "side", "aside": "tokens"}


def write_octgn(entries: Sequence[ExportEntry], title: str | None, game: str | None) -> str:
    """Return an `.o8d` file; `game` is the identifier of the game package."""
    lines = [_XML_DECLARATION, f"<deck{_attributes(game=clean(game or '') or None)}>"]
    for zone, inside in group_by_zone(entries).items():
        lines.append(f'  <section name="{_OCTGN[zone]}" shared="False">')
        lines += [f"    {_octgn_card(entry)}" for entry in inside]
        lines.append("  </section>")
    return "\n".join([*lines, "  <notes></notes>", "</deck>", ""])


def _octgn_card(entry: ExportEntry) -> str:
    start = _attributes(qty=entry.qty, id=entry.card_id or "", **_extra_attributes(entry))
    return f"<card{start}>{escape(entry.shown_name)}</card>"


def write_cockatrice(entries: Sequence[ExportEntry], title: str | None, game: str | None) -> str:
    """Return a `.cod` file."""
    name = escape(clean(title or ""))
    lines = [
        _XML_DECLARATION,
        '<cockatrice_deck version="1">',
        f"    <deckname>{name}</deckname>",
        "    <comments></comments>",
    ]
    for zone, inside in group_by_zone(entries).items():
        lines.append(f'    <zone name="{_COCKATRICE[zone]}">')
        lines += [f"        {_cockatrice_card(entry)}" for entry in inside]
        lines.append("    </zone>")
    return "\n".join([*lines, "</cockatrice_deck>", ""])


def _cockatrice_card(entry: ExportEntry) -> str:
    attributes = _attributes(
        number=entry.qty,
        name=entry.shown_name,
        setShortName=entry.set_code,
        collectorNumber=entry.collector_number,
        variant=entry.variant,
        uuid=entry.card_id,
    )
    return f"<card{attributes}/>"


def write_mtgo(entries: Sequence[ExportEntry], title: str | None, game: str | None) -> str:
    """Return a `.dek` file of Magic Online."""
    lines = [
        _XML_DECLARATION,
        "<Deck>",
        "  <NetDeckID>0</NetDeckID>",
        "  <PreconstructedDeckID>0</PreconstructedDeckID>",
    ]
    for zone, inside in group_by_zone(entries).items():
        lines += [f"  {_mtgo_card(entry, zone)}" for entry in inside]
    return "\n".join([*lines, "</Deck>", ""])


def _mtgo_card(entry: ExportEntry, zone: str) -> str:
    attributes = _attributes(
        CatID=entry.card_id or "0",
        Quantity=entry.qty,
        Sideboard="true" if zone == "sideboard" else "false",
        Name=entry.shown_name,
        Annotation="0",
        Zone=None if zone in {"main", "sideboard"} else zone,
        **_extra_attributes(entry),
    )
    return f"<Cards{attributes}/>"


def write_lackey(entries: Sequence[ExportEntry], title: str | None, game: str | None) -> str:
    """Return a `.dek` file of LackeyCCG: one element a copy."""
    lines = ['<deck version="0.8">', "  <meta>", f"    <game>{escape(clean(game or ''))}</game>", "  </meta>"]
    for zone, inside in group_by_zone(entries).items():
        lines.append(f'  <superzone name="{_LACKEY[zone]}">')
        lines += [f"    {_lackey_card(entry)}" for entry in inside for _ in range(entry.qty)]
        lines.append("  </superzone>")
    return "\n".join([*lines, "</deck>", ""])


def _lackey_card(entry: ExportEntry) -> str:
    fields = (("set", entry.set_code), ("number", entry.collector_number), ("variant", entry.variant))
    further = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in fields if value)
    return f"<card><name{_attributes(id=entry.card_id)}>{escape(entry.shown_name)}</name>{further}</card>"


def _extra_attributes(entry: ExportEntry) -> dict[str, str | None]:
    return {"set": entry.set_code, "collectorNumber": entry.collector_number, "variant": entry.variant}


def _attributes(**values: str | int | None) -> str:
    """Write attributes with a blank before each, without those that are None."""
    attributes = ((key, str(value)) for key, value in values.items() if value is not None)
    return "".join(f" {key}={quoteattr(clean(value))}" for key, value in attributes)
