"""Reads catalogue files: JSON, a table (CSV, or the tab-separated card data of LackeyCCG), an OCTGN set.

A catalogue tells what is known of each card. What a record leaves out stays unknown. The content decides
which kind of file it is; records that cannot be used are named in `problems`, never dropped in silence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from .deck import CardFacts
from .game import Game
from .names import without_rank

_OTHER_NAMES = {
    "card_name": "name",
    "card_title": "title",
    "card_type": "type",
    "set_code": "set",
    "card_number": "number",
    "collector_number": "number",
}
_TEXT = frozenset({"name", "title", "key", "id", "text", "rules", "set", "note"})
_LISTS = frozenset({"split", "character_only", "titles", "symbols", "keywords", "groups", "forbids_titles"})
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


class UnreadableCatalogue(ValueError):
    """A file from which no card can be taken; the message says why."""


class Catalogue(NamedTuple):
    """The cards of a file by key, and what could not be read of it."""

    cards: Mapping[str, CardFacts]
    problems: tuple[str, ...] = ()


class _Record(NamedTuple):
    place: str
    key: str | None
    facts: Mapping[str, object]


def read_catalogue(data: bytes, game: Game) -> Catalogue:
    """The cards of a catalogue file for a game.

    Raises `UnreadableCatalogue` for a file that is not text, is of another game, or has no records.
    """
    text = _decoded(data)
    start = text.lstrip()[:1]
    if start == "{":
        records = _json_records(text, game)
    elif start == "<":
        records = _octgn_records(data)
    else:
        records = _table_records(text)
    return _collected(records, game)


def _decoded(data: bytes) -> str:
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as problem:
        raise UnreadableCatalogue("The catalogue is not text in UTF-8 or UTF-16.") from problem


def _collected(records: Iterable[_Record], game: Game) -> Catalogue:
    cards: dict[str, CardFacts] = {}
    problems: list[str] = []
    for record in records:
        if not any(isinstance(record.facts.get(part), str) for part in ("name", "title")):
            problems.append(f"{record.place}: the record has no name.")
            continue
        key = _key(record, cards)
        cards[key] = CardFacts.of(key, _ranked(record.facts, game))
    if not cards:
        raise UnreadableCatalogue("The catalogue holds no card.")
    return Catalogue(cards, tuple(problems))


def _key(record: _Record, taken: Mapping[str, object]) -> str:
    """The record's own key, else set and number, else its name; told apart where it is taken."""
    facts = record.facts
    printing = f"{facts['set']}-{facts['number']}" if facts.get("set") and facts.get("number") else None
    key = record.key or printing or str(facts.get("name", facts.get("title")))
    return key if key not in taken else f"{key} ({record.place})"


def _ranked(facts: Mapping[str, object], game: Game) -> Mapping[str, object]:
    """Rank marks typed into the name of a character ("Ken..") become the fact that they stand for."""
    rank, name, kind = game.rank_attribute, facts.get("name"), facts.get("type")
    if rank is None or not isinstance(name, str) or str(kind).casefold() not in game.ranked_types:
        return facts
    plain, dots = without_rank(name)
    if dots is None or rank in facts:
        return facts
    return {**facts, "name": plain, rank: dots}


def _json_records(text: str, game: Game) -> Iterator[_Record]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise UnreadableCatalogue(f"The catalogue is not JSON: {problem}.") from problem
    cards = data.get("cards")
    of_game = data.get("game")
    if of_game not in (None, game.key):
        raise UnreadableCatalogue(f"The catalogue is of {of_game}, not of {game.key}.")
    if not isinstance(cards, Mapping):
        raise UnreadableCatalogue('The catalogue has no table of cards under "cards".')
    for key, facts in cards.items():
        yield _Record(f"card {key}", key, facts if isinstance(facts, Mapping) else {})


def _table_records(text: str) -> Iterator[_Record]:
    import csv
    import io

    head = text.lstrip("\r\n").partition("\n")[0]
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=max("\t;,", key=head.count))
    try:
        header = [_column(cell) for cell in next(rows, [])]
        if not {"name", "title"} & set(header):
            raise UnreadableCatalogue("The table has no column called name or title.")
        for row in rows:
            if any(cell.strip() for cell in row):
                facts = {
                    column: _cell(column, cell)
                    for column, cell in zip(header, row, strict=False)
                    if cell.strip()
                }
                key = facts.get("key", facts.get("id"))
                yield _Record(f"line {rows.line_num}", None if key is None else str(key), facts)
    except csv.Error as problem:
        raise UnreadableCatalogue(f"Line {rows.line_num} of the table: {problem}.") from problem


def _column(cell: str) -> str:
    name = re.sub(r"\W+", "_", cell.strip().casefold()).strip("_")
    return _OTHER_NAMES.get(name, name)


def _cell(column: str, cell: str) -> object:
    """A cell as a fact: JSON where it is written so, else a list, a truth, a number or text."""
    value = cell.strip()
    if value[:1] in "[{":
        try:
            return json.loads(value)
        except ValueError:
            return value
    if column in _LISTS:
        return [part.strip() for part in re.split(r"[;|/]", value) if part.strip()]
    if column in _TEXT:
        return value
    if value.casefold() in _TRUTHS:
        return _TRUTHS[value.casefold()]
    return int(value) if value.isascii() and value.isdecimal() else value


def _octgn_records(data: bytes) -> Iterator[_Record]:
    """The cards of an OCTGN `set.xml`; a document type, which could declare entities, is refused."""
    from xml.parsers import expat

    found: list[tuple[dict[str, str], dict[str, object]]] = []
    set_name = ""

    def opened(tag: str, attributes: dict[str, str]) -> None:
        nonlocal set_name
        if tag == "set":
            set_name = attributes.get("name", "")
        elif tag == "card":
            found.append((attributes, {}))
        elif tag == "property" and found and attributes.get("value"):
            column = _column(attributes.get("name", ""))
            found[-1][1][column] = _cell(column, attributes["value"])

    def refused(*_declared: object) -> None:
        raise UnreadableCatalogue("The set declares a document type, which no set needs: it is refused.")

    parser = expat.ParserCreate()
    parser.StartElementHandler = opened
    parser.StartDoctypeDeclHandler = refused
    try:
        parser.Parse(data, True)
    except expat.ExpatError as problem:
        raise UnreadableCatalogue(f"The set is no well-formed XML: {problem}.") from problem
    for place, (attributes, facts) in enumerate(found, 1):
        named = {"name": attributes.get("name", "").strip() or None, "set": set_name}
        yield _Record(f"card {place}", attributes.get("id"), {**named, **facts})
