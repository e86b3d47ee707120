"""A second look at a typed list: counts that its headings announce, lines that can be read two ways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from decks.importers.headings import MOST_COPIES, is_type, read_heading, zone_of
from decks.importers.model import Line, Problem

_MOST_CHECKS = 60
"""Announced counts that are held against the list; no honest list has more."""

_EXPLICIT = ("//", "#", ";", "[", "=", "*", "_", "<")


def audit(lines: Sequence[Line]) -> tuple[list[Line], list[Problem]]:
    """Settle headings that may be cards, hold announced counts against the lines, and tell what differs."""
    settled = _settle(lines)
    counted = [place for place, line in enumerate(settled) if line.announced is not None][:_MOST_CHECKS]
    checked = list(settled)
    for place in counted:
        checked[place] = _check_count(settled[place], settled, place)
    return checked, _unparted_sideboard(checked)


def _settle(lines: Sequence[Line]) -> list[Line]:
    """`24 Foundations` is a heading where 24 cards follow it; otherwise it is a card, and is said to be."""
    settled = list(lines)
    unsure = [place for place, line in enumerate(lines) if line.kind == "section" and _may_be_card(line)]
    for place in unsure:
        if _following(settled, place) != settled[place].announced:
            settled[place] = _as_card(settled[place])
    return settled


def _may_be_card(line: Line) -> bool:
    if line.announced is None or line.text.lstrip().startswith(_EXPLICIT):
        return False
    heading = read_heading(line.written)
    if not heading or not heading.leading_count or heading.sure or not is_type(heading.words):
        return False
    return line.announced <= MOST_COPIES or not heading.words.lower().endswith("s")


def _as_card(line: Line) -> Line:
    sentence = (
        f"'{line.written}' was read as a card; if it is a heading, put a colon behind it, "
        f"because the lines below do not hold {line.announced} cards."
    )
    notice = Problem("heading_or_card", sentence, line.number, "notice")
    return replace(line, kind="card", qty=line.announced, announced=None, section=None, notices=(notice,))


def _following(lines: Sequence[Line], place: int) -> int:
    """How many cards stand between a heading and the next one of its rank."""
    heading = lines[place]
    whole_zone = zone_of(heading.name) is not None and not is_type(heading.name)
    total = 0
    for line in lines[place + 1 :]:
        if line.kind == "section" and (not whole_zone or line.zone != heading.zone):
            break
        if line.kind == "card" and line.zone == heading.zone:
            total += line.qty or 0
    return total


def _check_count(line: Line, lines: Sequence[Line], place: int) -> Line:
    if line.kind == "comment":
        return _check_total(line, lines, place)
    found = _following(lines, place)
    if found == line.announced:
        return line
    sentence = (
        f"The heading announces {line.announced} cards and {found} were read below it; "
        "look for a line that is missing, or put the number right."
    )
    return replace(
        line, notices=(*line.notices, Problem("heading_count_differs", sentence, line.number, "notice"))
    )


def _check_total(line: Line, lines: Sequence[Line], place: int) -> Line:
    """A total may be of the main deck, of everything, or of what stands above it."""
    cards = [other for other in lines if other.kind == "card" and other.zone != "aside"]
    above = [other for other in lines[:place] if other.kind == "card" and other.zone == line.zone]
    section = [other for other in above if other.section == line.section]
    main = [other for other in cards if other.zone == "main"]
    sums = {sum(other.qty or 0 for other in part) for part in (cards, above, section, main)}
    if line.announced in sums:
        return line
    found = sum(other.qty or 0 for other in main)
    sentence = f"The list says {line.announced} cards in all, and {found} were read in the main deck."
    return replace(line, notices=(Problem("total_differs", sentence, line.number, "notice"),))


def _unparted_sideboard(lines: Sequence[Line]) -> list[Problem]:
    """A list parted by one blank line, without headings, may mean a sideboard; it is not taken for one."""
    if any(line.kind == "section" or line.zone != "main" for line in lines):
        return []
    kinds = [line.kind for line in lines if line.kind in {"card", "problem", "blank"}]
    shape = [kind for place, kind in enumerate(kinds) if place == 0 or kinds[place - 1] != kind]
    inner = shape[1:] if shape[:1] == ["blank"] else shape
    if [kind for kind in inner if kind != "problem"][:3] != ["card", "blank", "card"] or inner.count(
        "blank"
    ) > 2:
        return []
    blank = next(line for place, line in enumerate(lines) if line.kind == "blank" and place > 0)
    sentence = (
        "A blank line parts the list but no heading says Sideboard, so all of it was read as the main deck."
    )
    return [Problem("blank_line_without_heading", sentence, blank.number, "notice")]
