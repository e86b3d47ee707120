"""Card entries of structured files, whose fields are named."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from decks.importers.decoding import repair_mojibake
from decks.importers.headings import find_zone, is_card_type
from decks.importers.model import AlternativeReading, DeckLine, ParseProblem
from decks.importers.names import clean, split_dots
from decks.importers.quantity import assumed_quantity_notice, read_quantity
from decks.importers.tags import is_finish, split_tags
from rules.reason import reason

_QUOTED = re.compile(r'^"((?:[^"]|"")+)"\s*(●{0,6})$')

_LONGEST = 2_000

MAX_NAME = 200
"""Characters of a name or another field."""


@dataclass(frozen=True, slots=True)
class EntryFields:
    """The fields of one entry of a structured file, as text.

    A missing field is an empty text.
    """

    number: int
    source: str
    name: str = ""
    qty: str = ""
    set_code: str = ""
    collector_number: str = ""
    dots: str = ""
    variant: str = ""
    card_id: str = ""
    zone: str = "main"
    section: str | None = None
    is_key_or_name: bool = False


def make_card_line(fields: EntryFields) -> DeckLine:
    """Return the line of an entry: a card or a problem.

    It is a problem if there is no name, the quantity is wrong, or the name is beyond reason.
    """
    if len(fields.name) > _LONGEST:
        return _refuse_entry(fields, _too_long(fields.number), "")
    written_name = clean(fields.name)
    name = written_name if written_name.startswith('"') else clean(repair_mojibake(fields.name))
    if problem := _unreadable(fields, name):
        return _refuse_entry(fields, problem, name[:MAX_NAME])
    qty = read_quantity(clean(fields.qty), fields.number) if fields.qty.strip() else 1
    if isinstance(qty, ParseProblem):
        return _refuse_entry(fields, qty, name)
    line = _card(fields, name, qty)
    if name == written_name:
        return line
    notice = ParseProblem(reason("mojibake_repaired", name=line.name), fields.number, "notice")
    return replace(line, notices=(*line.notices, notice))


def read_zone(words: str, number: int) -> tuple[str, ParseProblem | None]:
    """Return the zone that a file names, and a message if it is unknown.

    The cards of an unknown zone count as main.
    """
    zone = find_zone(clean(words)) if words.strip() else "main"
    if zone:
        return zone, _set_aside(words, number) if zone == "aside" else None
    why = reason("heading_unknown.section", words=clean(words)[:60])
    return "main", ParseProblem(why, number, "notice")


def make_section_line(number: int, source: str, words: str) -> DeckLine:
    """Return the line that opens a section of a structured file."""
    zone, notice = read_zone(words, number)
    name = clean(words)
    notices = (notice,) if notice else ()
    return DeckLine(
        number,
        source,
        "section",
        name=name,
        zone=zone,
        section=name or None,
        written_text=name,
        notices=notices,
    )


def _set_aside(words: str, number: int) -> ParseProblem | None:
    if is_card_type(words):
        return None
    return ParseProblem(reason("set_aside", words=clean(words)[:60]), number, "notice")


def _unreadable(fields: EntryFields, name: str) -> ParseProblem | None:
    number = fields.number
    others = (fields.set_code, fields.collector_number, fields.card_id, fields.variant)
    if len(name) > MAX_NAME or any(len(other) > MAX_NAME for other in others):
        return _too_long(number)
    if not name and not clean(fields.card_id) and not clean(fields.collector_number):
        return ParseProblem(reason("name_missing"), number)
    return None


def _too_long(number: int) -> ParseProblem:
    return ParseProblem(reason("line_too_long.field", most=MAX_NAME), number)


def _refuse_entry(fields: EntryFields, problem: ParseProblem, name: str) -> DeckLine:
    return DeckLine(
        fields.number, fields.source, "problem", name=name, zone=fields.zone, problem=problem,
        section=fields.section, written_text=name,
    )  # fmt: skip


def _card(fields: EntryFields, name: str, qty: int) -> DeckLine:
    named_card = _read_name(name, qty)
    dots, variant = clean(fields.dots), clean(fields.variant).lower()
    return DeckLine(
        number=fields.number,
        text=fields.source,
        kind="card",
        qty=qty,
        name=named_card.name,
        set_code=clean(fields.set_code).upper() or named_card.set_code,
        collector_number=clean(fields.collector_number) or named_card.collector_number,
        dots=int(dots) if dots.isdecimal() and len(dots) < 3 else named_card.dots,
        variant=None if is_finish(variant) else variant or None,
        zone=fields.zone,
        card_id=clean(fields.card_id) or None,
        section=fields.section,
        written_text=name,
        alternatives=named_card.alternatives,
        ignored_marks=(variant,) if is_finish(variant) else (),
        notices=()
        if fields.qty.strip()
        else (assumed_quantity_notice(name or fields.card_id, fields.number),),
        is_key_or_name=fields.is_key_or_name,
    )


@dataclass(frozen=True, slots=True)
class _Name:
    name: str
    dots: int | None = None
    set_code: str | None = None
    collector_number: str | None = None
    alternatives: tuple[AlternativeReading, ...] = ()


def _read_name(name: str, qty: int) -> _Name:
    """Split rank dots and a bracketed set with number off a name.

    Anything less clear is left in the name. A name in quotation marks is the name whatever it looks like;
    rank dots may follow it.
    """
    if quoted_name := _QUOTED.match(name):
        return _Name(quoted_name[1].replace('""', '"'), len(quoted_name[2]) or None)
    tagged_name = split_tags(name)
    sure = (
        bool(tagged_name.set_code and tagged_name.number)
        and not tagged_name.wholes
        and not tagged_name.ignored_marks
        and tagged_name.name
    )
    core = tagged_name.name if sure else name
    code, number = (tagged_name.set_code, tagged_name.number) if sure else (None, None)
    dotted_name = split_dots(core)
    if dotted_name.dots is None:
        return _Name(core, None, code, number)
    if dotted_name.is_soft:
        why = reason("read_with.stops_as_dots")
        return _Name(
            core,
            None,
            code,
            number,
            (AlternativeReading(dotted_name.name, qty, dotted_name.dots, code, number, why),),
        )
    return _Name(dotted_name.name, dotted_name.dots, code, number)
