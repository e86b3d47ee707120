"""A typed line that names a card, as a line of the deck; or what keeps it from being one."""

from __future__ import annotations

import re
from dataclasses import replace

from decks.importers.headings import is_heading_word
from decks.importers.listing import Row
from decks.importers.model import Line, Problem, Reading
from decks.importers.names import clean
from decks.importers.phrase import Phrase, read_phrase
from decks.importers.zone_marks import Marked, take_zone_mark

MAX_LINE = 200
"""Characters of a line; a longer one is prose or an attack, not a card."""

_ONLY_COUNT = re.compile(r"^[xX×]?\s?[+−–-]?\d+\s?[xX×]?$|^[\[(]\d+[\])]$")


def read_card_text(text: str, number: int, source: str, zone: str, section: str | None) -> Line:
    """A card phrase inside a structured file (`"4x Foo"`), read as a typed line would be."""
    row = Row(number, source, clean(text), False, False, False)
    if len(row.text) > MAX_LINE or not row.text:
        sentence = f"This entry is empty or longer than {MAX_LINE} characters, so it was not read."
        problem = Problem("line_not_understood", sentence, number)
        return Line(number, source, "problem", zone=zone, section=section, problem=problem)
    return card_line_of(row, row.text, zone, section)


def card_line_of(row: Row, text: str, zone: str, section: str | None) -> Line:
    """The line of a row whose words `text` name a card: a card, or a problem where they cannot."""
    marked = take_zone_mark(text) if "[" in text or "(" in text else None
    if marked:
        return _in_marked_zone(row, marked, section)
    return _plain_line_of(row, text, zone, section)


def _plain_line_of(row: Row, text: str, zone: str, section: str | None) -> Line:
    phrase = read_phrase(text, row.number)
    problem = phrase.qty if isinstance(phrase.qty, Problem) else _no_card(phrase, row)
    if is_heading_word(phrase.name) and not text.startswith('"'):
        phrase.notices.append(_like_a_heading(phrase.name))
    return Line(
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
        written=phrase.written,
        alternatives=tuple(phrase.alternatives),
        ignored=phrase.ignored,
        notices=() if problem else tuple(replace(notice, line=row.number) for notice in phrase.notices),
    )


def _in_marked_zone(row: Row, marked: Marked, section: str | None) -> Line:
    """A card with its zone beside it; the mark may also be part of a name, and then the whole name is."""
    line = _plain_line_of(row, marked.text, marked.zone, section)
    if line.kind != "card":
        return line
    whole = f"{line.name} {marked.mark}"
    other = Reading(whole, line.qty or 1, line.dots, why=f"'{marked.mark}' as part of the name")
    notice = _zone_notice(marked, row.number)
    return replace(
        line,
        written=f"{line.written} {marked.mark}",
        alternatives=(*line.alternatives, other),
        ignored=(*line.ignored, marked.mark),
        notices=(*line.notices, notice),
    )


def _zone_notice(marked: Marked, number: int) -> Problem:
    if marked.zone == "aside":
        sentence = f"'{marked.mark}' sets this line aside: it is not part of the list."
        return Problem("set_aside", sentence, number, "notice")
    where = "sideboard" if marked.zone == "sideboard" else "main deck"
    return Problem("zone_marked", f"'{marked.mark}' puts this line into the {where}.", number, "notice")


def _no_card(phrase: Phrase, row: Row) -> Problem | None:
    if _ONLY_COUNT.match(row.text):
        sentence = "A number of copies stands here and no card; write the name behind it."
        return Problem("name_missing", sentence, row.number)
    if not phrase.name and not phrase.number:
        return Problem("name_missing", "A set stands here and no card; write its name or number.", row.number)
    if any(map(str.isalnum, phrase.written)):
        return None
    return Problem("line_not_understood", f"'{row.text[:60]}' is neither a card nor a heading.", row.number)


def _like_a_heading(name: str) -> Problem:
    sentence = f"'{name}' was read as a card; put a colon behind the word if it is a heading."
    return Problem("heading_or_card", sentence, None, "notice")
