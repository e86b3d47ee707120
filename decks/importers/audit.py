"""A second look at a typed list: counts that its headings announce, lines that can be read two ways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from decks.importers.headings import is_type, read_heading, zone_of
from decks.importers.model import Line, Problem

_EXPLICIT = ("//", "#", ";", "[", "=", "*", "_", "<")


def audit(lines: Sequence[Line]) -> tuple[list[Line], list[Problem]]:
    """Settle headings that may be cards, hold announced counts against the lines, and tell what differs."""
    settled = _settle(lines)
    checked = [_check_count(line, settled, place) for place, line in enumerate(settled)]
    return checked, _unparted_sideboard(checked)


def _settle(lines: Sequence[Line]) -> list[Line]:
    """`24 Foundations` is a heading where 24 cards follow it; otherwise it is a card, and is said to be."""
    settled = list(lines)
    for place, line in enumerate(settled):
        if line.kind == "section" and _may_be_card(line) and _following(settled, place) != line.announced:
            settled[place] = _as_card(line)
    return settled


def _may_be_card(line: Line) -> bool:
    heading = (
        read_heading(line.written) if line.written and not line.text.lstrip().startswith(_EXPLICIT) else None
    )
    return bool(heading and heading.leading_count and not heading.sure and is_type(heading.words))


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
    if line.kind != "section" or line.announced is None:
        return line
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
