"""Lists as text that people read: plain, in the manner of Arena, as forum code, and LackeyCCG's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from decks.exporters.model import Entry, by_zone
from decks.importers.names import clean

_HEADINGS = {
    "pregame": "Pre-game",
    "main": "Main deck",
    "sideboard": "Sideboard",
    "pool": "Pool",
    "aside": "Maybe",
}
_ARENA_HEADINGS = {**_HEADINGS, "main": "Deck"}
_LACKEY_HEADINGS = {**_HEADINGS, "main": "Deck"}


def write_text(entries: Sequence[Entry], title: str | None, game: str | None) -> str:
    """Headings with counts, then `4 Name ●● (SET 12)`."""
    lines = _facts_about(title, game)
    for zone, inside in by_zone(entries).items():
        lines += [f"{_HEADINGS[zone]} ({_total(inside)})", *(_phrase(entry, _tag) for entry in inside), ""]
    return _joined(lines)


def write_arena(entries: Sequence[Entry], title: str | None, game: str | None) -> str:
    """`4 Name (SET) 12` below Deck and Sideboard."""
    lines = ["About", f"Name {clean(title)}", ""] if title and clean(title) else []
    for zone, inside in by_zone(entries).items():
        lines += [_ARENA_HEADINGS[zone], *(_phrase(entry, _arena_tag) for entry in inside), ""]
    return _joined(lines)


def write_forum(entries: Sequence[Entry], title: str | None, game: str | None) -> str:
    """Headings in bold forum code, as UFS players post their lists."""
    lines = _facts_about(title, game)
    for zone, inside in by_zone(entries).items():
        heading = f"[b]{_HEADINGS[zone]} ({_total(inside)})[/b]"
        lines += [heading, *(_phrase(entry, _tag) for entry in inside), ""]
    return _joined(lines)


def write_lackey_text(entries: Sequence[Entry], title: str | None, game: str | None) -> str:
    """Quantity, tabulator, name; zones other than the deck below their name and a colon."""
    lines: list[str] = []
    for zone, inside in by_zone(entries).items():
        if zone != "main" or lines:
            lines.append(f"{_LACKEY_HEADINGS[zone]}:")
        lines += [_phrase(entry, _tag).replace(" ", "\t", 1) for entry in inside]
    return _joined(lines)


def _facts_about(title: str | None, game: str | None) -> list[str]:
    facts = [("Title", clean(title or "")), ("Game", clean(game or ""))]
    lines = [f"{key}: {value}" for key, value in facts if value]
    return [*lines, ""] if lines else []


def _phrase(entry: Entry, tag: Callable[[Entry], str]) -> str:
    variant = f"[{entry.variant}]" if entry.variant else ""
    return " ".join(part for part in (str(entry.qty), entry.shown, tag(entry), variant) if part)


def _tag(entry: Entry) -> str:
    if entry.set_code and entry.collector_number:
        return f"({entry.set_code} {entry.collector_number})"
    if entry.collector_number:
        return (
            f"({entry.collector_number})" if "/" in entry.collector_number else f"#{entry.collector_number}"
        )
    return f"[{entry.set_code}]" if entry.set_code else ""


def _arena_tag(entry: Entry) -> str:
    if entry.set_code and entry.collector_number and " " not in entry.collector_number:
        return f"({entry.set_code}) {entry.collector_number}"
    return _tag(entry)


def _total(entries: Iterable[Entry]) -> int:
    return sum(entry.qty for entry in entries)


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines).strip("\n") + "\n"
