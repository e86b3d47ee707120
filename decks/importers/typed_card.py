"""Read one typed card line: quantity, name, rank dots, set and number, zone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from decks.importers.headings import is_heading_word, suggest_zone
from decks.importers.listing import SourceLine
from decks.importers.markup import strip_inline
from decks.importers.model import AlternativeReading, DeckLine, ParseProblem
from decks.importers.names import clean, fold, split_dots
from decks.importers.places import NamedPlace, find_places, split_facts, split_leading_bracket
from decks.importers.quantity import SplitQuantity, assumed_quantity_notice, read_quantity, split_quantity
from decks.importers.tags import TaggedName, is_set_and_number, loose_set_and_number, split_tags
from rules.reason import Reason, reason

MAX_LINE = 200

"""Characters of a line; a longer one is prose or an attack, not a card."""

_ONLY_COUNT = re.compile(r"^[xX×]?\s?[+−–-]?\d+\s?[xX×]?$|^[\[(]\d+[\])]$")


def read_card_text(text: str, number: int, source: str, zone: str, section: str | None) -> DeckLine:
    """Read a card phrase in a structured file (`"4x Foo"`) as a typed line."""
    row = SourceLine(number, source, clean(strip_inline(text)), False, False, False)
    if len(row.text) > MAX_LINE or not row.text:
        problem = ParseProblem(reason("line_not_understood.entry", most=MAX_LINE), number)
        return DeckLine(number, source, "problem", zone=zone, section=section, problem=problem)
    return parse_card_line(row, row.text, zone, section)


def parse_card_line(row: SourceLine, text: str, zone: str, section: str | None) -> DeckLine:
    """Return the card of a row, or a problem where `text` cannot name one."""
    zone_mark = take_zone_mark(text) if "[" in text or "(" in text else None
    if zone_mark:
        return _in_marked_zone(row, zone_mark, section)
    return _parse_plain_line(row, text, zone, section)


def _parse_plain_line(row: SourceLine, text: str, zone: str, section: str | None) -> DeckLine:
    phrase = read_phrase(text, row.number)
    problem = phrase.qty if isinstance(phrase.qty, ParseProblem) else _no_card(phrase, row)
    if _may_be_heading(phrase):
        phrase.notices.append(_like_a_heading(phrase.name))
    return DeckLine(
        number=row.number,
        text=row.raw,
        kind="problem" if problem else "card",
        qty=phrase.qty if isinstance(phrase.qty, int) and not problem else None,
        name=phrase.name,
        set_code=phrase.set_code,
        collector_number=phrase.number,
        dots=phrase.dots,
        variant=phrase.variant,
        zone=zone,
        problem=problem,
        section=section,
        written_text=phrase.written_text,
        alternatives=tuple(phrase.alternatives),
        ignored_marks=phrase.ignored_marks,
        notices=() if problem else tuple(replace(notice, line=row.number) for notice in phrase.notices),
        card_id=phrase.card_id,
    )


def _in_marked_zone(row: SourceLine, zone_mark: ZoneMark, section: str | None) -> DeckLine:
    """Return a card with its marked zone; another reading has the mark in its name."""
    line = _parse_plain_line(row, zone_mark.text, zone_mark.zone, section)
    if line.kind != "card":
        return line
    whole = f"{line.name} {zone_mark.mark}"
    why = reason("read_with.mark_in_name", words=zone_mark.mark)
    other = AlternativeReading(whole, line.qty or 1, line.dots, why=why)
    notice = _zone_notice(zone_mark, row.number)
    return replace(
        line,
        written_text=f"{line.written_text} {zone_mark.mark}",
        alternatives=(*line.alternatives, other),
        ignored_marks=(*line.ignored_marks, zone_mark.mark),
        notices=(*line.notices, notice),
    )


def _zone_notice(zone_mark: ZoneMark, number: int) -> ParseProblem:
    if zone_mark.zone == "aside":
        return ParseProblem(reason("set_aside.marked", words=zone_mark.mark), number, "notice")
    return ParseProblem(reason("zone_marked", words=zone_mark.mark, zone=zone_mark.zone), number, "notice")


def _no_card(phrase: Phrase, row: SourceLine) -> ParseProblem | None:
    if _ONLY_COUNT.match(row.text):
        return ParseProblem(reason("name_missing.only_count"), row.number)
    if not phrase.name and not phrase.number:
        return ParseProblem(reason("name_missing.only_set"), row.number)
    if any(map(str.isalnum, phrase.written_text)):
        return None
    return ParseProblem(reason("line_not_understood", words=row.text[:60]), row.number)


def _may_be_heading(phrase: Phrase) -> bool:
    """Return whether a phrase may be the heading for a part of a list.

    A similar word is enough if no number of copies is written.
    """
    if phrase.written_text.startswith('"'):
        return False
    is_counted = all(notice.code != "quantity_assumed" for notice in phrase.notices)
    return is_heading_word(phrase.name) or (not is_counted and suggest_zone(phrase.name) is not None)


def _like_a_heading(name: str) -> ParseProblem:
    return ParseProblem(reason("heading_or_card", name=name), None, "notice")


_MARK = re.compile(r"\s[\[(]([A-Za-z][^\[\]()]{0,60})[\])]")

_ANY = re.compile(r"[\[(,]\s*(?:main|side|sb|maybe|considering)|\{nodeck", re.IGNORECASE)

_FLAGS = re.compile(r"\{[^{}]*\}")

_ZONES = {
    "main": "main",
    "mainboard": "main",
    "maindeck": "main",
    "side": "sideboard",
    "sideboard": "sideboard",
    "sidedeck": "sideboard",
    "sb": "sideboard",
    "maybe": "aside",
    "maybeboard": "aside",
    "considering": "aside",
}


@dataclass(frozen=True, slots=True)
class ZoneMark:
    """A line without its zone mark, the zone, and the mark as it was written."""

    text: str
    zone: str
    mark: str


def take_zone_mark(text: str) -> ZoneMark | None:
    """Return the line without the mark that names its zone, or None if no mark does.

    Of several categories in one mark any may name the zone; `{noDeck}` sets the card aside.
    """
    if not _ANY.search(text):
        return None
    for match in _MARK.finditer(text, text.rfind('"') + 1):
        if zone := _marked_zone(match[1]):
            rest = text[: match.start()] + text[match.end() :]
            return ZoneMark(rest.strip(), zone, match[0].strip())
    return None


def _marked_zone(words: str) -> str | None:
    if "{nodeck}" in words.lower():
        return "aside"
    parts = _FLAGS.sub("", words).split(",")
    return next(
        (zone for part in parts if (zone := _ZONES.get(fold(part.strip()) if part.strip() else ""))), None
    )


_QUOTED = re.compile(r'^"((?:[^"]|"")+)"(?:\s+(.*))?$')

_ATTACHED_DIGIT = re.compile(r"^(.*[^\W\d_])\s?([1-6])$")

_LETTER_X = re.compile(r"^\d+ ([xX] .+)$")

_BOLD = re.compile(r"^(\*{1,2})[^*]+\1$")

_PLAIN_COUNT = re.compile(r"^\d+ ")


@dataclass(slots=True)
class Phrase:
    """The parts of a card phrase. `qty` is a Problem where the quantity is wrong."""

    qty: int | ParseProblem
    name: str
    written_text: str
    dots: int | None = None
    set_code: str | None = None
    number: str | None = None
    variant: str | None = None
    card_id: str | None = None
    ignored_marks: tuple[str, ...] = ()
    alternatives: list[AlternativeReading] = field(default_factory=list)
    notices: list[ParseProblem] = field(default_factory=list)


def read_phrase(text: str, number: int | None) -> Phrase:
    """Parse a line that is no heading or comment; `number` is for its problems."""
    quantity = split_count(text)
    if quantity.place == "missing":
        phrase = read_name(text, 1)
        phrase.notices.append(assumed_quantity_notice(phrase.written_text, number))
        return phrase
    qty = read_quantity(quantity.quantity_text, number)
    phrase = read_name(quantity.rest, qty if isinstance(qty, int) else 1)
    phrase.qty = qty
    _other_meanings_of_the_number(phrase, quantity, text)
    return phrase


def split_count(text: str) -> SplitQuantity:
    """Return the number of copies, which may also be between set and name.

    Examples: `[SF01 112] 4 Foo`, `Foo x4 [SF01]`.
    """
    if is_set_and_number(text):
        return SplitQuantity("", text, "missing")
    quantity = split_quantity(text)
    if quantity.place not in {"missing", "bare"} or '"' in text:
        return quantity
    bracket, words = split_leading_bracket(text)
    inner = split_quantity(words) if bracket else quantity
    if bracket and inner.place == "leading":
        return SplitQuantity(inner.quantity_text, f"{bracket} {inner.rest}", "between")
    name = split_tags(text).name
    inner = split_quantity(name)
    if name != text and name in text and inner.place in {"leading", "trailing", "marked"} and inner.rest:
        return SplitQuantity(inner.quantity_text, text.replace(name, inner.rest, 1), "between")
    return quantity


def read_name(text: str, qty: int) -> Phrase:
    """Read the part of a line that names a card, its quantity being known already."""
    words, facts = split_facts(text)
    phrase = _read_words(words, qty)
    if facts:
        phrase.set_code = facts.get("set", "").upper() or phrase.set_code
        phrase.number, phrase.card_id = facts.get("number", phrase.number), facts.get("key")
        phrase.variant = facts.get("variant", "").lower() or phrase.variant
    return phrase


def _read_words(text: str, qty: int) -> Phrase:
    if quoted_name := _QUOTED.match(text):
        return _quoted_name(quoted_name[1].replace('""', '"'), quoted_name[2] or "", qty, text)
    tagged_name = split_tags(text)
    dotted_name = split_dots(tagged_name.name)
    phrase = Phrase(qty, dotted_name.name, text, dotted_name.dots)
    _copy_tags(phrase, tagged_name)
    for whole in tagged_name.wholes:
        phrase.alternatives.append(
            AlternativeReading(whole, qty, why=reason("read_with.whole_name", words=whole))
        )
    if not dotted_name.is_clear:
        phrase.notices.append(_unclear_dots(tagged_name.name))
    if dotted_name.is_soft:
        stops = _same_place(phrase, tagged_name.name, None, reason("read_with.stops_in_name"))
        phrase.alternatives.append(replace(stops, is_marked=bool(phrase.set_code and phrase.number)))
    if dotted_name.dots and _BOLD.match(tagged_name.name):
        phrase.alternatives.append(
            _same_place(phrase, dotted_name.name, None, reason("read_with.stars_as_bold"))
        )
    if dotted_name.before_only and dotted_name.dots == 1:
        bullet = reason("read_with.sign_as_bullet")
        phrase.alternatives.append(_same_place(phrase, dotted_name.name, None, bullet))
        phrase.notices.append(_dot_or_bullet(tagged_name.name))
    _digit_as_dots(phrase)
    _loose_set(phrase, tagged_name)
    _bracketed_set(phrase, text)
    _remark_behind(phrase)
    return phrase


def _quoted_name(name: str, after: str, qty: int, written_line: str) -> Phrase:
    """Take a name in quotation marks as it is; marks and tags may follow it."""
    tagged_name = split_tags(f"Name {clean(after)}".strip())
    dotted_name = split_dots(tagged_name.name)
    if dotted_name.name != "Name":
        return Phrase(qty, written_line, written_line)
    phrase = Phrase(qty, clean(name), written_line, dotted_name.dots)
    _copy_tags(phrase, tagged_name)
    return phrase


def _copy_tags(phrase: Phrase, tagged_name: TaggedName) -> None:
    phrase.set_code, phrase.number, phrase.variant = (
        tagged_name.set_code,
        tagged_name.number,
        tagged_name.variant,
    )
    phrase.ignored_marks = tuple(tagged_name.ignored_marks)


def _same_place(phrase: Phrase, name: str, dots: int | None, why: Reason) -> AlternativeReading:
    qty = phrase.qty if isinstance(phrase.qty, int) else 1
    return AlternativeReading(name, qty, dots, phrase.set_code, phrase.number, why)


def _digit_as_dots(phrase: Phrase) -> None:
    """Offer two dots as a reading of `Ken2` and `Ken 2`."""
    match = _ATTACHED_DIGIT.match(phrase.name) if phrase.dots is None else None
    if match:
        why = reason("read_with.digit_as_dots", digit=match[2])
        phrase.alternatives.append(_same_place(phrase, match[1].rstrip(), int(match[2]), why))


def _remark_behind(phrase: Phrase) -> None:
    """Read `Foo // best card` as a name with a remark.

    Two slashes separate the halves of a split card, or a name from a remark.
    """
    name, slashes, remark = phrase.name.rpartition(" // ")
    if slashes and name.strip():
        why = reason("read_with.remark", words=remark.strip()[:60])
        phrase.alternatives.append(_same_place(phrase, name.strip(), phrase.dots, why))


def _loose_set(phrase: Phrase, tagged_name: TaggedName) -> None:
    """Offer set and number as a reading of `PA 1 Gabe`."""
    parts = None if tagged_name.set_code or tagged_name.number else loose_set_and_number(tagged_name.name)
    if parts:
        name, code, number = parts
        dotted_name = split_dots(name)
        qty = phrase.qty if isinstance(phrase.qty, int) else 1
        why = reason("read_with.set_and_number", set=code, number=number)
        phrase.alternatives.append(
            AlternativeReading(dotted_name.name, qty, dotted_name.dots, code, number, why)
        )


def _bracketed_set(phrase: Phrase, text: str) -> None:
    """Parse words in brackets as a set: `Dark Hado (darkpath 70)`.

    They name a set where the catalogue has that code.
    """
    qty = phrase.qty if isinstance(phrase.qty, int) else 1
    for named_place in () if phrase.set_code else find_places(text):
        others = (each for each in _placed_readings(named_place, qty) if each not in phrase.alternatives)
        phrase.alternatives.extend(others)


def _placed_readings(named_place: NamedPlace, qty: int) -> Iterator[AlternativeReading]:
    """Yield the readings of a name with its set.

    Full stops after the name are dots, or part of it.
    """
    dotted_name = split_dots(named_place.name)
    why = reason("read_with.set", words=" ".join(filter(None, (named_place.code, named_place.number))))
    for name, dots in [
        (dotted_name.name, dotted_name.dots),
        *([(named_place.name, None)] if dotted_name.is_soft else []),
    ]:
        yield AlternativeReading(name, qty, dots, named_place.code, named_place.number, why, is_marked=True)


def _other_meanings_of_the_number(phrase: Phrase, quantity: SplitQuantity, text: str) -> None:
    if quantity.place == "marked":
        before = split_quantity(quantity.rest)
        qty = read_quantity(before.quantity_text, None) if before.place == "leading" else None
        if isinstance(qty, int):
            phrase.alternatives.append(
                AlternativeReading(before.rest, qty, why=reason("read_with.number_before"))
            )
        return
    if quantity.place == "between":
        return
    if quantity.place == "leading":
        if letter_match := _LETTER_X.match(text):
            qty = phrase.qty if isinstance(phrase.qty, int) else 1
            phrase.alternatives.append(
                AlternativeReading(letter_match[1], qty, why=reason("read_with.x_in_name"))
            )
        if _PLAIN_COUNT.match(text):
            phrase.alternatives.append(AlternativeReading(text, 1, why=reason("read_with.number_in_name")))
        return
    dots = int(quantity.quantity_text) if quantity.quantity_text in {"1", "2", "3", "4", "5", "6"} else None
    if quantity.place == "bare":
        phrase.alternatives.append(AlternativeReading(text, 1, why=reason("read_with.number_in_name")))
        phrase.alternatives.extend(
            each for named_place in find_places(text) for each in _placed_readings(named_place, 1)
        )
    if dots and phrase.dots is None and (quantity.place == "bare" or text.endswith((")", "]"))):
        why = reason("read_with.number_as_dots")
        phrase.alternatives.append(
            AlternativeReading(phrase.name, 1, dots, phrase.set_code, phrase.number, why)
        )


def _unclear_dots(name: str) -> ParseProblem:
    return ParseProblem(reason("dots_unclear", name=name), None, "notice")


def _dot_or_bullet(name: str) -> ParseProblem:
    return ParseProblem(reason("dot_or_bullet", name=name), None, "notice")
