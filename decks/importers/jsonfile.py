"""Lists in JSON: zones with their entries, `{"main": [{"card": "…", "qty": 4}]}`, and its usual relatives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from decks.importers.entry import Fields, card_line, section_line, zone_named
from decks.importers.headings import zone_of
from decks.importers.jsontree import Value, read_json
from decks.importers.model import Draft, Line, ParsedDeck, Problem
from decks.importers.names import clean, fold
from decks.importers.quantity import split_quantity
from decks.importers.typed_card import read_card_text

_TITLE = {"title", "deckname"}
_GAME = {"game", "gameid"}
_SHEETS = {"options", "meta", "metadata", "gemassignment", "gemsheet", "substitutions", "tags"}
_WRAPPERS = {"cards", "entries", "zones", "boards", "deck", "decklist"}
_KEYS = {
    "name": ("name", "cardname", "title"),
    "key": ("card",),
    "card_id": ("id", "key", "guid", "uuid", "cardid"),
    "qty": ("qty", "quantity", "count", "copies", "amount"),
    "set_code": ("set", "setcode", "edition"),
    "collector_number": ("number", "collectornumber", "cardnumber"),
    "dots": ("dots",),
    "variant": ("variant",),
    "zone": ("zone", "section", "board"),
}


def read_json_deck(text: str, draft: Draft, max_lines: int) -> ParsedDeck:
    """Read a list in JSON. Keys and entries that are not understood come back as problems."""
    draft.format = "json"
    root = read_json(text)
    if isinstance(root, Problem):
        draft.tell(root)
        return draft.finish()
    is_listing = root.kind != "object" or _is_counted_names(root)
    draft.lines.extend(_entries(root, "main", None) if is_listing else _members(root, draft))
    if len(draft.lines) > max_lines:
        sentence = f"The file has more than {max_lines:,} entries; a list has far fewer."
        return Draft("unknown", problems=[Problem("too_many_lines", sentence)]).finish()
    return draft.finish()


def _members(root: Value, draft: Draft) -> Iterator[Line]:
    for key, value in root.members:
        word = fold(key) if key else ""
        if value.kind == "text" and zone_of(key) and _is_typed_list(value.as_text):
            yield from _typed(key, value)
        elif value.kind in {"text", "number", "constant"} or word in _SHEETS:
            yield _fact(word, key, value, draft)
        elif word in _WRAPPERS and value.kind == "object" and _holds_zones(value):
            yield from _members(value, draft)
        elif zone_of(key) or (word in _WRAPPERS and value.kind == "array"):
            yield from _zone(key, value)
        else:
            yield _not_understood(value, f"The key '{clean(key)[:60]}' names no zone of a list.")


def _is_counted_names(root: Value) -> bool:
    """`{"Foo": 4, "Bar": 2}`: names with numbers and nothing else."""
    return bool(root.members) and all(value.kind == "number" for _, value in root.members)


def _is_typed_list(text: str) -> bool:
    return split_quantity(clean(text.strip().partition("\n")[0])).place == "leading"


def _typed(key: str, value: Value) -> Iterator[Line]:
    """`{"main": "4 Foo\\n2 Bar"}`: a typed list as the text of a zone."""
    opened = section_line(value.line, f'"{key}"', key)
    yield opened
    for row in filter(str.strip, value.as_text.splitlines()):
        yield read_card_text(row, value.line, row, opened.zone, opened.section)


def _holds_zones(value: Value) -> bool:
    return all(inner.kind in {"array", "object"} for _, inner in value.members)


def _fact(word: str, key: str, value: Value, draft: Draft) -> Line:
    if word in _TITLE or word == "name":
        draft.title = draft.title or clean(value.as_text) or None
    elif word in _GAME:
        draft.game_hint = draft.game_hint or clean(value.as_text) or None
    return Line(value.line, f'"{key}": {value.source}', "comment", written=clean(f"{key}: {value.as_text}"))


def _zone(key: str, value: Value) -> Iterator[Line]:
    opened = section_line(value.line, f'"{key}"', key if zone_of(key) else "main")
    yield opened
    yield from _entries(value, opened.zone, opened.section)


def _entries(value: Value, zone: str, section: str | None) -> Iterator[Line]:
    if value.kind == "object":
        for name, count in value.members:
            yield _counted_name(name, count, zone, section)
        return
    if value.kind != "array":
        yield _not_understood(value, "A list of cards is expected here.", zone)
    for item in value.items:
        yield _entry(item, zone, section)


def _counted_name(name: str, count: Value, zone: str, section: str | None) -> Line:
    """`{"Foo": 4}`, or an entry under its name."""
    source = f'"{name}": {count.source}'
    if count.kind == "object":
        line = _card(count, zone, section, name)
        return replace(line, text=source)
    if count.kind != "number":
        return _not_understood(count, f"The number of copies of '{clean(name)[:60]}' is expected here.", zone)
    return card_line(
        Fields(count.line, source, name, count.as_text, card_id=name, zone=zone, section=section)
    )


def _entry(item: Value, zone: str, section: str | None) -> Line:
    if item.kind == "object":
        return _card(item, zone, section, "")
    if item.kind == "text":
        return read_card_text(item.as_text, item.line, item.source, zone, section)
    if item.kind == "array" and len(item.items) == 2:
        name, count = sorted(item.items, key=lambda value: value.kind == "number")
        if name.kind == "text" and count.kind == "number":
            return card_line(
                Fields(item.line, item.source, name.as_text, count.as_text, card_id=name.as_text, zone=zone)
            )
    return _not_understood(item, "An entry with a card and a number of copies is expected here.", zone)


def _card(item: Value, zone: str, section: str | None, name: str) -> Line:
    found, problem = _fields(item)
    if problem:
        return problem
    key = found.get("key", "") or name
    own, notice = zone_named(found["zone"], item.line) if found.get("zone") else (zone, None)
    line = card_line(
        Fields(
            item.line,
            item.source,
            name=found.get("name", "") or key,
            qty=found.get("qty", ""),
            set_code=found.get("set_code", ""),
            collector_number=found.get("collector_number", ""),
            dots=found.get("dots", ""),
            variant=found.get("variant", ""),
            card_id=found.get("card_id", "") or key,
            zone=own,
            section=section,
        )
    )
    return replace(line, notices=(notice, *line.notices)) if notice else line


def _fields(item: Value) -> tuple[dict[str, str], Line | None]:
    """The fields of an entry by our names, or the line that tells of one given twice or in a wrong form."""
    found: dict[str, str] = {}
    for key, value in _flattened(item):
        word = fold(key) if key else ""
        ours = next((ours for ours, theirs in _KEYS.items() if word in theirs), None)
        if ours is None or (value.scalar is None and value.kind == "constant"):
            continue
        if ours in found:
            return {}, _not_understood(item, f"The key '{clean(key)[:60]}' is given twice.")
        if value.kind not in {"text", "number"}:
            return {}, _not_understood(item, f"The value of '{clean(key)[:60]}' is neither text nor number.")
        found[ours] = value.as_text
    return found, None


def _flattened(item: Value) -> Iterator[tuple[str, Value]]:
    """The members of an entry; a card given as an object brings its own."""
    for key, value in item.members:
        if key.lower() == "card" and value.kind == "object":
            yield from value.members
        else:
            yield key, value


def _not_understood(value: Value, sentence: str, zone: str = "main") -> Line:
    problem = Problem("entry_not_understood", sentence, value.line)
    return Line(value.line, value.source, "problem", zone=zone, problem=problem)
