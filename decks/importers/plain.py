"""Read lists typed or pasted as text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from decks.importers.audit import add_notice, audit_lines, is_rule
from decks.importers.headings import (
    Heading,
    has_times,
    names_another_zone,
    read_heading,
    read_unknown_heading,
    split_inline_heading,
)
from decks.importers.listing import SourceLine, split_source_lines
from decks.importers.markup import strip_markdown
from decks.importers.model import AlternativeReading, DeckBuilder, DeckLine, ParsedDeck, ParseProblem
from decks.importers.names import clean
from decks.importers.quantity import split_quantity
from decks.importers.typed_card import MAX_LINE, parse_card_line, split_count
from rules.reason import Reason, reason

_COMMENT = re.compile(r"^(?://|#(?!\d)|;|--(?=\s|$)|<!--)\s*")

_FACT = re.compile(
    r"^(title|deck name|name|author|player|by|creator|event|date|format|game|url|source|notes?|description"
    r"|comments?|archetype|place|finish|record)\s*[:=]\s*(.*)$",
    re.IGNORECASE,
)

_ARENA_TITLE = re.compile(r"^name\s+(.+)$", re.IGNORECASE)

_TOTAL = re.compile(
    r"^(?:=\s*)?(?:(?:grand |deck |main deck |sideboard )?total(?: cards?)?|cards|count|deck size)"
    r"\s*[:=(-]?\s*(\d{1,4})\s*(?:cards?)?\s*\)?$|^=?\s*(\d{1,4})\s+(?:cards?(?: total| in all)?|total)\.?$",
    re.IGNORECASE,
)

_ARENA_CARD = re.compile(r"^\d+ .+ \([A-Z0-9]{2,6}\) \S+$")

_LACKEY_CARD = re.compile(r"^\d+\t")

_QUOTED = re.compile(r'^(?:\d{1,9} ?[xX]? )?"')

_SIDE_PREFIX = re.compile(r"^(?:SB|SIDE)\s*:\s*", re.IGNORECASE)


@dataclass(slots=True)
class _ReaderState:
    """The state of the reader: the zone and heading that apply to the next card."""

    zone: str = "main"
    section: str | None = None
    under_about: bool = False
    lines: list[DeckLine] = field(default_factory=list)

    @property
    def lines_with_content(self) -> bool:
        """Whether a card or a heading has been read."""
        return any(line.kind in {"card", "section", "problem"} for line in self.lines)


def read_plain(text: str, builder: DeckBuilder) -> ParsedDeck:
    """Read a typed list.

    Every source line comes back; headings move the zone for the lines below.
    """
    place = _ReaderState()
    source_lines = split_source_lines(text)
    for row in source_lines:
        place.lines.append(_read_row(row, place, builder))
    builder.format = _detect_tool(source_lines)
    builder.lines = audit_lines(place.lines)
    return builder.finish()


def _read_row(row: SourceLine, place: _ReaderState, builder: DeckBuilder) -> DeckLine:
    if not row.text:
        return DeckLine(row.number, row.raw, "blank", zone=place.zone, section=place.section)
    if len(row.text) > MAX_LINE:
        return _refuse_row(row, place, reason("line_too_long", most=MAX_LINE))
    line = _structure(row, place, builder) or _card(row, place)
    if row.is_repaired and line.kind == "card":
        line = add_notice(line, reason("mojibake_repaired", name=line.name))
    return line


def _structure(row: SourceLine, place: _ReaderState, builder: DeckBuilder) -> DeckLine | None:
    """Return the line as title, total, comment or heading.

    None if it can only be a card.
    """
    fact = _read_fact(row, place, builder)
    if fact:
        return fact
    if total := _TOTAL.match(row.text):
        return replace(_comment(row, place), announced_count=int(total[1] or total[2]))
    if comment := _COMMENT.match(row.text):
        heading = read_heading(row.text[comment.end() :], is_marked=True)
        return _open(row, heading, place) if heading else _comment_out(row, row.text[comment.end() :], place)
    if _QUOTED.match(row.text):
        return None
    words = strip_markdown(row.text)
    is_marked = row.is_emphasized or words is not None
    if is_marked and is_counted(words or row.text):
        return None
    if is_rule(row.text):
        return _comment(row, place)
    heading = read_heading(words or row.text, is_marked=is_marked) or read_unknown_heading(
        words or row.text, is_marked=is_marked
    )
    if not heading or (not heading.is_known and _is_ranked(row.text)):
        return None
    if is_marked and not heading.is_known and _is_title(heading, place, builder):
        builder.title = heading.words
        notice = ParseProblem(reason("title_assumed", words=heading.words), row.number, "notice")
        return replace(_comment(row, place), name=heading.words, notices=(notice,))
    return _open(row, heading, place)


def _is_title(heading: Heading, place: _ReaderState, builder: DeckBuilder) -> bool:
    """Return whether the heading is the name of the list.

    The name is the first marked words above the list, unless they announce a count or sound like a zone.
    """
    is_first = builder.title is None and not place.lines_with_content
    return is_first and heading.announced_count is None and not names_another_zone(heading.words, "")


def _is_ranked(text: str) -> bool:
    """Recognize a marked line with rank dots: it names a character, not a section."""
    return any(mark in text for mark in "●•·")


def _read_fact(row: SourceLine, place: _ReaderState, builder: DeckBuilder) -> DeckLine | None:
    match = _FACT.match(row.text)
    key = match[1].lower() if match else ""
    if match and not match[2].isdigit() and not (key == "event" and _names_a_card(match[2], place)):
        if key in {"title", "deck name", "name"}:
            builder.title = builder.title or match[2].strip() or None
        elif key == "game":
            builder.game_hint = builder.game_hint or match[2].strip() or None
        return _comment(row, place)
    if row.text.lower() == "about":
        place.under_about = True
        return _comment(row, place)
    title_match = _ARENA_TITLE.match(row.text) if place.under_about else None
    place.under_about = False
    if title_match:
        builder.title = builder.title or title_match[1]
        return _comment(row, place)
    return _deck_title(row, place, builder)


def _names_a_card(rest: str, place: _ReaderState) -> bool:
    """Return whether a line such as `Event: Friday` is a card.

    It is one among cards or before a count. Above a list, Event is a label.
    """
    return place.lines_with_content or split_quantity(rest).place == "leading"


def _deck_title(row: SourceLine, place: _ReaderState, builder: DeckBuilder) -> DeckLine | None:
    """Read `Deck: Ken rush` as the name of the list.

    `Deck: 60` and `Deck: 4 Foo` are not read as a name.
    """
    key, colon, rest = row.text.partition(":")
    if not colon or key.strip().lower() != "deck" or not rest.strip() or any(map(str.isdigit, rest)):
        return None
    builder.title = builder.title or rest.strip()
    return _comment(row, place)


def _open(row: SourceLine, heading: Heading, place: _ReaderState) -> DeckLine:
    notices = _move(place, heading, row.number)
    return DeckLine(
        row.number, row.raw, "section", None, clean(heading.words), zone=place.zone, section=heading.words,
        written_text=row.text, notices=notices, announced_count=heading.announced_count,
    )  # fmt: skip


def _move(place: _ReaderState, heading: Heading, number: int) -> tuple[ParseProblem, ...]:
    """Go to the zone of a heading.

    A card type is of the main deck, unless it parts a sideboard or pool.
    """
    by_type = heading.is_known and heading.zone is None
    if by_type and place.zone == "pregame":
        place.zone = "main"
    place.zone, place.section = heading.zone or place.zone, heading.words
    if not heading.is_known:
        why = reason("heading_unknown", words=heading.words, zone=place.zone)
        return (ParseProblem(why, number, "notice"),)
    if place.zone == "aside":
        return (ParseProblem(reason("set_aside.below", words=heading.words), number, "notice"),)
    if by_type and place.zone == "sideboard":
        return (ParseProblem(reason("type_below_sideboard", words=heading.words), number, "notice"),)
    return ()


def is_counted(text: str) -> bool:
    """Return whether a line begins with a number of copies and a name.

    The count of a heading is not a number of copies.
    """
    if text.endswith(":") or read_heading(text, is_marked=True):
        return False
    place = split_count(text).place
    return place in {"leading", "marked", "between"} or (place == "trailing" and has_times(text))


def _comment_out(row: SourceLine, words: str, place: _ReaderState) -> DeckLine:
    """Return a comment.

    One that begins like a card is reported, because that card is not in the list.
    """
    if split_quantity(words).place != "leading" or _TOTAL.match(words):
        return _comment(row, place)
    notice = ParseProblem(reason("card_in_comment", words=row.text[:60]), row.number, "notice")
    return replace(_comment(row, place), notices=(notice,))


def _comment(row: SourceLine, place: _ReaderState) -> DeckLine:
    return DeckLine(
        row.number, row.raw, "comment", zone=place.zone, section=place.section, written_text=row.text
    )


def _refuse_row(row: SourceLine, place: _ReaderState, why: Reason) -> DeckLine:
    problem = ParseProblem(why, row.number)
    return DeckLine(row.number, row.raw, "problem", zone=place.zone, section=place.section, problem=problem)


def _card(row: SourceLine, place: _ReaderState) -> DeckLine:
    if side := _SIDE_PREFIX.match(row.text):
        return parse_card_line(row, row.text[side.end() :], "sideboard", place.section)
    if inline := None if _QUOTED.match(row.text) else split_inline_heading(row.text):
        heading, rest = inline
        notices = _move(place, heading, row.number)
        line = parse_card_line(row, rest, place.zone, place.section)
        as_name = parse_card_line(row, row.text, place.zone, place.section)
        why = reason("read_with.heading_in_name")
        whole = AlternativeReading(as_name.name, line.qty or 1, as_name.dots, why=why, is_asked=True)
        return replace(line, alternatives=(*line.alternatives, whole), notices=(*notices, *line.notices))
    return parse_card_line(row, row.text, place.zone, place.section)


def _detect_tool(source_lines: list[SourceLine]) -> str:
    """Return which tool's text this is, for people to see; all are read alike."""
    if any(row.had_codes for row in source_lines):
        return "forum"
    worded_rows = [row for row in source_lines if row.text]
    if any(_ARENA_CARD.match(row.text) for row in worded_rows):
        return "arena"
    if worded_rows and sum(bool(_LACKEY_CARD.match(row.raw)) for row in worded_rows) * 2 > len(worded_rows):
        return "lackey-text"
    return "text"
