"""Checks of a list as read.

They cover headings that may be cards, announced counts, and parts without a heading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from decks.importers.headings import (
    MOST_COPIES,
    find_zone,
    is_card_type,
    names_another_zone,
    read_heading,
)
from decks.importers.model import DeckLine, ParseProblem
from rules.reason import Reason, reason

_MOST_CHECKS = 60

"""Announced counts that are held against the list; no honest list has more."""

_EXPLICIT = ("//", "#", ";", "[", "=", "*", "_", "<")

_RULE = re.compile(r"^[-=_*~#+.|/\\<>•·—–\s]*$")

_MARKS = " ()[]{}<>#!^-=|:/"


def audit_lines(lines: Sequence[DeckLine]) -> list[DeckLine]:
    """Settle headings that may be cards, and add notices to open lines.

    Each line that leaves something open gets a notice beside it.
    """
    settled_lines = _settle_headings(lines)
    announced_places = [place for place, line in enumerate(settled_lines) if line.announced_count is not None]
    checked_lines = [check_marks(line) for line in settled_lines]
    for turn, place in enumerate(announced_places):
        checked_lines[place] = (
            _check_count(checked_lines[place], settled_lines, place)
            if turn < _MOST_CHECKS
            else _note_unchecked(checked_lines[place])
        )
    return audit_parts(checked_lines)


def is_rule(text: str) -> bool:
    """Return whether a line is drawn rather than written: dashes, stars and the like."""
    return bool(_RULE.match(text))


def add_notice(line: DeckLine, why: Reason) -> DeckLine:
    """Return the line with one more notice."""
    return replace(line, notices=(*line.notices, ParseProblem(why, line.number, "notice")))


def _settle_headings(lines: Sequence[DeckLine]) -> list[DeckLine]:
    """Decide whether lines such as `24 Foundations` are headings or cards.

    A line is a heading if 24 cards follow it, and otherwise a card with a note.
    """
    settled_lines = list(lines)
    unsure = [place for place, line in enumerate(lines) if line.kind == "section" and _may_be_card(line)]
    for place in unsure:
        if _count_following(settled_lines, place) != settled_lines[place].announced_count:
            settled_lines[place] = _as_card(settled_lines[place])
    return settled_lines


def _may_be_card(line: DeckLine) -> bool:
    if line.announced_count is None or line.text.lstrip().startswith(_EXPLICIT):
        return False
    heading = read_heading(line.written_text)
    if not heading or not heading.leading_count or heading.is_sure or not is_card_type(heading.words):
        return False
    return line.announced_count <= MOST_COPIES or not heading.words.lower().endswith("s")


def _as_card(line: DeckLine) -> DeckLine:
    why = reason("heading_or_card.counted", written=line.written_text, announced=line.announced_count)
    card = replace(
        line, kind="card", qty=line.announced_count, announced_count=None, section=None, notices=()
    )
    return add_notice(card, why)


def _count_following(lines: Sequence[DeckLine], place: int) -> int:
    """Return how many cards are between a heading and the next one of its rank."""
    heading = lines[place]
    whole_zone = find_zone(heading.name) is not None and not is_card_type(heading.name)
    total = 0
    for line in lines[place + 1 :]:
        if line.kind == "section" and (not whole_zone or line.zone != heading.zone):
            break
        if line.kind == "card" and line.zone == heading.zone:
            total += line.qty or 0
    return total


def _check_count(line: DeckLine, lines: Sequence[DeckLine], place: int) -> DeckLine:
    if line.kind == "comment":
        return _check_total(line, lines, place)
    count = _count_following(lines, place)
    if count == line.announced_count:
        return line
    return add_notice(line, reason("heading_count_differs", announced=line.announced_count, count=count))


def count_missing(lines: Sequence[DeckLine], place: int) -> int:
    """Return how many cards more a heading or total announces than were read.

    Below zero if it is fewer.
    """
    line = lines[place]
    if line.kind != "comment":
        return (line.announced_count or 0) - _count_following(lines, place)
    return (line.announced_count or 0) - sum(each.qty or 0 for each in lines if each.zone == "main")


def _check_total(line: DeckLine, lines: Sequence[DeckLine], place: int) -> DeckLine:
    """Compare a total with the main deck, with everything, and with what is above it."""
    cards = [other for other in lines if other.kind == "card" and other.zone != "aside"]
    above = [other for other in lines[:place] if other.kind == "card" and other.zone == line.zone]
    section = [other for other in above if other.section == line.section]
    main = [other for other in cards if other.zone == "main"]
    sums = {sum(other.qty or 0 for other in part) for part in (cards, above, section, main)}
    if line.announced_count in sums:
        return line
    count = sum(other.qty or 0 for other in main)
    return add_notice(line, reason("total_differs", announced=line.announced_count, count=count))


def _note_unchecked(line: DeckLine) -> DeckLine:
    return add_notice(line, reason("total_differs.not_compared", most=_MOST_CHECKS))


def check_marks(line: DeckLine) -> DeckLine:
    """Return a card with a notice if a mark or remark probably says Sideboard.

    This is an ignored mark or remark, or a remark of its own.
    """
    if line.kind == "comment" and line.announced_count is None:
        return _check_remark(line)
    words = mark_of_zone(line)
    if words is None:
        return line
    return add_notice(line, reason("zone_unread.mark", words=words[:60]))


def mark_of_zone(line: DeckLine) -> str | None:
    """Return the mark or remark beside a card that names another zone, or None.

    It probably names that zone and was not read.
    """
    is_marked = any(notice.code in {"zone_marked", "set_aside"} for notice in line.notices)
    if line.kind != "card" or is_marked:
        return None
    before, slashes, remark = line.name.rpartition(" // ")
    marks = (*line.ignored_marks, *([f"// {remark}"] if slashes and before else []))
    return next((mark for mark in marks if names_another_zone(mark.strip(_MARKS), line.zone)), None)


def _check_remark(line: DeckLine) -> DeckLine:
    """Take `// Sideborad` for a remark, unless it was meant as a heading."""
    words = line.written_text.strip(f"{_MARKS};/*_~")
    if not names_another_zone(words, line.zone):
        return line
    return add_notice(line, reason("heading_unknown.remark", words=words))


def audit_parts(lines: Sequence[DeckLine]) -> list[DeckLine]:
    """Ask about the last part of a list if it is separated without a heading.

    A blank line or a rule separates it, and no heading follows. A list that names its sideboard has said what
    it is made of, and is not asked.
    """
    checked_lines = list(lines)
    place = _last_parting(checked_lines)
    if place is None:
        return checked_lines
    cards = [line for line in checked_lines[place:] if line.kind == "card"]
    count = sum(line.qty or 0 for line in cards)
    why = reason(
        "blank_line_without_heading",
        line=checked_lines[place].kind,
        lines=len(cards),
        first=cards[0].number,
        last=cards[-1].number,
        count=count,
        zone=cards[0].zone,
    )
    checked_lines[place] = add_notice(checked_lines[place], why)
    return checked_lines


def _last_parting(lines: Sequence[DeckLine]) -> int | None:
    """Return the position of the line that separates the last cards.

    None if these cards have a heading.
    """
    if any(line.zone == "sideboard" and line.kind in {"card", "section"} for line in lines):
        return None
    last = max((place for place, line in enumerate(lines) if line.kind == "card"), default=None)
    if last is None or lines[last].zone not in {"main", "pregame"}:
        return None
    parting = None
    for place in range(last, -1, -1):
        line = lines[place]
        if line.kind == "section" or (line.kind == "comment" and line.question):
            return None
        if line.kind == "blank" or (line.kind == "comment" and is_rule(line.written_text)):
            parting = place if parting is None else parting
        elif line.kind == "card" and parting is not None:
            return parting
    return None
