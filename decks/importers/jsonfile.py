"""Read lists in JSON: zones with entries, in the usual shapes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from decks.importers.audit import add_notice, audit_lines
from decks.importers.entry import EntryFields, make_card_line, make_section_line, read_zone
from decks.importers.heading_words import get_heading_words
from decks.importers.headings import find_zone, names_another_zone
from decks.importers.json_values import JsonValue, read_json
from decks.importers.markup import split_breaks
from decks.importers.model import DeckBuilder, DeckLine, ParsedDeck, ParseProblem
from decks.importers.names import clean, fold
from decks.importers.quantity import split_quantity
from decks.importers.typed_card import read_card_text
from rules.reason import Reason, reason

_TITLE = {"title", "deckname"}

_GAME = {"game", "gameid"}

_WRAPPERS = {"cards", "entries", "zones", "boards", "deck", "decklist"}

_TOTALS = {"total", "totalcards", "cardcount", "decksize", "count", "size"}

_PROSE = {
    "title",
    "deckname",
    "name",
    "notes",
    "note",
    "description",
    "comment",
    "comments",
    "record",
    "date",
}

_FACT_KEY = re.compile(r"[a-z][a-z0-9]*(?:[_A-Z][A-Za-z0-9_]*)?")
"""How programs spell the names of facts, such as `likes` and `userId`; cards begin with a capital."""

_KEYS = {
    "name": ("name", "cardname", "title"),
    "key": ("card",),
    "card_id": ("id", "key", "guid", "uuid", "cardid"),
    "qty": ("qty", "quantity", "count", "copies", "amount"),
    "set_code": ("set", "setcode", "edition"),
    "collector_number": ("number", "collectornumber", "cardnumber"),
    "dots": ("dots",),
    "variant": ("variant",),
    "zone": ("zone", "section", "board", "location", "pile", "decksection"),
}


NAMING_KEYS = frozenset({*_KEYS["name"], *_KEYS["key"], *_KEYS["card_id"]})
READ_KEYS = frozenset(word for words in _KEYS.values() for word in words)


def read_json_deck(text: str, builder: DeckBuilder, max_lines: int) -> ParsedDeck:
    """Read a list in JSON.

    Keys and entries that are not understood come back as problems.
    """
    builder.format = "json"
    root = read_json(text)
    if isinstance(root, ParseProblem):
        builder.add_problem(root)
        return builder.finish()
    is_listing = root.kind != "object" or _is_counted_names(root)
    builder.lines = audit_lines(list(_entries(root, "main", None) if is_listing else _members(root, builder)))
    if len(builder.lines) > max_lines:
        why = reason("too_many_lines.entries", most=max_lines)
        return DeckBuilder("unknown", problems=[ParseProblem(why)]).finish()
    return builder.finish()


def _members(root: JsonValue, builder: DeckBuilder) -> Iterator[DeckLine]:
    for key, value in root.members:
        word = fold(key) if key else ""
        if value.kind == "text" and (_is_typed_zone(key, value.as_text) or _may_be_cards(word, key, value)):
            yield from _read_typed_list(key, value)
        elif value.kind == "number" and _may_be_cards(word, key, value):
            yield _not_understood(value, reason("entry_not_understood.no_zone", key=clean(key)[:60]))
        elif value.kind in {"text", "number", "constant"} or word in get_heading_words().sheets:
            yield _fact(word, key, value, builder)
        elif word in _WRAPPERS and value.kind == "object" and _holds_zones(value):
            yield from _members(value, builder)
        elif find_zone(key) or (word in _WRAPPERS and value.kind == "array"):
            yield from _zone(key, value)
        elif _holds_cards(value):
            yield from _part(key, key, value)
        else:
            yield _not_understood(value, reason("entry_not_understood.no_zone", key=clean(key)[:60]))


def _is_counted_names(root: JsonValue) -> bool:
    """Recognize `{"Foo": 4, "Bar": 2}`: names with numbers and nothing else."""
    return bool(root.members) and all(value.kind == "number" for _, value in root.members)


def _is_typed_list(text: str) -> bool:
    return any(split_quantity(clean(row)).place == "leading" for row in text.splitlines())


def _is_typed_zone(key: str, text: str) -> bool:
    """Return whether the text under a zone is its cards.

    A line without a number under `deck` or `pool` is a name.
    """
    zone = find_zone(key)
    is_name = zone in {"main", "pool"}
    return bool(zone and text.strip()) and (not is_name or "\n" in text.strip() or _is_typed_list(text))


def _may_be_cards(word: str, key: str, value: JsonValue) -> bool:
    """Return whether a member beside zones may be a card or part of the list.

    Examples: `{"Loner": 4}`, `{"riserva": "2 Foo"}`. It would be lost otherwise.
    """
    if value.kind == "number":
        return not _FACT_KEY.fullmatch(key) and word not in _TOTALS
    return word not in _PROSE and not find_zone(key) and _is_typed_list(value.as_text)


def _read_typed_list(key: str, value: JsonValue) -> Iterator[DeckLine]:
    """Read `{"main": "4 Foo\\n2 Bar"}`: a typed list as the text of a zone."""
    section_line = make_section_line(value.line, f'"{key}"', key)
    yield section_line
    parts = (part for row in value.as_text.splitlines() for part in split_breaks(row))
    for row in filter(str.strip, parts):
        yield read_card_text(row, value.line, row, section_line.zone, section_line.section)


def _holds_zones(value: JsonValue) -> bool:
    return all(inner.kind in {"array", "object"} for _, inner in value.members)


def _fact(word: str, key: str, value: JsonValue, builder: DeckBuilder) -> DeckLine:
    if word in _TITLE or word == "name":
        builder.title = builder.title or clean(value.as_text) or None
    elif word in _GAME:
        builder.game_hint = builder.game_hint or clean(value.as_text) or None
    is_total = word in _TOTALS and value.as_text.isdecimal() and len(value.as_text) < 5
    return DeckLine(
        value.line,
        f'"{key}": {value.source}',
        "comment",
        written_text=clean(f"{key}: {value.as_text}"),
        announced_count=int(value.as_text) if is_total else None,
    )


def _holds_cards(value: JsonValue) -> bool:
    """Return whether all of a value are entries.

    Then its key may name a part of the list.
    """
    if value.kind == "object":
        return bool(value.members) and all(inner.kind == "number" for _, inner in value.members)
    return bool(value.items) and all(map(_is_entry, value.items))


def _is_entry(item: JsonValue) -> bool:
    return item.kind == "text" or any(fold(key) in NAMING_KEYS for key, _ in _flatten_members(item) if key)


def _zone(key: str, value: JsonValue) -> Iterator[DeckLine]:
    yield from _part(key, key if find_zone(key) else "main", value)


def _part(key: str, words: str, value: JsonValue) -> Iterator[DeckLine]:
    section_line = make_section_line(value.line, f'"{key}"', words)
    yield section_line
    yield from _entries(value, section_line.zone, section_line.section)


def _entries(value: JsonValue, zone: str, section: str | None) -> Iterator[DeckLine]:
    if value.kind == "object":
        for name, count in value.members:
            yield _counted_name(name, count, zone, section)
        return
    if value.kind != "array":
        yield _not_understood(value, reason("entry_not_understood.no_list"), zone)
    for item in value.items:
        yield _entry(item, zone, section)


def _counted_name(name: str, count: JsonValue, zone: str, section: str | None) -> DeckLine:
    """Read `{"Foo": 4}`, or an entry under its name."""
    source = f'"{name}": {count.source}'
    if count.kind == "object":
        line = _card(count, zone, section, name)
        return replace(line, text=source)
    if count.kind != "number":
        why = reason("entry_not_understood.no_count", name=clean(name)[:60])
        return _not_understood(count, why, zone)
    return make_card_line(
        EntryFields(
            count.line,
            source,
            name,
            count.as_text,
            card_id=name,
            zone=zone,
            section=section,
            is_key_or_name=True,
        )
    )


def _entry(item: JsonValue, zone: str, section: str | None) -> DeckLine:
    if item.kind == "object":
        return _card(item, zone, section, "")
    if item.kind == "text":
        return read_card_text(item.as_text, item.line, item.source, zone, section)
    if item.kind == "array" and len(item.items) == 2:
        name, count = sorted(item.items, key=lambda value: value.kind == "number")
        if name.kind == "text" and count.kind == "number":
            return make_card_line(
                EntryFields(
                    item.line,
                    item.source,
                    name.as_text,
                    count.as_text,
                    card_id=name.as_text,
                    zone=zone,
                    is_key_or_name=True,
                )
            )
    return _not_understood(item, reason("entry_not_understood.no_entry"), zone)


def _card(item: JsonValue, zone: str, section: str | None, name: str) -> DeckLine:
    fields, problem = _fields(item)
    if problem:
        return problem
    key = fields.get("key", "") or name
    if sum(bool(clean(fields.get(part, ""))) for part in ("key", "name", "card_id")) == 3:
        return _not_understood(item, reason("entry_not_understood.named_thrice"), zone)
    own, notice = read_zone(fields["zone"], item.line) if fields.get("zone") else (zone, None)
    line = make_card_line(
        EntryFields(
            item.line,
            item.source,
            name=fields.get("name", "") or key,
            qty=fields.get("qty", ""),
            set_code=fields.get("set_code", ""),
            collector_number=fields.get("collector_number", ""),
            dots=fields.get("dots", ""),
            variant=fields.get("variant", ""),
            card_id=fields.get("card_id", "") or key,
            zone=own,
            section=clean(fields.get("zone", "")) or section,
            is_key_or_name=bool(key) and not fields.get("name") and not fields.get("card_id"),
        )
    )
    line = replace(line, notices=(notice, *line.notices)) if notice else line
    return _check_unused(line, item)


def _check_unused(line: DeckLine, item: JsonValue) -> DeckLine:
    """Ask about an unread member that may say in which part of the list the card is."""
    unread = [(key, value) for key, value in _flatten_members(item) if key and fold(key) not in READ_KEYS]
    for key, value in unread:
        says_yes = value.scalar is True and names_another_zone(key, line.zone)
        if line.kind == "card" and (says_yes or names_another_zone(value.as_text, line.zone)):
            return add_notice(line, reason("zone_unread.key", words=clean(key)[:60]))
    return line


def _fields(item: JsonValue) -> tuple[dict[str, str], DeckLine | None]:
    """Return the fields of an entry by our names, or a problem line.

    The line reports a field that is given twice or in a wrong form.
    """
    fields: dict[str, str] = {}
    for key, value in _flatten_members(item):
        word = fold(key) if key else ""
        ours = next((ours for ours, theirs in _KEYS.items() if word in theirs), None)
        if ours is None or (value.scalar is None and value.kind == "constant"):
            continue
        if ours in fields:
            return {}, _not_understood(item, reason("entry_not_understood.key_twice", key=clean(key)[:60]))
        if value.kind not in {"text", "number"}:
            why = reason("entry_not_understood.no_scalar", key=clean(key)[:60])
            return {}, _not_understood(item, why)
        fields[ours] = value.as_text
    return fields, None


def _flatten_members(item: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """Yield the members of an entry; a card given as an object brings its own."""
    for key, value in item.members:
        if key.lower() == "card" and value.kind == "object":
            yield from value.members
        else:
            yield key, value


def _not_understood(value: JsonValue, why: Reason, zone: str = "main") -> DeckLine:
    problem = ParseProblem(why, value.line)
    return DeckLine(value.line, value.source, "problem", zone=zone, problem=problem)
