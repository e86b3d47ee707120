"""Lists as the XML files of OCTGN, LackeyCCG, Magic Online and Cockatrice.

What a program has no place for (a set, a variant, a third zone) stands in attributes of our own, which
these programs pass over and our importers read.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from decks.exporters.model import Entry, by_zone
from decks.importers.names import clean

_OPENING = '<?xml version="1.0" encoding="utf-8" standalone="yes"?>'
_OCTGN = {"main": "Main", "sideboard": "Sideboard", "pregame": "Pre-Game", "pool": "Pool", "aside": "Tokens"}
_LACKEY = {**_OCTGN, "main": "Deck"}
_COCKATRICE = {**{zone: zone for zone in _OCTGN}, "sideboard": "side", "aside": "tokens"}


def write_octgn(entries: Sequence[Entry], title: str | None, game: str | None) -> str:
    """An `.o8d` file; `game` is the identifier of the game package."""
    lines = [_OPENING, f"<deck{_attributes(game=clean(game or '') or None)}>"]
    for zone, inside in by_zone(entries).items():
        lines.append(f'  <section name="{_OCTGN[zone]}" shared="False">')
        lines += [f"    {_octgn_card(entry)}" for entry in inside]
        lines.append("  </section>")
    return "\n".join([*lines, "  <notes></notes>", "</deck>", ""])


def _octgn_card(entry: Entry) -> str:
    start = _attributes(qty=entry.qty, id=entry.card_id or "", **_ours(entry))
    return f"<card{start}>{escape(entry.shown)}</card>"


def write_cockatrice(entries: Sequence[Entry], title: str | None, game: str | None) -> str:
    """A `.cod` file."""
    name = escape(clean(title or ""))
    lines = [
        _OPENING,
        '<cockatrice_deck version="1">',
        f"    <deckname>{name}</deckname>",
        "    <comments></comments>",
    ]
    for zone, inside in by_zone(entries).items():
        lines.append(f'    <zone name="{_COCKATRICE[zone]}">')
        lines += [f"        {_cockatrice_card(entry)}" for entry in inside]
        lines.append("    </zone>")
    return "\n".join([*lines, "</cockatrice_deck>", ""])


def _cockatrice_card(entry: Entry) -> str:
    attributes = _attributes(
        number=entry.qty,
        name=entry.shown,
        setShortName=entry.set_code,
        collectorNumber=entry.collector_number,
        variant=entry.variant,
        uuid=entry.card_id,
    )
    return f"<card{attributes}/>"


def write_mtgo(entries: Sequence[Entry], title: str | None, game: str | None) -> str:
    """A `.dek` file of Magic Online."""
    lines = [
        _OPENING,
        "<Deck>",
        "  <NetDeckID>0</NetDeckID>",
        "  <PreconstructedDeckID>0</PreconstructedDeckID>",
    ]
    for zone, inside in by_zone(entries).items():
        lines += [f"  {_mtgo_card(entry, zone)}" for entry in inside]
    return "\n".join([*lines, "</Deck>", ""])


def _mtgo_card(entry: Entry, zone: str) -> str:
    attributes = _attributes(
        CatID=entry.card_id or "0",
        Quantity=entry.qty,
        Sideboard="true" if zone == "sideboard" else "false",
        Name=entry.shown,
        Annotation="0",
        Zone=None if zone in {"main", "sideboard"} else zone,
        **_ours(entry),
    )
    return f"<Cards{attributes}/>"


def write_lackey(entries: Sequence[Entry], title: str | None, game: str | None) -> str:
    """A `.dek` file of LackeyCCG: one element a copy."""
    lines = ['<deck version="0.8">', "  <meta>", f"    <game>{escape(clean(game or ''))}</game>", "  </meta>"]
    for zone, inside in by_zone(entries).items():
        lines.append(f'  <superzone name="{_LACKEY[zone]}">')
        lines += [f"    {_lackey_card(entry)}" for entry in inside for _ in range(entry.qty)]
        lines.append("  </superzone>")
    return "\n".join([*lines, "</deck>", ""])


def _lackey_card(entry: Entry) -> str:
    fields = (("set", entry.set_code), ("number", entry.collector_number), ("variant", entry.variant))
    further = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in fields if value)
    return f"<card><name{_attributes(id=entry.card_id)}>{escape(entry.shown)}</name>{further}</card>"


def _ours(entry: Entry) -> dict[str, str | None]:
    return {"set": entry.set_code, "collectorNumber": entry.collector_number, "variant": entry.variant}


def _attributes(**values: str | int | None) -> str:
    """Attributes with a blank before each; those that are None are left out."""
    kept = ((key, str(value)) for key, value in values.items() if value is not None)
    return "".join(f" {key}={quoteattr(clean(value))}" for key, value in kept)
